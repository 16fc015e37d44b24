# Finds speexdsp: the target SpeexDSP::SpeexDSP, and SpeexDSP_FOUND, SpeexDSP_INCLUDE_DIR, SpeexDSP_LIBRARY, SpeexDSP_VERSION. Debian: libspeexdsp-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_SpeexDSP QUIET speexdsp)
endif()
find_path(SpeexDSP_INCLUDE_DIR speex/speex_resampler.h HINTS ${PC_SpeexDSP_INCLUDE_DIRS})
find_library(SpeexDSP_LIBRARY speexdsp HINTS ${PC_SpeexDSP_LIBRARY_DIRS})
set(SpeexDSP_VERSION "${PC_SpeexDSP_VERSION}")
find_package_handle_standard_args(
  SpeexDSP
  REQUIRED_VARS SpeexDSP_LIBRARY SpeexDSP_INCLUDE_DIR
  VERSION_VAR SpeexDSP_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install libspeexdsp-dev.")
mark_as_advanced(SpeexDSP_INCLUDE_DIR SpeexDSP_LIBRARY)
if(SpeexDSP_FOUND AND NOT TARGET SpeexDSP::SpeexDSP)
  add_library(SpeexDSP::SpeexDSP UNKNOWN IMPORTED)
  set_target_properties(
    SpeexDSP::SpeexDSP PROPERTIES IMPORTED_LOCATION "${SpeexDSP_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${SpeexDSP_INCLUDE_DIR}")
endif()
