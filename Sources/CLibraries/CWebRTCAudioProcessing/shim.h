// The library speaks C++ only: CAudioProcessingShims includes its headers.
