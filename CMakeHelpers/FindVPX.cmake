# Finds VP8 and VP9 (libvpx): the target VPX::VPX, and VPX_FOUND, VPX_INCLUDE_DIR, VPX_LIBRARY, VPX_VERSION. Debian: libvpx-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_VPX QUIET vpx)
endif()
find_path(VPX_INCLUDE_DIR vpx/vpx_codec.h HINTS ${PC_VPX_INCLUDE_DIRS})
find_library(VPX_LIBRARY vpx HINTS ${PC_VPX_LIBRARY_DIRS})
set(VPX_VERSION "${PC_VPX_VERSION}")
find_package_handle_standard_args(
  VPX
  REQUIRED_VARS VPX_LIBRARY VPX_INCLUDE_DIR
  VERSION_VAR VPX_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install libvpx-dev.")
mark_as_advanced(VPX_INCLUDE_DIR VPX_LIBRARY)
if(VPX_FOUND AND NOT TARGET VPX::VPX)
  add_library(VPX::VPX UNKNOWN IMPORTED)
  set_target_properties(
    VPX::VPX PROPERTIES IMPORTED_LOCATION "${VPX_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${VPX_INCLUDE_DIR}")
endif()
