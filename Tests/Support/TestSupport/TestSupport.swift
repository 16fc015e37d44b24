// see docs/testing.md
