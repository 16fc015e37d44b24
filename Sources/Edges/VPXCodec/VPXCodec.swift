// VPXCodec: see docs/architecture.md.
