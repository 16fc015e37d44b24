/// The class of a STUN message (RFC 8489 section 5); the raw value has the bits C1 and C0.
public enum STUNMessageClass: UInt8, Sendable {
  case request = 0
  case indication = 1
  case successResponse = 2
  case errorResponse = 3
}
