# Finds Hiredis (libhiredis): the target Hiredis::Hiredis, and Hiredis_FOUND, Hiredis_INCLUDE_DIR, Hiredis_LIBRARY, Hiredis_VERSION. Debian: libhiredis-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_Hiredis QUIET hiredis)
endif()
find_path(Hiredis_INCLUDE_DIR hiredis/hiredis.h HINTS ${PC_Hiredis_INCLUDE_DIRS})
find_library(Hiredis_LIBRARY hiredis HINTS ${PC_Hiredis_LIBRARY_DIRS})
set(Hiredis_VERSION "${PC_Hiredis_VERSION}")
find_package_handle_standard_args(
  Hiredis
  REQUIRED_VARS Hiredis_LIBRARY Hiredis_INCLUDE_DIR
  VERSION_VAR Hiredis_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install libhiredis-dev.")
mark_as_advanced(Hiredis_INCLUDE_DIR Hiredis_LIBRARY)
if(Hiredis_FOUND AND NOT TARGET Hiredis::Hiredis)
  add_library(Hiredis::Hiredis UNKNOWN IMPORTED)
  set_target_properties(
    Hiredis::Hiredis PROPERTIES IMPORTED_LOCATION "${Hiredis_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Hiredis_INCLUDE_DIR}")
endif()
