// ALSAAudio: see docs/architecture.md.
