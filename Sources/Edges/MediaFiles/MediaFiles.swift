// MediaFiles: see docs/architecture.md.
