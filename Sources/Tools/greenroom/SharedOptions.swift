/// Options that several commands have.
enum SharedOptions {
  static let server = CommandSpecification.Option.optional(
    "--server", "URL", "the channel server", default: "ws://127.0.0.1:8080")

  static let trustedCertificates = CommandSpecification.Option.optional(
    "--ca", "FILE", "certificates (PEM) that sign a wss:// server's; without it those that the system trusts count")

  static let encryption: [CommandSpecification.Option] = [
    .optional(
      "--key", "TEXT", "encrypt between the ends with this key, which everybody needs and the server never gets"),
    .optional("--key-file", "FILE", "the same with the key in a file, which other users of this machine cannot see"),
  ]

  static let connection: [CommandSpecification.Option] =
    encryption + [
      server,
      .required("--channel", "NAME", "the channel"),
      .required("--uid", "N", "the local user's number, 1 to 4294967295"),
      .optional("--token", "TEXT", "proof of the right to join; not needed in development mode"),
      .optional("--profile", "live|communication", "what the channel is: a show, or a call", default: "live"),
      trustedCertificates,
    ]

  static let media: [CommandSpecification.Option] = [
    .optional("--video", "WHAT", MediaChoice.videoHelp, default: "camera"),
    .optional("--audio", "WHAT", MediaChoice.audioHelp, default: "mic"),
    .optional("--size", "WxH", "size of the pictures", default: "640x360"),
    .optional("--fps", "N", "pictures per second, 1 to 60", default: "30"),
    .optional("--kbps", "N", "video bit rate; 0 lets the engine choose", default: "0"),
  ]
}
