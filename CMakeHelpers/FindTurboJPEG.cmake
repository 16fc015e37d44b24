# Finds libturbojpeg: the target TurboJPEG::TurboJPEG, and TurboJPEG_FOUND, TurboJPEG_INCLUDE_DIR, TurboJPEG_LIBRARY, TurboJPEG_VERSION. Debian: libturbojpeg0-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_TurboJPEG QUIET libturbojpeg)
endif()
find_path(TurboJPEG_INCLUDE_DIR turbojpeg.h HINTS ${PC_TurboJPEG_INCLUDE_DIRS})
find_library(TurboJPEG_LIBRARY turbojpeg HINTS ${PC_TurboJPEG_LIBRARY_DIRS})
set(TurboJPEG_VERSION "${PC_TurboJPEG_VERSION}")
find_package_handle_standard_args(
  TurboJPEG
  REQUIRED_VARS TurboJPEG_LIBRARY TurboJPEG_INCLUDE_DIR
  VERSION_VAR TurboJPEG_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install libturbojpeg0-dev.")
mark_as_advanced(TurboJPEG_INCLUDE_DIR TurboJPEG_LIBRARY)
if(TurboJPEG_FOUND AND NOT TARGET TurboJPEG::TurboJPEG)
  add_library(TurboJPEG::TurboJPEG UNKNOWN IMPORTED)
  set_target_properties(
    TurboJPEG::TurboJPEG PROPERTIES IMPORTED_LOCATION "${TurboJPEG_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${TurboJPEG_INCLUDE_DIR}")
endif()
