import MediaBase

/// What is wrong with the contents of a file, as the end of a sentence that begins "NAME cannot be used: ".
package struct MediaFormatError: Error, Equatable {
  /// The reason, without a full stop.
  package let detail: String

  /// Makes an error.
  package init(_ detail: String) { self.detail = detail }

  /// The same about a file of this name.
  package func inFile(_ name: String) -> MediaDeviceError { .unsupportedFormat(name: name, detail: detail) }
}
