# Finds libsoup 3 with the parts of GLib it needs: the target Soup3::Soup3, and Soup3_FOUND, Soup3_INCLUDE_DIRS,
# Soup3_LIBRARIES, Soup3_VERSION. Debian: libsoup-3.0-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_Soup3 QUIET libsoup-3.0)
endif()
set(Soup3_INCLUDE_DIRS ${PC_Soup3_INCLUDE_DIRS})
set(Soup3_LIBRARIES)
set(soup3_variables)
foreach(soup3_part soup-3.0 gio-2.0 gobject-2.0 glib-2.0)
  string(MAKE_C_IDENTIFIER "Soup3_${soup3_part}_LIBRARY" soup3_variable)
  find_library(${soup3_variable} ${soup3_part} HINTS ${PC_Soup3_LIBRARY_DIRS})
  mark_as_advanced(${soup3_variable})
  list(APPEND Soup3_LIBRARIES "${${soup3_variable}}")
  list(APPEND soup3_variables ${soup3_variable})
endforeach()
set(Soup3_VERSION "${PC_Soup3_VERSION}")
find_package_handle_standard_args(
  Soup3
  REQUIRED_VARS ${soup3_variables} Soup3_INCLUDE_DIRS
  VERSION_VAR Soup3_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install pkg-config and libsoup-3.0-dev.")
if(Soup3_FOUND AND NOT TARGET Soup3::Soup3)
  # Directories and libraries only: the flags of the .pc file are a C compiler's, and swiftc refuses them.
  add_library(Soup3::Soup3 INTERFACE IMPORTED)
  set_target_properties(
    Soup3::Soup3 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Soup3_INCLUDE_DIRS}" INTERFACE_LINK_LIBRARIES
                                                                                  "${Soup3_LIBRARIES}")
endif()
