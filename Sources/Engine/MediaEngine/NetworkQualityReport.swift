/// How good the ways of one user are; `uid` 0 is the local user.
struct NetworkQualityReport: Equatable {
  var uid: UInt
  /// From the user to the server; of remote users as far as it shows in what comes here.
  var tx: NetworkQuality
  /// From the server to the user; not known of remote users.
  var rx: NetworkQuality
}
