import CMediaEngine
import MediaEngine

extension CallbackTarget {
  /// Shows a decoded picture to the program.
  func report(_ frame: RemoteVideoFrame) {
    frame.connection.channelID.withCString { channel in
      var picture = media_engine_remote_picture.make()
      picture.channel = channel
      picture.local_uid = UInt32(truncatingIfNeeded: frame.connection.localUID)
      picture.uid = UInt32(truncatingIfNeeded: frame.uid)
      picture.width = Int32(truncatingIfNeeded: frame.frame.width)
      picture.height = Int32(truncatingIfNeeded: frame.frame.height)
      picture.rotation = Int32(truncatingIfNeeded: frame.frame.rotation)
      picture.planes = (
        UnsafePointer(frame.frame.planeY), UnsafePointer(frame.frame.planeU), UnsafePointer(frame.frame.planeV)
      )
      let strideUV = Int32(truncatingIfNeeded: frame.frame.strideUV)
      picture.strides = (Int32(truncatingIfNeeded: frame.frame.strideY), strideUV, strideUV)
      picture.receive_time_ns = frame.receiveTime.nanoseconds
      withExtendedLifetime(frame.frame) { show(picture) }
    }
  }

  /// Lets the program hear a piece of sound.
  func report(_ observed: ObservedAudioFrame) {
    observed.frame.samples.withUnsafeBufferPointer { samples in
      var sound = media_engine_sound.make()
      sound.samples = samples.baseAddress
      sound.frame_count = Int32(truncatingIfNeeded: observed.frame.frameCount)
      sound.channel_count = Int32(truncatingIfNeeded: observed.frame.channelCount)
      sound.sample_rate = Int32(truncatingIfNeeded: observed.frame.sampleRate)
      sound.level = Int32(truncatingIfNeeded: observed.level)
      switch observed.position {
      case .recorded:
        sound.position = Int32(MEDIA_ENGINE_SOUND_RECORDED.rawValue)
        play(sound)
      case .playback:
        sound.position = Int32(MEDIA_ENGINE_SOUND_PLAYBACK.rawValue)
        play(sound)
      case .beforeMixing(let connection, let uid):
        sound.position = Int32(MEDIA_ENGINE_SOUND_REMOTE.rawValue)
        sound.local_uid = UInt32(truncatingIfNeeded: connection.localUID)
        sound.uid = UInt32(truncatingIfNeeded: uid)
        connection.channelID.withCString { channel in
          sound.channel = channel
          play(sound)
        }
      }
    }
  }
}
