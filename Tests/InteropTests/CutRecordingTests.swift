import Foundation
import MediaBase
@testable import MediaFiles
import SyntheticMedia
import TestSupport
import Testing
import VPXCodec

extension InteropTests {
  /// What a crash leaves of a recording, played by a browser.
  @Suite("Recordings that were cut off, in Chromium", .serialized, .timeLimit(.minutes(5)))
  struct CutRecordingTests {
    /// The bytes of a recording of four seconds that has not been finished: 25 pictures a second and a tone.
    private static func unfinishedRecording() throws -> Data {
      let path = NSTemporaryDirectory() + "greenroom-cut-\(UUID().uuidString).webm"
      defer { try? FileManager.default.removeItem(atPath: path) }
      let recording = WebMRecording(path: path)
      let encoder = try VP8Encoder(
        configuration: VP8EncoderConfiguration(width: 160, height: 96, frameRate: 25, bitrateKilobitsPerSecond: 300))
      let pattern = TestPattern(width: 160, height: 96)
      let start = MediaInstant(nanoseconds: 50_000_000_000)
      for index in 0..<100 {
        let frame = pattern.frame(
          atSeconds: Double(index) / 25, captureTime: start + .milliseconds(Int64(index) * 40))
        let encoded = try encoder.encode(
          frame, timestamp: UInt32(index) * 3_600, forceKeyFrame: index.isMultiple(of: 25))
        try recording.add(#require(encoded), at: frame.captureTime)
        for step in 0..<4 {
          let offset = (index * 4 + step) * 480
          let samples = (offset..<offset + 480).flatMap { position -> [Int16] in
            let value = Int16(12_000 * sin(2 * .pi * 1_000 * Double(position) / 48_000))
            return [value, value]
          }
          try recording.add(samples, at: frame.captureTime + .milliseconds(Int64(step) * 10))
        }
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try recording.finish()
      return bytes
    }

    @Test("a recording that was cut off anywhere is played up to the cut, with its sound")
    func playsUpToTheCut() async throws {
      let server = try TestServer()
      let bytes = try Self.unfinishedRecording()
      let lone = try await LonePage("http://\(server.address)/")
      for part in [1, 0.93, 0.71] {
        let cut = bytes.prefix(Int(Double(bytes.count) * part) - 13)
        let played =
          try await lone.page.evaluate(
            """
            (async () => {
              const bytes = Uint8Array.from(atob('\(cut.base64EncodedString())'), (letter) => letter.charCodeAt(0))
              const video = document.createElement('video')
              document.body.append(video)
              video.playbackRate = 4
              video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }))
              const end = new Promise((resolve) => {
                video.onended = () => resolve('ended')
                video.onerror = () => resolve(`error ${video.error.code}: ${video.error.message}`)
                setTimeout(() => resolve('late'), 15000)
              })
              await video.play().catch(() => {})
              const how = await end
              const result = [
                how, video.videoWidth, video.currentTime, video.getVideoPlaybackQuality().totalVideoFrames,
                video.webkitAudioDecodedByteCount,
              ]
              video.remove()
              return result.join(' ')
            })()
            """) as? String ?? ""
        let fields = played.split(separator: " ")
        #expect(fields.count == 5 && fields[0] == "ended" && fields[1] == "160", "\(part): \(played)")
        guard fields.count == 5 else { continue }
        // What was not yet on the disk is at most the second that was being written.
        #expect((Double(fields[2]) ?? 0) > 4 * part - 1.2, "\(part): \(played)")
        #expect((Int(fields[3]) ?? 0) > 20 && (Int(fields[4]) ?? 0) > 10_000, "\(part): \(played)")
      }
    }
  }
}
