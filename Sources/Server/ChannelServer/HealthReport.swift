import ControlWire

/// What `GET /healthz` answers anybody.
struct HealthReport: Encodable {
  var status = "ok"
  /// Version of the control protocol.
  var protocolVersion = ControlProtocol.version
}
