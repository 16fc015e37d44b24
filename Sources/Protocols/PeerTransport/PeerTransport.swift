// PeerTransport: see docs/architecture.md.
