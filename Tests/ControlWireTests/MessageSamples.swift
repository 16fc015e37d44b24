import ControlWire
import Testing
import WebSocketIO

/// A message of any of the four kinds, with what is common to them.
struct MessageSample: Sendable, CustomTestStringConvertible {
  let text: String
  /// Decodes a text as a message of this kind, and encodes that again.
  let recode: @Sendable (String) throws(ControlMessageError) -> String
  /// Whether a text decodes to this message.
  let isEqual: @Sendable (String) -> Bool
  /// Members that may be left out.
  let optionalMembers: Set<String>

  var testDescription: String { String(text.prefix(60)) }

  init<Message: Codable & Hashable & Sendable>(_ message: Message, optional: Set<String> = []) {
    text = (try? ControlMessageCoding.encode(message)) ?? ""
    recode = { text throws(ControlMessageError) in
      let message = try ControlMessageCoding.decode(Message.self, from: text)
      return (try? ControlMessageCoding.encode(message)) ?? ""
    }
    isEqual = { (try? ControlMessageCoding.decode(Message.self, from: $0)) == message }
    optionalMembers = optional
  }
}

extension MessageSample {
  /// Objects whose members are named by whoever fills them.
  static let openObjects: Set<String> = ["users", "costs", "quality", "layers"]

