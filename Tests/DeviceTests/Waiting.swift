import Glibc
import MediaBase
import Synchronization

/// What a device's callbacks, on its own thread, left for the test.
final class Collected<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  func add(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
}

/// Whether the machine has a device file, such as in a guest with a virtual camera. Tests of real devices need it.
func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
