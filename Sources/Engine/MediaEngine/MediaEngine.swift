// MediaEngine: see docs/architecture.md.
