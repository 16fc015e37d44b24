import Foundation
import MediaBase
@testable import MediaFiles
import PictureFiles
import Synchronization
import TestSupport
import Testing

/// Films made by another program, of which it is known when they are bright and when they sound.
@Suite(.ownThread) struct MovieFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Two seconds at 25 pictures a second: bright and with a tone in the second half of each second, dark and silent in the
  /// first.
  private func film(_ name: String, _ encoding: [String]) throws -> String {
    let path = folder.path(name)
    let bright = "color=black:s=320x180:r=25:d=2,geq=lum='if(lt(mod(T\\,1)\\,0.5)\\,30\\,200)':cb=110:cr=150"
    let tone = "aevalsrc='0.4*sin(2*PI*1000*t)*gte(mod(t\\,1)\\,0.5)':d=2:s=44100"
    try FFmpegProgram.run(["-f", "lavfi", "-i", bright, "-f", "lavfi", "-i", tone] + encoding + [path])
    return path
  }

  private func isBright(_ pictures: MoviePictures, at seconds: Double) throws -> Bool? {
    try pictures.picture(at: seconds, width: 320, height: 180).map { picture in
      let middle = 90 * picture.strideY + 160
      return picture.planeY[middle] > 115
    }
  }

  private func isLoud(_ sound: MovieSound, at seconds: Double) throws -> Bool? {
    try sound.samples(at: Int64(seconds * 48_000), count: 480).map { samples in
      samples.contains { abs(Int($0)) > 3_000 }
    }
  }

  @Test(
    "pictures and sound stay together over the file's end and on",
    arguments: [
      ("a.mp4", ["-c:v", "mpeg4", "-q:v", "2", "-c:a", "aac"]),
      ("b.mkv", ["-c:v", "ffv1", "-c:a", "flac"]),
      ("c.webm", ["-c:v", "libvpx", "-b:v", "1M", "-deadline", "realtime", "-c:a", "libopus"]),
      ("d.mov", ["-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj422p", "-c:a", "pcm_s16be", "-ac", "1"]),
      ("e.ogv", ["-c:v", "libtheora", "-q:v", "8", "-c:a", "libvorbis", "-ac", "2"]),
      ("f.ts", ["-c:v", "libx264", "-c:a", "aac"]),
    ])
  func together(_ name: String, _ encoding: [String]) throws {
    let path = try film(name, encoding)
    let pictures = try MoviePictures(path: path, loops: true)
    let sound = try MovieSound(path: path, loops: true)
    #expect(abs(pictures.frameRate - 25) < 0.1)
    // The file is two seconds long to within a packet; each round adds that little.
    for step in 0..<24 {
      let half = step % 2 == 1
      let time = Double(step / 2) + (half ? 0.75 : 0.25)
      let (bright, loud) = (try isBright(pictures, at: time), try isLoud(sound, at: time))
      #expect(bright == half, "picture at \(time) s")
      #expect(loud == half, "sound at \(time) s")
    }
  }

  @Test func `a file that does not loop ends`() throws {
    let path = try film("a.mp4", ["-c:v", "mpeg4", "-c:a", "aac"])
    let pictures = try MoviePictures(path: path, loops: false)
    let sound = try MovieSound(path: path, loops: false)
    #expect(try isBright(pictures, at: 1.75) == true)
    #expect(try isLoud(sound, at: 1.75) == true)
    #expect(try isBright(pictures, at: 2.5) == nil)
    #expect(try isLoud(sound, at: 2.5) == nil)
  }

  @Test func `a source that is started in the middle begins there`() throws {
    let path = try film("a.mp4", ["-c:v", "mpeg4", "-c:a", "aac"])
    for time in [5.75, 4.25, 100.6] {
      let half = time.truncatingRemainder(dividingBy: 1) >= 0.5
      #expect(try isBright(try MoviePictures(path: path, loops: true), at: time) == half, "picture at \(time) s")
      #expect(try isLoud(try MovieSound(path: path, loops: true), at: time) == half, "sound at \(time) s")
    }
  }

  @Test(
    "colours are those of the file, whatever space it keeps them in",
    arguments: [
      (320, ["-c:v", "ffv1", "-pix_fmt", "bgra"]), (1_280, ["-c:v", "ffv1", "-pix_fmt", "yuv420p"]),
      (1_280, ["-c:v", "mjpeg", "-q:v", "1", "-pix_fmt", "yuvj444p"]),
      (320, ["-c:v", "ffv1", "-pix_fmt", "yuv422p10le"]),
    ])
  func colors(_ width: Int, _ encoding: [String]) throws {
    // R 200, G 80, B 40, which BT.601 writes as Y 112, Cb 93, Cr 184.
    let path = folder.path("colour.mkv")
    // JPEG knows BT.601 alone.
    let space = width >= 1_280 && !encoding.contains("mjpeg") ? "bt709" : "bt601"
    try FFmpegProgram.run(
      [
        "-f", "lavfi", "-i", "color=0xC85028:s=\(width)x\(width / 16 * 9 / 2 * 2):r=5:d=1,format=gbrp", "-vf",
        "scale=out_color_matrix=\(space)",
      ] + encoding + [path])
    let pictures = try MoviePictures(path: path, loops: true)
    let frame = try #require(try pictures.picture(at: 0.3, width: 320, height: 180))
    let color = [
      frame.planeY[90 * frame.strideY + 160], frame.planeU[45 * frame.strideUV + 80],
      frame.planeV[45 * frame.strideUV + 80],
    ]
    for (value, expected) in zip(color, [112, 93, 184]) { #expect(abs(Int(value) - expected) <= 3, "\(color)") }
  }

  @Test func `a film of a phone that was held upright is upright, as other programs show it`() throws {
    let flat = folder.path("flat.mp4")
    try FFmpegProgram.run([
      "-f", "lavfi", "-i", "color=black:s=320x180:r=5:d=1,drawbox=w=160:h=180:color=white:t=fill", "-c:v", "mpeg4",
      "-q:v",
      "2", flat,
    ])
    for degrees in [90, 180, 270] {
      let (path, expectedPath) = (folder.path("turned\(degrees).mp4"), folder.path("expected\(degrees).y4m"))
      try FFmpegProgram.run(["-i", flat, "-c", "copy", "-metadata:s:v:0", "rotate=\(degrees)", path])
      try FFmpegProgram.run(["-i", path, "-frames:v", "1", expectedPath])
      let expected = try #require(try Y4MReader(path: expectedPath).next())
      let pictures = try MoviePictures(path: path, loops: true)
      let frame = try #require(try pictures.picture(at: 0.5, width: expected.width, height: expected.height))
      #expect(frame.width == (degrees == 180 ? 320 : 180))
      #expect(largestDifference(frame, expected) < 10, "turned by \(degrees)")
    }
  }

  @Test func `a still picture is a film that does not move`() throws {
    let path = folder.path("still.png")
    try PNGFile.write(flatPicture(64, 64, y: 150), to: path)
    let pictures = try MoviePictures(path: path, loops: true)
    for time in [0, 0.5, 3, 60] {
      let frame = try #require(try pictures.picture(at: time, width: 64, height: 64))
      #expect(abs(Int(frame.planeY[100]) - 150) <= 2)
    }
  }

  @Test func `what cannot be played is said in words`() throws {
    let text = try folder.file("a.mp4", Array("this is a text, not a film, however long it may be".utf8))
    #expect(isUnsupported(failure { () throws(MediaDeviceError) in try MovieFile.checkPictures(path: text) }))
    let missing = failure { () throws(MediaDeviceError) in try MovieFile.checkSound(path: "/nowhere.mp4") }
    #expect(missing == .notFound(name: "/nowhere.mp4"))
    // Nobody writes into the pipe, and the device never ends.
    let pipe = folder.path("pipe.mp4")
    try #require(mkfifo(pipe, 0o600) == 0)
    for (path, kind) in [(pipe, "a pipe"), ("/dev/zero", "a device"), (folder.path(""), "a folder")] {
      let error = failure { () throws(MediaDeviceError) in _ = try MovieSound(path: path, loops: false) }
      #expect(isUnsupported(error, saying: "it is \(kind), not a file"), "\(path): \(error.map { "\($0)" } ?? "")")
    }
    let silent = folder.path("silent.mkv")
    try FFmpegProgram.run(["-f", "lavfi", "-i", "color=black:s=64x64:d=1", "-c:v", "ffv1", silent])
    let noSound = failure { () throws(MediaDeviceError) in try MovieFile.checkSound(path: silent) }
    #expect(isUnsupported(noSound, saying: "it has no sound"))
    // A list that names something of the network is not followed.
    let list = try folder.file(
      "list.m3u8",
      Array("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n".utf8))
    #expect(failure { () throws(MediaDeviceError) in try MovieFile.checkPictures(path: list) } != nil)
  }

  @Test func `damaged films are played or refused, and nothing else happens`() throws {
    let path = try film("a.mp4", ["-c:v", "mpeg4", "-c:a", "aac"])
    let original = try folder.bytes("a.mp4")
    var random = SystemRandomNumberGenerator()
    for round in 0..<20 {
      var damaged = original
      if round % 4 == 0 { damaged = Array(damaged.prefix(Int.random(in: 0..<damaged.count, using: &random))) }
      for _ in 0..<30 where !damaged.isEmpty {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let file = try folder.file("damaged.mp4", damaged)
      if let pictures = try? MoviePictures(path: file, loops: true) {
        for step in 0..<60 { _ = try? pictures.picture(at: Double(step) / 20, width: 320, height: 180) }
      }
      if let sound = try? MovieSound(path: file, loops: true) {
        for step in 0..<100 { _ = try? sound.samples(at: Int64(step * 960), count: 480) }
      }
    }
    _ = path
  }

  @Test func `sound whose channels and rate change in the middle plays on`() throws {
    var pieces: [UInt8] = []
    for (index, form) in [["-ac", "2"], ["-ac", "1"], ["-ac", "2", "-ar", "32000"]].enumerated() {
      let name = "\(index).mp2"
      try FFmpegProgram.run(
        ["-f", "lavfi", "-i", "sine=1000:d=1", "-ar", "48000"] + form + ["-c:a", "mp2", folder.path(name)])
      pieces += try folder.bytes(name)
    }
    let sound = try MovieSound(path: try folder.file("changing.mp2", pieces), loops: false)
    #expect(sound.channelCount == 2)
    for time in [0.5, 1.5, 2.5] {
      let samples = try #require(try sound.samples(at: Int64(time * 48_000), count: 4_800))
      let rises = stride(from: 2, to: samples.count, by: 2).count { samples[$0 - 2] < 0 && samples[$0] >= 0 }
      #expect((98...102).contains(rises), "\(rises) waves in 0.1 s at \(time) s")
      // The same on both sides, but for the decoder's dither.
      let differences = stride(from: 0, to: samples.count, by: 2).map { abs(Int(samples[$0]) - Int(samples[$0 + 1])) }
      #expect(differences.allSatisfy { $0 <= 2 }, "\(differences.max() ?? 0) at \(time) s")
    }
  }

  @Test(
    "a file whose times are beyond all sense is played or refused",
    arguments: ["200000000000000000", "9000000000000000000", "-200000000000000000"])
  func senselessTimes(_ shift: String) throws {
    let path = folder.path("late.mkv")
    // From the fourth packet on.
    let times = "setts=ts=PTS+if(gte(N\\,3)\\,\(shift)\\,0)"
    try FFmpegProgram.run(["-f", "lavfi", "-i", "sine=1000:d=1", "-c:a", "flac", "-bsf:a", times, path])
    let sound = try? MovieSound(path: path, loops: true)
    for place in 0..<300 { _ = try? sound?.samples(at: Int64(place * 480), count: 480) }
  }

  @Test func `both sources of a file play it in real time, with one beginning`() async throws {
    let path = try film("a.mp4", ["-c:v", "mpeg4", "-c:a", "aac"])
    let file = MovieFile(path: path)
    let seen = Mutex<[(time: MediaInstant, isBright: Bool)]>([])
    let heard = Mutex<[(time: MediaInstant, isLoud: Bool)]>([])
    try file.pictures.start(
      format: VideoCaptureFormat(width: 160, height: 90, frameRate: 60),
      sink: { frame in
        let isBright = frame.planeY[45 * frame.strideY + 80] > 115
        seen.withLock { $0.append((frame.captureTime, isBright)) }
      }, onFailure: { Issue.record($0) })
    try file.sound.start(
      sink: { frame in
        let isLoud = frame.samples.contains { abs(Int($0)) > 3_000 }
        heard.withLock { $0.append((frame.captureTime, isLoud)) }
      }, onFailure: { Issue.record($0) })
    while heard.withLock({ $0.count }) < 130 || seen.withLock({ $0.count }) < 30 {
      try await Task.sleep(for: .milliseconds(20))
    }
    file.pictures.stop()
    file.sound.stop()
    // The change from dark to bright comes with the beginning of the tone; a machine that is busy may show it late.
    let bright = try #require(seen.withLock { $0.first { $0.isBright }?.time })
    let loud = try #require(heard.withLock { $0.first { $0.isLoud }?.time })
    #expect(abs((bright - loud).seconds) < 0.25, "\((bright - loud).seconds) s apart")
  }
}
