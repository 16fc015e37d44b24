import Glibc
import MediaBase

/// What this process uses of the system, from /proc.
public struct ProcessStatistics: Sendable {
  /// Threads, the main one included.
  public var threadCount = 0
  /// Open descriptors.
  public var fileDescriptorCount = 0
  /// Memory in RAM, in bytes.
  public var residentBytes = 0
  /// Processor time of all threads so far, user and system.
  public var cpuTime = MediaDuration.zero

  /// Zeros.
  public init() {}

  /// The present figures. Takes some tens of microseconds.
  public static func current() -> ProcessStatistics {
    var statistics = ProcessStatistics()
    statistics.threadCount = entries("/proc/self/task")
    // The listing's own descriptor is in the list.
    statistics.fileDescriptorCount = max(0, entries("/proc/self/fd") - 1)
    statistics.residentBytes = residentPages() * sysconf(Int32(_SC_PAGESIZE))
    statistics.cpuTime = time(of: CLOCK_PROCESS_CPUTIME_ID)
    return statistics
  }

  /// Processors that are online.
  public static var processorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  /// Processor time of the calling thread so far.
  public static func currentThreadCPUTime() -> MediaDuration { time(of: CLOCK_THREAD_CPUTIME_ID) }

  private static func time(of clock: clockid_t) -> MediaDuration {
    var time = timespec()
    clock_gettime(clock, &time)
    return MediaDuration(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  private static func entries(_ path: String) -> Int {
    guard let directory = opendir(path) else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while let entry = readdir(directory) {
      // "." and ".." are the only names here that begin with a dot.
      if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
    }
    return count
  }

  /// The second number of /proc/self/statm.
  private static func residentPages() -> Int {
    guard let text = ProcFile.read("/proc/self/statm") else { return 0 }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
  }
}
