# Finds libv4l2: the target V4L2::V4L2, and V4L2_FOUND, V4L2_INCLUDE_DIR, V4L2_LIBRARY, V4L2_VERSION. Debian: libv4l-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_V4L2 QUIET libv4l2)
endif()
find_path(V4L2_INCLUDE_DIR libv4l2.h HINTS ${PC_V4L2_INCLUDE_DIRS})
find_library(V4L2_LIBRARY v4l2 HINTS ${PC_V4L2_LIBRARY_DIRS})
set(V4L2_VERSION "${PC_V4L2_VERSION}")
find_package_handle_standard_args(
  V4L2
  REQUIRED_VARS V4L2_LIBRARY V4L2_INCLUDE_DIR
  VERSION_VAR V4L2_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install libv4l-dev.")
mark_as_advanced(V4L2_INCLUDE_DIR V4L2_LIBRARY)
if(V4L2_FOUND AND NOT TARGET V4L2::V4L2)
  add_library(V4L2::V4L2 UNKNOWN IMPORTED)
  set_target_properties(
    V4L2::V4L2 PROPERTIES IMPORTED_LOCATION "${V4L2_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${V4L2_INCLUDE_DIR}")
endif()
