/// Why a WebSocket could not be opened or has failed; `description` is a sentence for people.
public enum WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address is not a ws:// or wss:// URL.
  case invalidURL(String)
  /// Nobody listens there.
  case refused(url: String)
  /// The host's name is not known.
  case hostNotFound(url: String)
  /// No answer in time.
  case timedOut(url: String)
  /// Somebody answers, but does not speak WebSocket at this path.
  case notWebSocket(url: String, detail: String)
  /// The server's certificate is not one that is trusted.
  case notTrusted(url: String, detail: String)
  /// The file of trusted certificates cannot be used.
  case badCertificates(file: String, detail: String)
  /// The system or the library refused for another reason.
  case system(url: String, detail: String)

  /// What failed, why, and what to do.
  public var description: String {
    switch self {
    case .invalidURL(let url): "'\(url)' is not a WebSocket address. Use ws://HOST:PORT or wss://HOST:PORT."
    case .refused(let url): "Nobody listens at \(url). Is the server running, and is the port right?"
    case .hostNotFound(let url): "The host of \(url) is not known. Check its name and the network."
    case .timedOut(let url): "There is no answer from \(url). Check the address, the network and firewalls."
    case .notWebSocket(let url, let detail):
      "\(url) answers, but is not a Greenroom server (\(detail)). Check host and port."
    case .notTrusted(let url, let detail):
      "The certificate of \(url) is not trusted (\(detail)). Check the address, or name the certificate to be trusted."
    case .badCertificates(let file, let detail):
      "'\(file)' is not a file of certificates in PEM: \(detail)."
    case .system(let url, let detail): "\(url) cannot be reached: \(detail)."
    }
  }
}
