// RTPWire: see docs/architecture.md.
