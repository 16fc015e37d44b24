import LinuxIO
import MediaBase
import RTPSession
import Synchronization

/// From audio packets to sound: an inbox that the network thread fills, and a mixer that the playout's thread empties it
/// into every 10 ms. The playout runs only while somebody is heard.
final class AudioReceivePipeline: Sendable {
  struct Hooks: Sendable {
    /// The number of streams has become zero or stopped being zero.
    var playingChanged: @Sendable (Bool) -> Void
    /// The first sound of a user, or the first after a long pause, has been decoded.
    var firstDecoded: @Sendable (ConnectionHandle, UInt) -> Void
  }

  enum Input: Sendable {
    case open(StreamID, ConnectionHandle)
    case close(StreamID)
    case packet(StreamID, ReceivedAudioPacket, receiveTime: MediaInstant)
    /// Least delay of every stream of a connection.
    case delay(connectionID: Int, MediaDuration)
  }

  private struct State: Sendable {
    var inbox: [Input] = []
    var streams: Set<StreamID> = []
    /// Gains of 0 to 100 that differ from 100, also of users who are not there yet.
    var volumes: [StreamID: Int] = [:]
    /// Gain of everybody together.
    var masterVolume = 100
    /// Least delays by connection, where they differ from the usual one.
    var delays: [Int: MediaDuration] = [:]
    /// Of users who have been heard, also while nothing comes of them.
    var totals: [StreamID: AudioReceiveTotals] = [:]
    var tap: AudioFrameTap?
    var observer: AudioSendPipeline.Observer?
  }

  /// If nobody empties the inbox, the oldest packets go first.
  private static let longestInbox = 1_000

  private let state = Mutex(State())
  private let hooks: Hooks
  private let registry: CallbackRegistry
  private let mixer: AudioMixer

  init(hooks: Hooks, registry: CallbackRegistry, volumes: VolumeObserver) {
    self.hooks = hooks
    self.registry = registry
    mixer = AudioMixer(registry: registry, volumes: volumes)
  }

  /// The observer before, to be let go of by the caller.
  func setObserver(_ observer: AudioSendPipeline.Observer?) -> AudioSendPipeline.Observer? {
    state.withLock { state in
      defer { state.observer = observer }
      return state.observer
    }
  }

  /// Changes who gets the sound before and after mixing.
  func setTap(_ tap: AudioFrameTap?) { state.withLock { $0.tap = tap } }

  func setVolume(_ volume: Int, stream id: StreamID) {
    state.withLock { $0.volumes[id] = volume == 100 ? nil : volume }
  }

  /// Gain of everybody together, in percent.
  var masterVolume: Int { state.withLock { $0.masterVolume } }

  func setMasterVolume(_ volume: Int) { state.withLock { $0.masterVolume = volume } }

  /// The least delay of everything that is heard on a connection.
  func setMinimumDelay(_ delay: MediaDuration, connectionID: Int) {
    state.withLock { state in
      state.delays[connectionID] = delay
      // Streams that come later are opened with it.
      guard state.streams.contains(where: { $0.connectionID == connectionID }) else { return }
      state.inbox.removeAll { if case .delay(connectionID, _) = $0 { true } else { false } }
      state.inbox.append(.delay(connectionID: connectionID, delay))
    }
  }

  /// Forgets the volumes and totals of a connection that is gone.
  func forgetConnection(_ connectionID: Int) {
    state.withLock { state in
      state.volumes = state.volumes.filter { $0.key.connectionID != connectionID }
      state.totals = state.totals.filter { $0.key.connectionID != connectionID }
      state.delays[connectionID] = nil
    }
  }

  /// Something comes of a user, perhaps again.
  func open(_ id: StreamID, handle: ConnectionHandle) {
    let begins = state.withLock { state in
      guard state.streams.insert(id).inserted else { return false }
      state.inbox.append(.open(id, handle))
      if let delay = state.delays[id.connectionID] {
        state.inbox.append(.delay(connectionID: id.connectionID, delay))
      }
      state.totals[id] = state.totals[id] ?? AudioReceiveTotals()
      return state.streams.count == 1
    }
    if begins { hooks.playingChanged(true) }
  }

  /// Nothing comes of a user for now.
  func close(_ id: StreamID) {
    let ends = state.withLock { state in
      guard state.streams.remove(id) != nil else { return false }
      state.totals[id]?.delayMilliseconds = 0
      // What the mixer has not heard of goes without a trace; perhaps nobody empties the inbox any more.
      let isKnown = !state.inbox.contains { if case .open(id, _) = $0 { true } else { false } }
      state.inbox.removeAll { input in
        switch input {
        case .open(id, _), .packet(id, _, _): true
        default: false
        }
      }
      if isKnown { state.inbox.append(.close(id)) }
      return state.streams.isEmpty
    }
    if ends { hooks.playingChanged(false) }
  }

  /// A user has gone.
  func forget(_ id: StreamID) {
    close(id)
    state.withLock { $0.totals[id] = nil }
  }

  /// Takes a packet from the network thread.
  func push(_ packet: ReceivedAudioPacket, stream id: StreamID, receiveTime: MediaInstant) {
    state.withLock { state in
      guard state.streams.contains(id) else { return }
      if state.inbox.count >= Self.longestInbox,
        let oldest = state.inbox.firstIndex(where: { if case .packet = $0 { true } else { false } })
      {
        state.inbox.remove(at: oldest)
      }
      state.inbox.append(.packet(id, packet, receiveTime: receiveTime))
    }
  }

  /// How much waits for the mixer; for tests.
  var waitingCount: Int { state.withLock { $0.inbox.count } }

  func totals(of id: StreamID) -> AudioReceiveTotals? { state.withLock { $0.totals[id] } }

  /// Makes the next 10 ms, on the playout's thread.
  func fill(_ output: UnsafeMutableBufferPointer<Int16>) { registry.call { mix(into: output) } }

  private func mix(into output: UnsafeMutableBufferPointer<Int16>) {
    let (inbox, volumes, master, tap, observer) = state.withLock { state in
      defer { state.inbox.removeAll(keepingCapacity: true) }
      return (state.inbox, state.volumes, state.masterVolume, state.tap, state.observer)
    }
    mixer.take(inbox)
    mixer.mix(into: output, gains: volumes, masterGain: master, tap: tap, observer: observer)
    let now = MonotonicClock.now()
    var firsts: [(ConnectionHandle, UInt)] = []
    state.withLock { state in
      mixer.takeTotals { id, handle, totals in
        if state.totals[id]?.add(totals, now: now) == true { firsts.append((handle, id.uid)) }
      }
    }
    for (handle, uid) in firsts { hooks.firstDecoded(handle, uid) }
  }
}
