# Finds libyuv, which has no .pc file on Debian: the target YUV::YUV, and YUV_FOUND, YUV_INCLUDE_DIR, YUV_LIBRARY, YUV_VERSION. Debian: libyuv-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_YUV QUIET libyuv)
endif()
find_path(YUV_INCLUDE_DIR libyuv.h HINTS ${PC_YUV_INCLUDE_DIRS})
find_library(YUV_LIBRARY yuv HINTS ${PC_YUV_LIBRARY_DIRS})
set(YUV_VERSION "${PC_YUV_VERSION}")
find_package_handle_standard_args(
  YUV
  REQUIRED_VARS YUV_LIBRARY YUV_INCLUDE_DIR
  VERSION_VAR YUV_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install libyuv-dev.")
mark_as_advanced(YUV_INCLUDE_DIR YUV_LIBRARY)
if(YUV_FOUND AND NOT TARGET YUV::YUV)
  add_library(YUV::YUV UNKNOWN IMPORTED)
  set_target_properties(
    YUV::YUV PROPERTIES IMPORTED_LOCATION "${YUV_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${YUV_INCLUDE_DIR}")
endif()
