// STUNWire: see docs/architecture.md.
