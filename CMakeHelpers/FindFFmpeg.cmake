# Finds FFmpeg's libraries: the target FFmpeg::FFmpeg, and FFmpeg_FOUND, FFmpeg_INCLUDE_DIR, FFmpeg_LIBRARIES,
# FFmpeg_VERSION (libavformat's). Debian: libavformat-dev libavcodec-dev libswscale-dev libswresample-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_FFmpeg QUIET libavformat)
endif()
find_path(FFmpeg_INCLUDE_DIR libavformat/avformat.h HINTS ${PC_FFmpeg_INCLUDE_DIRS})
set(FFmpeg_LIBRARIES)
set(ffmpeg_variables)
foreach(ffmpeg_part avformat avcodec avutil swscale swresample)
  find_library(FFmpeg_${ffmpeg_part}_LIBRARY ${ffmpeg_part} HINTS ${PC_FFmpeg_LIBRARY_DIRS})
  mark_as_advanced(FFmpeg_${ffmpeg_part}_LIBRARY)
  list(APPEND FFmpeg_LIBRARIES "${FFmpeg_${ffmpeg_part}_LIBRARY}")
  list(APPEND ffmpeg_variables FFmpeg_${ffmpeg_part}_LIBRARY)
endforeach()
set(FFmpeg_VERSION "${PC_FFmpeg_VERSION}")
find_package_handle_standard_args(
  FFmpeg
  REQUIRED_VARS ${ffmpeg_variables} FFmpeg_INCLUDE_DIR
  VERSION_VAR FFmpeg_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install libavformat-dev, libavcodec-dev, libswscale-dev and libswresample-dev.")
mark_as_advanced(FFmpeg_INCLUDE_DIR)
if(FFmpeg_FOUND AND NOT TARGET FFmpeg::FFmpeg)
  add_library(FFmpeg::FFmpeg INTERFACE IMPORTED)
  set_target_properties(
    FFmpeg::FFmpeg PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${FFmpeg_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES
                                                                                   "${FFmpeg_LIBRARIES}")
endif()
