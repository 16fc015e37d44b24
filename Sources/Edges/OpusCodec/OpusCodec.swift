// OpusCodec: see docs/architecture.md.
