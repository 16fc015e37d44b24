import Glibc

/// Finds out who has a device open, for messages such as "in use by obs (1234)".
public enum DeviceHolder {
  /// Name and process number of a process that has `path` open, this one only if there is no other; `nil` if none is
  /// found. Processes of other users are usually hidden from it. Takes some milliseconds.
  public static func find(_ path: String) -> String? { find { $0 == path } }

  /// The same for any path that `matches`.
  public static func find(where matches: (String) -> Bool) -> String? {
    let own = "\(getpid())"
    let processes = ProcFile.names("/proc").filter { $0 != own && $0.allSatisfy(\.isNumber) }
    for process in processes + [own] {
      let descriptors = "/proc/\(process)/fd"
      let holds = ProcFile.names(descriptors).contains { ProcFile.target("\(descriptors)/\($0)").map(matches) ?? false }
      guard holds else { continue }
      let name = ProcFile.read("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
      return "\(name ?? "process") (\(process))"
    }
    return nil
  }
}
