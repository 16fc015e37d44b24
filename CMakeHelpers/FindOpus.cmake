# Finds Opus (libopus): the target Opus::Opus, and Opus_FOUND, Opus_INCLUDE_DIR, Opus_LIBRARY, Opus_VERSION. Debian: libopus-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_Opus QUIET opus)
endif()
find_path(Opus_INCLUDE_DIR opus/opus.h HINTS ${PC_Opus_INCLUDE_DIRS})
find_library(Opus_LIBRARY opus HINTS ${PC_Opus_LIBRARY_DIRS})
set(Opus_VERSION "${PC_Opus_VERSION}")
find_package_handle_standard_args(
  Opus
  REQUIRED_VARS Opus_LIBRARY Opus_INCLUDE_DIR
  VERSION_VAR Opus_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install libopus-dev.")
mark_as_advanced(Opus_INCLUDE_DIR Opus_LIBRARY)
if(Opus_FOUND AND NOT TARGET Opus::Opus)
  add_library(Opus::Opus UNKNOWN IMPORTED)
  set_target_properties(
    Opus::Opus PROPERTIES IMPORTED_LOCATION "${Opus_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Opus_INCLUDE_DIR}")
endif()
