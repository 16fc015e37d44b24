import Glibc
public import MediaBase

extension MediaDeviceError {
  /// The system gives no thread for `name` (a device, a file): its limit of tasks or of memory is reached.
  public static func withoutThread(_ name: String) -> MediaDeviceError {
    .system(name: name, operation: "starting its thread", code: EAGAIN, detail: "the limit of threads is reached")
  }
}
