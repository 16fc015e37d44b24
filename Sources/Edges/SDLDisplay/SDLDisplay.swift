// SDLDisplay: see docs/architecture.md.
