// ChannelServer: see docs/architecture.md.
