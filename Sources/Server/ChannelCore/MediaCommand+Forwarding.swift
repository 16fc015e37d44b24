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

extension ForwardingPeer {
  /// Nil if the keys are not 56 hexadecimal digits each.
  init?(_ peer: MediaPeer) {
    guard let incoming = SRTPKeyMaterial(hexadecimal: peer.srtp.clientKey),
      let outgoing = SRTPKeyMaterial(hexadecimal: peer.srtp.serverKey)
    else { return nil }
    self.init(
      client: peer.client,
      localCredentials: ICECredentials(
        usernameFragment: peer.localICE.usernameFragment, password: peer.localICE.password),
      remoteCredentials: ICECredentials(
        usernameFragment: peer.remoteICE.usernameFragment, password: peer.remoteICE.password),
      incomingKey: incoming, outgoingKey: outgoing, ssrcs: ForwardedSSRCs(peer.ssrcs))
  }
}

extension ForwardingRoute {
  init(_ route: MediaRoute) {
    self.init(
      subscriber: route.subscriber, publisher: route.publisher, ssrcs: ForwardedSSRCs(route.ssrcs),
      subscribed: ForwardedTracks(route.subscribed))
  }
}
