import Glibc
import MediaBase

/// Turns host names into addresses, as the system is set up to (hosts file, DNS).
public enum HostResolver {
  /// The addresses of `host`, the ones to try first in front, without repetition; an IP address gives itself.
  ///
  /// Blocks the calling thread, for seconds when the name service does not answer.
  public static func resolve(host: String, port: UInt16) throws(HostResolverError) -> [TransportAddress] {
    if let address = TransportAddress(host: host, port: port) { return [address] }
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    // Any one type: without it every address comes once for each.
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, nil, &hints, &list)
    guard status == 0 else { throw error(status, host: host) }
    defer { freeaddrinfo(list) }
    var addresses: [TransportAddress] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ai_next
      guard let raw = entry.pointee.ai_addr,
        var address = TransportAddress(socketAddress: UnsafeRawPointer(raw), length: entry.pointee.ai_addrlen)
      else { continue }
      address.port = port
      if !addresses.contains(address) { addresses.append(address) }
    }
    guard !addresses.isEmpty else { throw .notFound(host: host) }
    return addresses
  }

  private static func error(_ status: Int32, host: String) -> HostResolverError {
    // -5 is EAI_NODATA, which only GNU headers name.
    if status == EAI_NONAME || status == -5 { return .notFound(host: host) }
    let detail = gai_strerror(status).map { String(cString: $0) } ?? "error \(status)"
    return .unavailable(host: host, detail: detail)
  }
}
