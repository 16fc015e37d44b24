// V4L2Capture: see docs/architecture.md.
