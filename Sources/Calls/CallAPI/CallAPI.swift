// CallAPI: see docs/architecture.md.
