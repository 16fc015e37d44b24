import MediaBase
import Testing

@testable import RTPSession

/// Pictures of one packet each, put in by hand.
@Suite struct VideoAssemblerTests {
  struct Bench {
    var assembler = VideoAssembler()
    var delivered: [UInt32] = []

    /// Inserts a picture whose number is its sequence number and timestamp.
    mutating func insert(
      _ number: UInt32, key: Bool = false, pictureID: UInt16? = nil, tl0: UInt8? = nil, layer: UInt8 = 0,
      sync: Bool = false
    ) {
      var packet = VideoPacket()
      packet.isFiller = false
      packet.data = key ? [0x50, 0, 0, 0x9D, 0x01, 0x2A, 16, 0, 16, 0] : [0x51, 0, 0]
      packet.timestamp = number
      packet.marker = true
      packet.startsPicture = true
      packet.isKeyFrame = key
      packet.pictureID = pictureID
      packet.tl0PicIdx = tl0
      packet.temporalID = layer
      packet.isLayerSync = sync
      var frames: [EncodedVideoFrame] = []
      assembler.insert(packet, at: 1_000 + Int64(number), now: .zero, into: &frames)
      delivered += frames.map(\.timestamp)
    }
  }

  @Test func aLayerIsWholeAgainAtItsSynchronisationPoint() {
    var bench = Bench()
    bench.insert(0, key: true, pictureID: 0, tl0: 0)
    // 1 of layer 1 is missing; 3 refers to it, 5 does not, 7 refers to 5.
    bench.insert(2, pictureID: 2, tl0: 1)
    bench.insert(3, pictureID: 3, tl0: 1, layer: 1)
    bench.insert(4, pictureID: 4, tl0: 2)
    bench.insert(5, pictureID: 5, tl0: 2, layer: 1, sync: true)
    bench.insert(6, pictureID: 6, tl0: 3)
    bench.insert(7, pictureID: 7, tl0: 3, layer: 1)
    #expect(bench.delivered == [0, 2, 4, 5, 6, 7])
    #expect(!bench.assembler.isWaitingForKeyFrame)
  }

  @Test func aLayerAboveABrokenOneStaysBroken() {
    var bench = Bench()
    bench.insert(0, key: true, pictureID: 0, tl0: 0)
    bench.insert(2, pictureID: 2, tl0: 1)
    // Layer 2 refers to layer 1, of which a picture is missing.
    bench.insert(3, pictureID: 3, tl0: 1, layer: 2)
    bench.insert(4, pictureID: 4, tl0: 1, layer: 2, sync: true)
    bench.insert(5, pictureID: 5, tl0: 1, layer: 2)
    #expect(bench.delivered == [0, 2, 4])
    bench.insert(6, pictureID: 6, tl0: 1, layer: 1, sync: true)
    bench.insert(7, pictureID: 7, tl0: 1, layer: 1)
    #expect(bench.delivered == [0, 2, 4, 6, 7])
  }

  @Test func aMissingPictureOfTheBaseLayerHoldsUpWhatFollows() {
    var bench = Bench()
    bench.insert(0, key: true, pictureID: 0, tl0: 255)
    bench.insert(2, pictureID: 2, tl0: 1)
    bench.insert(3, pictureID: 3, tl0: 2)
    #expect(bench.delivered == [0])
    bench.insert(1, pictureID: 1, tl0: 0)
    #expect(bench.delivered == [0, 1, 2, 3])
  }

  @Test func aCompleteKeyFrameNeedsNothingBeforeIt() {
    var bench = Bench()
    bench.insert(0, key: true, pictureID: 0, tl0: 0)
    bench.insert(2, pictureID: 2, tl0: 2)
    bench.insert(4, key: true, pictureID: 4, tl0: 4)
    bench.insert(5, pictureID: 5, tl0: 5)
    bench.insert(3, pictureID: 3, tl0: 3)
    bench.insert(1, pictureID: 1, tl0: 1)
    #expect(bench.delivered == [0, 4, 5])
  }

  @Test(arguments: [127, 32_767] as [UInt16]) func pictureIDsShowThatNothingIsMissingWhereNumbersHaveAHole(last: UInt16)
  {
    var bench = Bench()
    bench.insert(0, key: true, pictureID: last)
    // A sender with ids of 7 bits goes on with 0, as one of 15 does at its end.
    bench.insert(3, pictureID: 0)
    bench.insert(5, pictureID: 1)
    bench.insert(7, pictureID: 3)
    #expect(bench.delivered == [0, 3, 5])
  }

  @Test func withoutAnyIDsOnlyNumbersCount() {
    var bench = Bench()
    bench.insert(0, key: true)
    bench.insert(1)
    bench.insert(3)
    #expect(bench.delivered == [0, 1])
    bench.insert(2)
    #expect(bench.delivered == [0, 1, 2, 3])
  }

  @Test func anUnbrokenRowOfNumbersWithAHoleInTheBaseLayerIsABreak() {
    var bench = Bench()
    bench.insert(0, key: true, pictureID: 0, tl0: 0)
    bench.insert(1, pictureID: 5, tl0: 3)
    #expect(bench.assembler.isWaitingForKeyFrame && bench.assembler.hasBroken)
    bench.insert(2, pictureID: 6, tl0: 4)
    bench.insert(3, key: true, pictureID: 7, tl0: 5)
    #expect(bench.delivered == [0, 3])
  }

  @Test func aKeyFrameThatIsNoneIsNotLetThrough() {
    var bench = Bench()
    var packet = VideoPacket()
    packet.isFiller = false
    packet.data = [0x50, 1, 2]
    packet.marker = true
    packet.startsPicture = true
    packet.isKeyFrame = true
    var frames: [EncodedVideoFrame] = []
    bench.assembler.insert(packet, at: 500, now: .zero, into: &frames)
    #expect(frames.isEmpty && bench.assembler.isWaitingForKeyFrame)
  }
}
