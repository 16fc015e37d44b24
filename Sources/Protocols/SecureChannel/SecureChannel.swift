// SecureChannel: see docs/architecture.md.
