/// The files of a book, each read once into its fingerprint.
struct EPUBFiles {
  let source: CourseSource
  /// The folder that the book is in, below the source.
  let top: String
  private(set) var digest = SourceDigest()

  init(_ source: CourseSource, top: String) {
    self.source = source
    self.top = top
  }

  /// Whether a file of that path is in the book.
  func has(_ path: String) -> Bool { !path.isEmpty && source.hasFile(SourcePath.join(top, path)) }

  /// The text of a file.
  ///
  /// - Throws: ``CourseFormatError`` where it is not there, is too large, or is no text.
  mutating func text(of path: String) throws -> String {
    do {
      let bytes = try source.bytes(of: SourcePath.join(top, path))
      digest.add(bytes, of: path)
      return try TextDecoding.decode(bytes, file: path)
    } catch CourseFormatError.fileMissing {
      // What is named in the book is named as the book has it.
      throw CourseFormatError.fileMissing(file: path)
    }
  }

  /// Parses a file that has to be well-formed for the book to be read at all.
  ///
  /// - Throws: ``CourseFormatError``.
  mutating func withRoot<Result>(of path: String, _ use: (HTMLNode) throws -> Result) throws -> Result {
    let text = try text(of: path)
    do {
      return try XMLTree.withRoot(of: text, strict: false, use)
    } catch let fault as XMLTree.Fault {
      throw CourseFormatError.malformed(
        file: path, line: fault.line, found: "it is no well-formed XML: \(fault.reason)",
        advice: "Get the book again, or correct the file.")
    }
  }
}

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
