// ChannelCore: see docs/architecture.md.
