// ICEAgent: see docs/architecture.md.
