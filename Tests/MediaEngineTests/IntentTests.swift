import ControlWire
import EngineCore
import Synchronization
import SyntheticMedia
import TestSupport
import Testing

@testable import MediaEngine

/// What follows from the application's calls, without any thread.
@Suite(.ownThread) struct IntentTests {
  private func intent(_ options: ChannelMediaOptions = ChannelMediaOptions(), role: ClientRole = .broadcaster)
    -> EngineIntent
  {
    var intent = EngineIntent(
      hasCamera: true, hasMicrophone: true, profile: .liveBroadcasting,
      encoder: VideoEncoderConfiguration(width: 640, height: 360, frameRate: 30))
    let handle = ConnectionHandle(
      id: intent.takeID(), isDefault: true, requested: RTCConnection(channelID: "a", localUID: 1), delegate: nil,
      joinSuccess: nil)
    intent.connections = [
      ConnectionIntent(handle: handle, options: options, role: role, profile: .liveBroadcasting, token: "")
    ]
    return intent
  }

  private func publish(_ intent: EngineIntent) -> TrackFlags {
    intent.wishes(of: intent.connections[0]).effectivePublish(profile: .liveBroadcasting)
  }

  @Test func `empty options publish and subscribe both tracks`() {
    let intent = intent()
    #expect(publish(intent) == TrackFlags(audio: true, video: true))
    #expect(intent.wishes(of: intent.connections[0]).subscribe.everyone == TrackFlags(audio: true, video: true))
  }

  @Test func `a limit of temporal layers and a stream's type of one user or everybody do not undo each other`() {
    var intent = intent()
    func subscription() -> Subscription { intent.wishes(of: intent.connections[0]).subscribe }
    #expect(subscription().everyoneLayers == nil && subscription().layers == nil)
    intent.connections[0].temporalLayerLimit = 1
    #expect(subscription().layers(of: 7) == VideoLayerLimit(temporal: 0))
    intent.connections[0].exceptions[7] = ConnectionIntent.SubscriptionException(streamType: .low)
    #expect(subscription().layers(of: 7) == VideoLayerLimit(spatial: 0, temporal: 0))
    #expect(subscription().layers(of: 8) == VideoLayerLimit(temporal: 0))
    intent.connections[0].exceptions[7]?.temporalLayerLimit = 4
    #expect(subscription().layers(of: 7) == VideoLayerLimit(spatial: 0))
    intent.connections[0].streamType = .layer1
    intent.connections[0].exceptions[7]?.streamType = nil
    intent.connections[0].exceptions[7]?.temporalLayerLimit = 2
    #expect(subscription().layers(of: 7) == VideoLayerLimit(spatial: 1, temporal: 1))
    #expect(subscription().users.isEmpty)
  }

  @Test func `an audience publishes nothing and runs no device, but its flags are kept`() {
    var intent = intent(role: .audience)
    #expect(publish(intent) == TrackFlags.none)
    #expect(intent.devices == DevicePlan())
    intent.connections[0].merge(ChannelMediaOptions(clientRoleType: .broadcaster))
    #expect(publish(intent) == TrackFlags(audio: true, video: true))
  }

  @Test func `muting keeps the device running, unpublishing does not`() {
    var intent = intent()
    intent.connections[0].isVideoMuted = true
    intent.connections[0].isAudioMuted = true
    #expect(publish(intent) == TrackFlags.none)
    #expect(intent.devices.video != nil)
    #expect(intent.devices.audio)
    intent.connections[0].merge(ChannelMediaOptions(publishCameraTrack: false, publishMicrophoneTrack: false))
    #expect(intent.devices == DevicePlan())
  }