  /// At least one of every message, with every optional member there once and missing once.
  static let all: [MessageSample] =
    [
      .init(ChannelRequest.join(join)), .init(ChannelRequest.leave),
      .init(
        ChannelRequest.join(
          JoinRequest(
            channel: "show", uid: 1, role: .broadcaster, publish: .none, subscribe: Subscription(everyone: .none),
            ice: ice,
            videoLayerCount: 3, isAudioFilterable: false)), optional: ["videoLayerCount", "isAudioFilterable"]),
      .init(
        ChannelResponse.joined(
          JoinedResponse(
            uid: 1, ice: ice, candidates: [], srtp: SRTPParameters(clientKey: "0f", serverKey: "f0"),
            ssrcs: TrackSSRCs(audio: 1, video: 2, videoRTX: 3), users: [],
            videoLayers: [VideoLayerSSRCs(video: 4, videoRTX: 5), VideoLayerSSRCs(video: 2, videoRTX: 3)])),
        optional: ["videoLayers", "rtp.captureTimeExtension"]),
      .init(ChannelRequest.update(UpdateRequest(requestID: .min))),
      .init(
        ChannelRequest.update(
          UpdateRequest(
            requestID: .max, role: .audience, publish: TrackFlags(audio: true, video: false),
            subscribe: Subscription(everyone: .none), token: "t\u{0}\"\\/\u{1F}é😀",
            mediaState: [.muteVideo, .enableVideo], isAudioFilterable: false)),
        optional: ["role", "publish", "subscribe", "token", "mediaState", "isAudioFilterable"]),
      .init(
        ChannelRequest.update(
          UpdateRequest(
            requestID: 2,
            subscribe: Subscription(
              everyone: .none, everyoneLayers: VideoLayerLimit(spatial: 1, temporal: 0),
              layers: ["7": VideoLayerLimit(spatial: 0, temporal: 2)]))),
        optional: [
          "subscribe", "subscribe.everyoneLayers", "subscribe.everyoneLayers.spatial",
          "subscribe.everyoneLayers.temporal",
          "subscribe.layers", "subscribe.layers.7.spatial", "subscribe.layers.7.temporal",
        ]),
      .init(
        ChannelRequest.update(
          UpdateRequest(requestID: 3, subscribe: Subscription(everyone: .none, fallback: .videoStreamLow))),
        optional: ["subscribe", "subscribe.fallback"]),
      .init(ChannelRequest.streamMessage(StreamMessageRequest(streamID: 1, sequence: .max, data: "00ff"))),
      .init(ChannelResponse.joined(joined), optional: ["rtp.captureTimeExtension"]),
      .init(ChannelResponse.updated(UpdatedResponse(requestID: 1))),
      .init(ChannelResponse.userJoined(user)),
      .init(ChannelResponse.userUpdated(UserUpdatedResponse(uid: .max, published: .none))),
      .init(
        ChannelResponse.userUpdated(UserUpdatedResponse(uid: 1, published: .none, mediaState: .usual)),
        optional: ["mediaState"]),
      .init(
        ChannelResponse.streamMessage(StreamMessageResponse(uid: 2, streamID: 5, sequence: .min, data: ""))),
      .init(ChannelResponse.userLeft(UserLeftResponse(uid: 0, reason: .becameAudience))),
      .init(ChannelResponse.videoPaused(VideoPausedResponse(uid: 3, isPaused: true))),
      .init(ChannelResponse.lowVideoRequested),
      .init(ChannelResponse.error(refusal), optional: ["requestID"]),
      .init(ChannelResponse.removed(ErrorResponse(code: .sameUIDLogin, message: ""))),
      .init(SignalRequest.login(LoginRequest(version: 99, uid: 1, token: "x"))), .init(SignalRequest.logout),
      .init(
        SignalRequest.login(LoginRequest(uid: 1, session: "0123456789abcdef", sequence: 4)),
        optional: ["session", "sequence"]),
      .init(SignalRequest.send(SendRequest(requestID: 3, to: 2, message: "{\"a\":[1,2]}"))),
      .init(
        SignalRequest.send(SendRequest(requestID: 3, to: 2, message: "x", timeToLive: 1)), optional: ["timeToLive"]),
      .init(SignalRequest.received(ReceivedRequest(sequence: .max))),
      .init(SignalRequest.renewToken(RenewTokenRequest(requestID: 5, token: ""))),
      .init(
        SignalRequest.report(
          ReportRequest(requestID: 6, callID: "c", kind: "ended", costs: ["a": 1], quality: ["q": 0.5])),
        optional: ["costs", "quality"]),
      .init(SignalResponse.updated(UpdatedResponse(requestID: 6))), .init(SignalResponse.tokenWillExpire),
      .init(SignalResponse.loggedIn(LoggedInResponse(uid: 7, resumed: true)), optional: ["resumed"]),
      .init(
        SignalResponse.message(ReceivedMessage(from: 2, message: "", sequence: 9, messageID: 3)),
        optional: ["sequence", "messageID"]),
      .init(SignalResponse.loggedIn(LoggedInResponse(uid: 7))),
      .init(SignalResponse.delivered(UpdatedResponse(requestID: -1))),
      .init(SignalResponse.error(refusal), optional: ["requestID"]),
      .init(SignalResponse.message(ReceivedMessage(from: 2, message: "\u{202E}\u{2028}e\u{301}"))),
      .init(SignalResponse.removed(ErrorResponse(code: .userOffline, message: "Gone."))),
    ]

  private static let ice = ICEParameters(usernameFragment: "c1Ab+d3F", password: "0123456789abcdefghijklmn")
  private static let refusal = ErrorResponse(code: .malformedMessage, message: "No.", requestID: 4)
  private static let user = ChannelUser(
    uid: 4_294_967_295, published: TrackFlags(audio: true, video: true),
    ssrcs: TrackSSRCs(audio: 0, video: .max, videoRTX: 3))
  private static let join = JoinRequest(
    channel: "show", uid: 1, token: "abc", profile: .communication, role: .broadcaster,
    publish: TrackFlags(audio: true, video: false),
    subscribe: Subscription(everyone: .none, users: ["17": TrackFlags(audio: true, video: true)]), ice: ice)
  private static let joined = JoinedResponse(
    uid: 1, ice: ice, candidates: [CandidateAddress(host: "127.0.0.1", port: .max)],
    srtp: SRTPParameters(clientKey: "0f", serverKey: "f0"), ssrcs: TrackSSRCs(audio: 1, video: 2, videoRTX: 3),
    users: [user])
}
