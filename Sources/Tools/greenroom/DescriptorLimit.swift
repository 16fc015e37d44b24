import Glibc

/// How many files and sockets the process may have open.
enum DescriptorLimit {
  /// Raises it as far as this user may: a server has a socket for each client, and shells grant 1,024 by default.
  static func raise() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
