import TextCanvas

extension String {
  /// This text with every line made harmless for a terminal, its line ends kept.
  var harmlessLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map(\.harmless).joined(separator: "\n")
  }
}
