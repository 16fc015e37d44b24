# Finds Pango with Cairo, for text in pictures: the target Pango::Pango, and Pango_FOUND, Pango_INCLUDE_DIRS,
# Pango_LIBRARIES, Pango_VERSION. Debian: libpango1.0-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_Pango QUIET pangocairo)
endif()
set(Pango_INCLUDE_DIRS ${PC_Pango_INCLUDE_DIRS})
set(Pango_LIBRARIES)
set(pango_variables)
foreach(pango_part pangocairo-1.0 pango-1.0 gobject-2.0 glib-2.0 cairo)
  string(MAKE_C_IDENTIFIER "Pango_${pango_part}_LIBRARY" pango_variable)
  find_library(${pango_variable} ${pango_part} HINTS ${PC_Pango_LIBRARY_DIRS})
  mark_as_advanced(${pango_variable})
  list(APPEND Pango_LIBRARIES "${${pango_variable}}")
  list(APPEND pango_variables ${pango_variable})
endforeach()
set(Pango_VERSION "${PC_Pango_VERSION}")
find_package_handle_standard_args(
  Pango
  REQUIRED_VARS ${pango_variables} Pango_INCLUDE_DIRS
  VERSION_VAR Pango_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install pkg-config and libpango1.0-dev.")
if(Pango_FOUND AND NOT TARGET Pango::Pango)
  # Directories and libraries only: the flags of the .pc file are a C compiler's, and swiftc refuses them.
  add_library(Pango::Pango INTERFACE IMPORTED)
  set_target_properties(
    Pango::Pango PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Pango_INCLUDE_DIRS}" INTERFACE_LINK_LIBRARIES
                                                                                  "${Pango_LIBRARIES}")
endif()
