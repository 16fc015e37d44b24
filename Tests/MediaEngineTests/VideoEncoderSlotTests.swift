import MediaBase
import Testing

@testable import MediaEngine

@Suite struct VideoEncoderSlotTests {
  private static func encodes(_ slot: VideoEncoderSlot, at milliseconds: Int64) throws -> EncodedVideoFrame? {
    let frame = VideoFrame.flat(60, Int(milliseconds), width: 64, height: 64)
    frame.captureTime = MediaInstant(nanoseconds: 20_000_000_000) + .milliseconds(milliseconds)
    return try slot.encode(frame, availableBitrate: nil)
  }

  @Test func `pictures whose times go back are encoded, and key frames made, as soon as those times go on`() throws {
    let slot = VideoEncoderSlot(configuration: VideoEncoderConfiguration(width: 64, height: 64, frameRate: 10))
    #expect(try Self.encodes(slot, at: 0)?.isKeyFrame == true)
    slot.requestKeyFrame()
    #expect(try Self.encodes(slot, at: 9_000)?.isKeyFrame == true)
    // A little back, or the same picture again, is no other clock.
    #expect(try Self.encodes(slot, at: 9_000) == nil)
    #expect(try Self.encodes(slot, at: 8_950) == nil)
    slot.requestKeyFrame()
    #expect(try Self.encodes(slot, at: 100)?.isKeyFrame == true)
    #expect(try Self.encodes(slot, at: 120) == nil)
    #expect(try Self.encodes(slot, at: 200)?.isKeyFrame == false)
  }
}
