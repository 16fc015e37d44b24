// LinuxIO: see docs/architecture.md.
