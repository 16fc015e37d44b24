import Foundation
public import MediaBase

/// This process's threads.
public enum ProcessThreads {
  /// The system's numbers of all threads of a name.
  public static func identifiers(named name: String) -> [Int32] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.filter { read("/proc/self/task/\($0)/comm") == name + "\n" }.compactMap { Int32($0) }
  }

  /// What all threads of a name have spent so far, by the scheduler's own count (nanoseconds).
  public static func cpuTime(named name: String) -> MediaDuration {
    let times = identifiers(named: name).map { thread -> Int64 in
      guard let first = read("/proc/self/task/\(thread)/schedstat")?.split(separator: " ").first else { return 0 }
      return Int64(first) ?? 0
    }
    return MediaDuration(nanoseconds: times.reduce(0, +))
  }

  private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
