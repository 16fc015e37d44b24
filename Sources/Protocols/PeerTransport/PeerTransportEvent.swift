public import ICEAgent

/// What a transport reports: what its ICE agent does.
public typealias PeerTransportEvent = ICEEvent
