import TestSupport
import Testing

/// Everything with browsers and other programs, one after the other: together they take more than a small machine has.
@Suite("Interoperability", .serialized, .ownThread)
struct InteropTests {}
