// ForwardingCore: see docs/architecture.md.
