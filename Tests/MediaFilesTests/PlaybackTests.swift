import Foundation
import MediaBase
@testable import MediaFiles
import PictureFiles
import SyntheticMedia
import Testing

@Suite struct PlaybackTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A file whose picture `index` has the brightness 20 + 10 x `index`.
  private func clip(count: Int, frameRate: Int, width: Int = 64, height: Int = 64) throws -> String {
    let path = folder.path("clip.y4m")
    let writer = try Y4MWriter(path: path, width: width, height: height, frameRate: frameRate)
    for index in 0..<count { try writer.write(flatPicture(width, height, y: UInt8(20 + 10 * index))) }
    try writer.close()
    return path
  }

  private func format(_ frameRate: Int, _ width: Int = 64, _ height: Int = 64) -> VideoCaptureFormat {
    VideoCaptureFormat(width: width, height: height, frameRate: frameRate)
  }

  private func shown(_ playback: Y4MPlayback, _ indices: some Sequence<Int64>) throws -> [Int?] {
    try indices.map { index in try playback.frame(for: index).map { (Int($0.planeY[0]) - 20) / 10 } }
  }

  @Test func `every picture is shown at the file's own rate, over the end and on`() throws {
    let playback = try Y4MPlayback(path: clip(count: 3, frameRate: 30), format: format(30), loops: true)
    #expect(playback.rate.perSecond == 30)
    #expect(try shown(playback, 0..<8) == [0, 1, 2, 0, 1, 2, 0, 1])
  }

  @Test func `a lower rate leaves pictures out, so that time goes on as it was filmed`() throws {
    let playback = try Y4MPlayback(path: clip(count: 7, frameRate: 30), format: format(20), loops: true)
    #expect(playback.rate.perSecond == 20)
    #expect(try shown(playback, 0..<8) == [0, 1, 3, 4, 6, 0, 2, 3])
  }

  @Test func `a higher rate than the file's is not invented`() throws {
    let playback = try Y4MPlayback(path: clip(count: 2, frameRate: 10), format: format(60), loops: true)
    #expect(playback.rate.perSecond == 10)
  }

  @Test func `ticks that were missed are missed in the file too`() throws {
    let playback = try Y4MPlayback(path: clip(count: 10, frameRate: 30), format: format(30), loops: true)
    #expect(try shown(playback, [2, 3, 7, 19, 20]) == [2, 3, 7, 9, 0])
  }

  @Test func `a file that does not loop ends`() throws {
    let playback = try Y4MPlayback(path: clip(count: 2, frameRate: 30), format: format(30), loops: false)
    #expect(try shown(playback, 0..<4) == [0, 1, nil, nil])
  }

  @Test func `pictures come in the requested size`() throws {
    let playback = try Y4MPlayback(
      path: clip(count: 2, frameRate: 30, width: 176, height: 144), format: format(30, 640, 360), loops: true)
    for index in 0..<2 {
      let frame = try #require(try playback.frame(for: Int64(index)))
      #expect(frame.width == 640)
      #expect(frame.height == 360)
    }
  }

  @Test func `sizes and files that cannot be played are refused at once`() throws {
    let path = try clip(count: 1, frameRate: 30)
    let size = failure { () throws(MediaDeviceError) in
      _ = try Y4MPlayback(path: path, format: self.format(30, 0, 64), loops: true)
    }
    #expect(isUnsupported(size, saying: "0x64"))
    let empty = try folder.file("empty.y4m", Array("YUV4MPEG2 W64 H64 F30:1\n".utf8))
    let noPictures = failure { () throws(MediaDeviceError) in
      _ = try Y4MPlayback(path: empty, format: self.format(30), loops: true)
    }
    #expect(isUnsupported(noPictures, saying: "no pictures"))
  }

  private func wav(_ samples: [Int16], sampleRate: Int, channelCount: Int = 1) throws -> String {
    let path = folder.path("clip.wav")
    let writer = try WAVWriter(path: path, sampleRate: sampleRate, channelCount: channelCount)
    try writer.write(samples)
    try writer.close()
    return path
  }

  @Test func `sound at 48 kHz is passed on unchanged and loops without a gap`() throws {
    let path = try wav([1, 2, 3, 4, 5, 6, 7], sampleRate: 48_000)
    let playback = try WAVPlayback(path: path, loops: true)
    #expect(try playback.next(frameCount: 5) == [1, 2, 3, 4, 5])
    #expect(try playback.next(frameCount: 5) == [6, 7, 1, 2, 3])
    #expect(try playback.next(frameCount: 15)?.count == 15)
    let once = try WAVPlayback(path: path, loops: false)
    #expect(try once.next(frameCount: 5) == [1, 2, 3, 4, 5])
    #expect(try once.next(frameCount: 5) == [6, 7, 0, 0, 0])
    #expect(try once.next(frameCount: 5) == nil)
  }

  @Test(arguments: [8_000, 11_025, 16_000, 44_100, 96_000, 8_001], [1, 2])
  func `a tone keeps its frequency and level at 48 kHz`(sampleRate: Int, channelCount: Int) throws {
    let count = sampleRate * 2
    func sample(_ index: Int, _ rate: Int) -> Double { 10_000 * sin(2 * .pi * 1_000 * Double(index) / Double(rate)) }
    var input: [Int16] = []
    // The right channel, where there is one, is the left one upside down.
    for index in 0..<count {
      let value = Int16(sample(index, sampleRate).rounded())
      input.append(value)
      if channelCount == 2 { input.append(-value) }
    }
    let playback = try WAVPlayback(
      path: wav(input, sampleRate: sampleRate, channelCount: channelCount), loops: false)
    var output: [Int16] = []
    for _ in 0..<100 { output += try #require(try playback.next(frameCount: 480)) }
    #expect(output.count == 48_000 * channelCount)
    var worst = 0.0
    for index in 480..<48_000 {
      let expected = sample(index, 48_000)
      worst = max(worst, abs(Double(output[index * channelCount]) - expected))
      if channelCount == 2 { worst = max(worst, abs(Double(output[index * 2 + 1]) + expected)) }
    }
    // 40 dB below the tone.
    #expect(worst < 100, "\(worst)")
  }

  @Test func `a wav file without samples is refused`() throws {
    let path = try wav([], sampleRate: 48_000)
    #expect(isUnsupported(failure { () throws(MediaDeviceError) in _ = try WAVPlayback(path: path, loops: true) }))
  }
}
