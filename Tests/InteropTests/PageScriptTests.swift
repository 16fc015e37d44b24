import TestSupport
import Testing

/// The page's modules in a browser without media, one after the other: that leaves room for something beside it.
@Suite("Scripts of the page", .serialized, .ownThread)
struct PageScriptTests {}
