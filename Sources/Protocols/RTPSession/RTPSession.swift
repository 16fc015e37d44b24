// RTPSession: see docs/architecture.md.
