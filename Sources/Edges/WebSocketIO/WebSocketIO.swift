// WebSocketIO: see docs/architecture.md.
