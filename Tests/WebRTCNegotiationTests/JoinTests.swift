import ChannelCore
import ControlWire
import ForwardingCore
import Testing

@testable import WebRTCNegotiation

@Suite("Joins by WebRTC")
struct JoinTests {
  @Test("a publisher is a broadcaster who receives nothing")
  func publisher() throws {
    let offer = try ClientOffer.chromiumPublish.parsed()
    let request = offer.joinRequest(channel: "room", uid: 7)
    #expect(request.role == .broadcaster && request.publish == TrackFlags(audio: true, video: true))
    #expect(request.subscribe.everyone == .none && request.ice == offer.ice && request.uid == 7)
    let join = offer.join(receiveSSRCs: TrackSSRCs(audio: 1, video: 2, videoRTX: 3), wantedUID: nil)
    var format = offer.format
    format.wantsReceiverEstimate = true
    #expect(join.receiveSSRCs == nil && join.sendSSRCs == offer.sendSSRCs && join.format == format)
  }

  @Test("a player is audience who receives what it can")
  func player() throws {
    let offer = try ClientOffer.chromiumPlay.parsed()
    let request = offer.joinRequest(channel: "room", uid: 0)
    #expect(request.role == .audience && request.publish == .none)
    #expect(request.subscribe.everyone == TrackFlags(audio: true, video: true))
    let join = offer.join(receiveSSRCs: TrackSSRCs(audio: 1, video: 2, videoRTX: 3), wantedUID: 9)
    #expect(join.receiveSSRCs?.videoRTX == 3 && join.wantedUID == 9 && join.fingerprint == offer.fingerprint)
  }
}
