import TestSupport
import Testing

/// Everything that runs real engines, one after the other: some tests count the threads of the process.
@Suite(.serialized, .ownThread) struct EngineTests {}
