public import ChannelCore
public import ControlWire
import ForwardingCore

extension WebRTCOffer {
  /// What the directory needs to know besides `joinRequest(channel:uid:)`.
  ///
  /// - Parameters:
  ///   - receiveSSRCs: what a player will receive with, as in the answer; `nil` for a publisher.
  ///   - wantedUID: whom a player wants to see; `nil` for whoever is there.
  public func join(receiveSSRCs: TrackSSRCs?, wantedUID: UInt?) -> WebRTCJoin {
    var format = format
    format.wantsTransportFeedback = purpose == .publish && format.transportSequenceExtensionID != 0
    format.wantsReceiverEstimate =
      purpose == .publish && format.transportSequenceExtensionID == 0 && format.extensions.sendTimeID != 0
    var join = WebRTCJoin(
      fingerprint: fingerprint, format: format, sendSSRCs: sendSSRCs,
      receiveSSRCs: purpose == .play ? receiveSSRCs : nil, wantedUID: wantedUID)
    join.sendLayers = sendLayers
    if format.mediaIDExtensionID != 0 {
      join.audioMediaID = Array((audio?.identification ?? "").utf8)
      join.videoMediaID = Array((video?.identification ?? "").utf8)
    }
    return join
  }

  /// The request to join `channel`: a publisher as broadcaster who wants nothing, a player as audience.
  ///
  /// - Parameters:
  ///   - uid: 0 asks the server to choose.
  ///   - profile: must be the channel's, if others are in it already.
  public func joinRequest(
    channel: String, uid: UInt, token: String = "", profile: ChannelProfile = .liveBroadcasting
  ) -> JoinRequest {
    JoinRequest(
      channel: channel, uid: uid, token: token, profile: profile, role: purpose == .publish ? .broadcaster : .audience,
      publish: publishes, subscribe: Subscription(everyone: receives), ice: ice)
  }
}
