// OpenSSLCrypto: see docs/architecture.md.