  @Test func `what may become of received videos is said on every connection, present and future`() {
    let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:9"))
    defer { engine.destroy() }
    func fallbacks() -> [StreamFallbackOption?] {
      engine.runtime.intent.withLock { intent in intent.connections.map { intent.wishes(of: $0).subscribe.fallback } }
    }
    engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions())
    #expect(fallbacks() == [nil])
    #expect(engine.setRemoteSubscribeFallbackOption(.disabled) == 0)
    engine.joinChannelEx(
      token: nil, connection: RTCConnection(channelID: "b", localUID: 1), delegate: nil, options: ChannelMediaOptions())
    #expect(fallbacks() == [.disabled, .disabled])
  }

  /// What an engine's only connection publishes.
  private func published(_ engine: RTCEngine) -> TrackFlags? {
    engine.runtime.intent.withLock { intent in
      intent.connections.first.map { intent.wishes(of: $0).effectivePublish(profile: .liveBroadcasting) }
    }
  }

  private func engine() -> RTCEngine {
    RTCEngine(
      configuration: RTCEngineConfiguration(
        server: "ws://127.0.0.1:9", videoSource: TestPatternSource(), audioSource: ToneSource()))
  }

  @Test(arguments: [nil, true])
  func `a camera that was off when joining publishes only after the publish flag is set again`(flag: Bool?) {
    let engine = engine()
    defer { engine.destroy() }
    engine.enableLocalVideo(false)
    let options = ChannelMediaOptions(publishCameraTrack: flag, clientRoleType: .broadcaster)
    engine.joinChannel(token: nil, channelID: "a", uid: 1, options: options)
    #expect(published(engine) == TrackFlags(audio: true, video: false))
    engine.enableLocalVideo(true)
    #expect(published(engine) == TrackFlags(audio: true, video: false))
    #expect(engine.runtime.intent.withLock { $0.devices.video } == nil)
    engine.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: true))
    #expect(published(engine) == TrackFlags(audio: true, video: true))
  }

  @Test func `a camera that was turned off and on before joining is published`() {
    let engine = engine()
    defer { engine.destroy() }
    engine.enableLocalVideo(false)
    engine.enableLocalVideo(true)
    engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions(clientRoleType: .broadcaster))
    #expect(published(engine) == TrackFlags(audio: true, video: true))
  }

  @Test func `a microphone that was off when joining publishes as soon as it is on`() {
    let engine = engine()
    defer { engine.destroy() }
    engine.enableLocalAudio(false)
    engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions(clientRoleType: .broadcaster))
    #expect(published(engine) == TrackFlags(audio: false, video: true))
    #expect(engine.runtime.intent.withLock { $0.devices.audio } == false)
    engine.enableLocalAudio(true)
    #expect(published(engine) == TrackFlags(audio: true, video: true))
    #expect(engine.runtime.intent.withLock { $0.devices.audio })
  }

  @Test func `a preview runs the camera without publishing`() {
    var intent = intent(role: .audience)
    intent.isPreviewing = true
    #expect(intent.devices.video?.width == 640)
    #expect(!intent.devices.audio)
  }

  @Test func `the camera is asked for the largest of the configurations that use it`() {
    var intent = intent()
    intent.connections[0].encoder = VideoEncoderConfiguration(width: 320, height: 720, frameRate: 15)
    intent.isPreviewing = true
    #expect(intent.devices.video?.width == 640)
    #expect(intent.devices.video?.height == 720)
    #expect(intent.devices.video?.frameRate == 30)
  }

  @Test func `unset fields of an update leave the present values`() {
    var intent = intent()
    intent.connections[0].merge(ChannelMediaOptions(autoSubscribeVideo: false))
    #expect(publish(intent) == TrackFlags(audio: true, video: true))
    let wishes = intent.wishes(of: intent.connections[0])
    #expect(wishes.role == .broadcaster)
    #expect(wishes.subscribe.everyone == TrackFlags(audio: true, video: false))
  }

  @Test func `merged options have every field that the update sets`() {
    let update = ChannelMediaOptions(
      publishCameraTrack: false, publishMicrophoneTrack: false, autoSubscribeAudio: false, autoSubscribeVideo: false,
      clientRoleType: .broadcaster, audienceLatencyLevel: .lowLatency, enableAudioRecordingOrPlayout: false,
      channelProfile: .communication, token: "token", enableBuiltInMediaEncryption: true, audioDelayMilliseconds: 5,
      mediaEncryption: EncryptionConfiguration(key: "key"), isInteractiveAudience: true, isAudioFilterable: false,
      defaultVideoStreamType: .low, publishCustomVideoTrack: true, customVideoTrackID: 3,
      publishCustomAudioTrack: true, publishCustomAudioTrackID: 4, publishEncodedVideoTrack: false)
    // No field is forgotten here either.
    for (label, value) in Mirror(reflecting: update).children {
      #expect(Mirror(reflecting: value).displayStyle == .optional, "\(label ?? "")")
      #expect(Mirror(reflecting: value).children.count == 1, "\(label ?? "")")
    }
    var options = ChannelMediaOptions()
    options.merge(update)
    #expect(options == update)
    options.merge(ChannelMediaOptions())
    #expect(options == update)
  }

  @Test func `a mute of one user is an exception that a mute of everybody ends`() {
    var intent = intent()
    intent.connections[0].exceptions[9] = ConnectionIntent.SubscriptionException(video: false)
    #expect(intent.connections[0].subscription.wanted(of: 9) == TrackFlags(audio: true, video: false))
    #expect(intent.connections[0].subscription.wanted(of: 8) == TrackFlags(audio: true, video: true))
    intent.connections[0].muteEverybody(\.video, mute: false)
    #expect(intent.connections[0].subscription == Subscription(everyone: TrackFlags(audio: true, video: true)))
  }

  @Test func `without subscription one user can still be subscribed to`() {
    var intent = intent(ChannelMediaOptions(autoSubscribeAudio: false, autoSubscribeVideo: false))
    intent.connections[0].exceptions[9] = ConnectionIntent.SubscriptionException(audio: true)
    #expect(intent.connections[0].subscription.wanted(of: 9) == TrackFlags(audio: true, video: false))
    #expect(intent.connections[0].subscription.wanted(of: 8) == TrackFlags.none)
  }
}
