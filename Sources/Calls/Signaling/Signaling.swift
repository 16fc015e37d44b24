// Signaling: see docs/architecture.md.
