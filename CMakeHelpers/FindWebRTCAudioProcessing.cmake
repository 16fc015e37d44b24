# Finds webrtc_audio_processing: the target WebRTCAudioProcessing::WebRTCAudioProcessing, and WebRTCAudioProcessing_FOUND, WebRTCAudioProcessing_INCLUDE_DIR, WebRTCAudioProcessing_LIBRARY, WebRTCAudioProcessing_VERSION. Debian: libwebrtc-audio-processing-dev
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_WebRTCAudioProcessing QUIET webrtc-audio-processing)
endif()
find_path(WebRTCAudioProcessing_INCLUDE_DIR webrtc/modules/audio_processing/include/audio_processing.h HINTS ${PC_WebRTCAudioProcessing_INCLUDE_DIRS})
find_library(WebRTCAudioProcessing_LIBRARY webrtc_audio_processing HINTS ${PC_WebRTCAudioProcessing_LIBRARY_DIRS})
set(WebRTCAudioProcessing_VERSION "${PC_WebRTCAudioProcessing_VERSION}")
find_package_handle_standard_args(
  WebRTCAudioProcessing
  REQUIRED_VARS WebRTCAudioProcessing_LIBRARY WebRTCAudioProcessing_INCLUDE_DIR
  VERSION_VAR WebRTCAudioProcessing_VERSION
  REASON_FAILURE_MESSAGE "On Debian, install libwebrtc-audio-processing-dev.")
mark_as_advanced(WebRTCAudioProcessing_INCLUDE_DIR WebRTCAudioProcessing_LIBRARY)
if(WebRTCAudioProcessing_FOUND AND NOT TARGET WebRTCAudioProcessing::WebRTCAudioProcessing)
  add_library(WebRTCAudioProcessing::WebRTCAudioProcessing UNKNOWN IMPORTED)
  set_target_properties(
    WebRTCAudioProcessing::WebRTCAudioProcessing PROPERTIES IMPORTED_LOCATION "${WebRTCAudioProcessing_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${WebRTCAudioProcessing_INCLUDE_DIR}")
endif()
