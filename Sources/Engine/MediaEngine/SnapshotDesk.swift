import Dispatch
import EngineCore
import LinuxIO
import MediaBase
import PictureFiles
import Synchronization

/// Takes the next picture of a stream and writes it to a file, on a queue of its own.
final class SnapshotDesk: Sendable {
  /// What came of it. The raw values are those of the SDKs.
  enum Outcome: Int, Sendable {
    case ok = 0
    case notWritten = -1
    case noStream = -2
    case tooOften = -3
  }

  struct Request: Sendable {
    let number: Int
    let handle: ConnectionHandle
    let uid: UInt
    let path: String
  }

  typealias Report = @Sendable (Request, _ width: Int, _ height: Int, Outcome) -> Void

  private struct State {
    var pending: [StreamID: Request] = [:]
    var lastTime: [StreamID: MediaInstant] = [:]
    var nextNumber = 1
  }

  /// How long a picture is waited for, and how far apart snapshots of one stream must be.
  private static let patience = MediaDuration.milliseconds(1_000)

  private let state = Mutex(State())
  private let pendingCount = Atomic<Int>(0)
  private let queue: DispatchQueue
  private let report: Report

  /// - Parameter queue: where files are written and patience ends; for tests.
  init(queue: DispatchQueue = DispatchQueue(label: "media-engine.snapshots"), report: @escaping Report) {
    self.queue = queue
    self.report = report
  }

  /// Asks for the next picture of a user of a connection; 0 is what this side publishes on it.
  func request(_ handle: ConnectionHandle, uid: UInt, path: String) {
    let id = StreamID(connectionID: handle.id, uid: uid)
    let now = MonotonicClock.now()
    let (request, isTooOften, overdue) = state.withLock { state -> (Request, Bool, Request?) in
      let request = Request(number: state.nextNumber, handle: handle, uid: uid, path: path)
      state.nextNumber += 1
      if let last = state.lastTime[id], now - last < Self.patience { return (request, true, nil) }
      state.lastTime = state.lastTime.filter { now - $0.value < Self.patience }
      state.lastTime[id] = now
      return (request, false, state.pending.updateValue(request, forKey: id))
    }
    if isTooOften { return report(request, 0, 0, .tooOften) }
    // One whose time is over, but which has not been given up yet, has its answer now.
    if let overdue { report(overdue, 0, 0, .noStream) } else { pendingCount.add(1, ordering: .relaxed) }
    queue.asyncAfter(deadline: .now() + .milliseconds(Int(Self.patience.milliseconds))) { [weak self] in
      self?.giveUp(request, id)
    }
  }

  /// How many pictures are waited for; for tests.
  var waitingCount: Int { pendingCount.load(ordering: .relaxed) }

  /// Shows a picture that goes by.
  func offer(_ frame: VideoFrame, of id: StreamID) {
    guard pendingCount.load(ordering: .relaxed) > 0 else { return }
    guard let request = state.withLock({ $0.pending.removeValue(forKey: id) }) else { return }
    pendingCount.subtract(1, ordering: .relaxed)
    queue.async { [report] in
      do throws(MediaDeviceError) {
        if request.path.hasSuffix(".png") {
          try PNGFile.write(frame, to: request.path)
        } else {
          try JPEGFile.write(frame, to: request.path)
        }
        let isTurned = frame.rotation == 90 || frame.rotation == 270
        report(request, isTurned ? frame.height : frame.width, isTurned ? frame.width : frame.height, .ok)
      } catch {
        report(request, 0, 0, .notWritten)
      }
    }
  }

  private func giveUp(_ request: Request, _ id: StreamID) {
    let isPending = state.withLock { state in
      guard state.pending[id]?.number == request.number else { return false }
      state.pending[id] = nil
      return true
    }
    guard isPending else { return }
    pendingCount.subtract(1, ordering: .relaxed)
    report(request, 0, 0, .noStream)
  }
}
