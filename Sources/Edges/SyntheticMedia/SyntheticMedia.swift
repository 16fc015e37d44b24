// SyntheticMedia: see docs/architecture.md.
