import Foundation
public import MediaBase

/// Processor times of this process's threads.
public enum ThreadTimes {
  /// What all threads of a name have spent so far, by the scheduler's own count (nanoseconds).
  public static func cpuTime(named name: String) -> MediaDuration {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let times = threads.map { thread -> Int64 in
      guard read("/proc/self/task/\(thread)/comm") == name + "\n",
        let first = read("/proc/self/task/\(thread)/schedstat")?.split(separator: " ").first
      else { return 0 }
      return Int64(first) ?? 0
    }
    return MediaDuration(nanoseconds: times.reduce(0, +))
  }

  private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
