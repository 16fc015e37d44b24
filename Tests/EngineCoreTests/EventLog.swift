import ControlWire
import EngineCore
import MediaBase

/// Events as short texts, so that a test reads like a transcript. Media itself is left out.
func transcript(_ events: [ConnectionEvent]) -> [String] {
  events.compactMap { event -> String? in
    switch event {
    case .stateChanged(let state, let reason): "state \(state.rawValue),\(reason.rawValue)"
    case .joined(let uid, _): "joined \(uid)"
    case .rejoined(let uid, _): "rejoined \(uid)"
    case .userJoined(let uid, _): "user \(uid) joined"
    case .userOffline(let uid, let reason): "user \(uid) offline \(reason.rawValue)"
    case .remoteVideoState(let uid, let state, let reason, _): "video \(uid) \(state.rawValue),\(reason.rawValue)"
    case .remoteAudioState(let uid, let state, let reason, _): "audio \(uid) \(state.rawValue),\(reason.rawValue)"
    case .firstRemoteVideoFrame(let uid, _): "first video \(uid)"
    case .firstRemoteAudioPacket(let uid, _): "first audio \(uid)"
    case .keyFrameNeeded: "key frame needed"
    case .lowKeyFrameNeeded: "low key frame needed"
    case .firstVideoPublished: "video published"
    case .firstAudioPublished: "audio published"
    case .roleChanged(let old, let new): "role \(old.rawValue) to \(new.rawValue)"
    case .tokenWillExpire(let token): "token \(token) ends"
    case .maySendData(let maySend): "data \(maySend ? "allowed" : "denied")"
    case .tokenRequested: "token wanted"
    case .tokenRenewed(let token, let result, _): "token \(token) renewed \(result.rawValue)"
    case .error(let code, _): "error \(code.rawValue)"
    case .left: "left"
    case .roleChangeFailed(let reason, let role): "role failed \(reason.rawValue), still \(role.rawValue)"
    case .userMediaState(let uid, let old, let new): "user \(uid) media \(old.rawValue)>\(new.rawValue)"
    case .streamMessage(let uid, let stream, let data): "data \(uid)/\(stream) \(data)"
    case .streamMessageError(let uid, let stream, let missed): "data \(uid)/\(stream) missed \(missed)"
    case .videoPaused(let uid, let isPaused): "video \(uid) \(isPaused ? "paused" : "resumed")"
    case .lowVideoRequested: "low video wanted"
    case .encryptionError(let uid, let type): "encryption \(uid) \(type.rawValue)"
    // Looked at by `streamStates`, `warnings`, and by counting.
    case .publishState, .subscribeState, .statisticsDue, .warning: nil
    case .videoFrame, .audioPacket: nil
    }
  }
}

/// The numbers of all warnings.
func warnings(_ events: [ConnectionEvent]) -> [Int] {
  events.compactMap { if case .warning(let code, _) = $0 { code.rawValue } else { nil } }
}
