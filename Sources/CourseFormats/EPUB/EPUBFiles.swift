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
