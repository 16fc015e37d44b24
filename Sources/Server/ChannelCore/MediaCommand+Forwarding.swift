import ControlWire
import ForwardingCore
import ICEAgent
import SecureChannel

// The control plane speaks ControlWire's types, the packet path its own: it knows no control protocol.

extension ForwardedTracks {
  init(_ flags: TrackFlags) { self.init(audio: flags.audio, video: flags.video) }
}

extension ForwardedSSRCs {
  init(_ ssrcs: TrackSSRCs) { self.init(audio: ssrcs.audio, video: ssrcs.video, videoRTX: ssrcs.videoRTX) }
}

extension ICECredentials {
  init(_ ice: ICEParameters) { self.init(usernameFragment: ice.usernameFragment, password: ice.password) }
}

extension ForwardingPeer {
  /// Nil if the keys are not 56 hexadecimal digits each.
  init?(_ peer: MediaPeer) {
    guard let security = ForwardingSecurity(peer.security) else { return nil }
    self.init(
      client: peer.client,
      localCredentials: ICECredentials(peer.localICE), remoteCredentials: ICECredentials(peer.remoteICE),
      security: security, ssrcs: ForwardedSSRCs(peer.ssrcs), format: peer.format)
    layers = peer.layers
    audioMediaID = peer.audioMediaID
    videoMediaID = peer.videoMediaID
    channel = peer.channel
    provedHost = peer.provedHost
  }
}

extension ForwardingSecurity {
  /// Nil if the keys are not 56 hexadecimal digits each.
  init?(_ security: MediaSecurity) {
    switch security {
    case .keys(let keys):
      guard let incoming = SRTPKeyMaterial(hexadecimal: keys.clientKey),
        let outgoing = SRTPKeyMaterial(hexadecimal: keys.serverKey)
      else { return nil }
      self = .keys(incoming: incoming, outgoing: outgoing)
    case .dtls(let fingerprint): self = .dtls(remoteFingerprint: fingerprint)
    }
  }
}

extension ForwardedFormat {
  init(_ rtp: RTPParameters) {
    self.init(
      opusPayloadType: rtp.opus, vp8PayloadType: rtp.vp8, rtxPayloadType: rtp.rtx,
      audioLevelExtensionID: rtp.audioLevelExtension, transportSequenceExtensionID: rtp.transportCCExtension)
    wantsTransportFeedback = rtp.transportCCExtension != 0
    sentCaptureTimeExtensionID = rtp.captureTimeExtension ?? 0
    wantsDownlinkReport = true
  }
}

extension ForwardingRoute {
  init(_ route: MediaRoute) {
    self.init(
      subscriber: route.subscriber, publisher: route.publisher, ssrcs: ForwardedSSRCs(route.ssrcs),
      subscribed: ForwardedTracks(route.subscribed), keepsNumbers: route.keepsNumbers)
  }
}

extension VideoFallback {
  init(_ option: StreamFallbackOption?) {
    self =
      switch option {
      case .disabled: .none
      case .videoStreamLow: .lowest
      case .audioOnly, nil: .audioOnly
      }
  }
}

extension LayerTarget {
  init(_ limit: VideoLayerLimit) {
    func byte(_ value: Int?) -> UInt8 { value.map { UInt8(clamping: $0) } ?? .max }
    self.init(spatial: byte(limit.spatial), temporal: byte(limit.temporal))
  }
}
