// EngineCore: see docs/architecture.md.
