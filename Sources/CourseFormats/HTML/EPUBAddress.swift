/// Where a reference in a book leads: a path inside it, and a place in the file.
struct EPUBAddress: Hashable {
  let path: String
  let fragment: String?

  init(path: String, fragment: String?) {
    self.path = path
    self.fragment = fragment
  }

  /// Reads a reference to a file of the book.
  ///
  /// - Parameters:
  ///   - reference: What the file says, percent-encoded or not.
  ///   - file: The file that says it.
  /// - Returns: `nil` where it leads out of the book.
  init?(_ reference: String, in file: String) {
    switch LinkTarget(reference) {
    case .anchor(let anchor):
      path = file
      fragment = anchor
    case .file(let name, let anchor):
      guard let path = Self.path(name, in: SourcePath.folder(of: file)), !name.isEmpty else { return nil }
      self.path = path
      fragment = anchor
    default: return nil
    }
  }

  /// A path as it is resolved in a book, of which no step leads out.
  ///
  /// Source: W3C, "EPUB 3.3", 4.2.5, "the container root URL".
  static func path(_ name: String, in folder: String) -> String? {
    SourcePath.resolve(name, in: folder, staysInside: true)
  }
}
