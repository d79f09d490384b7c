public import LearningModel

/// Reads books in EPUB 3 and 2.
///
/// Source: W3C, "EPUB 3.3" and "EPUB Reading Systems 3.3"; IDPF, "Open Packaging Format 2.0.1".
public struct EPUBReader: CourseReader {
  /// `epub`.
  public let name = "epub"
  /// What it is.
  public let summary = "A book in EPUB 3 or 2: the file, or the folder that it unpacks to."
  /// What a book has.
  public let needs = "a file 'META-INF/container.xml'"
  /// Entries of the table of contents by their depth.
  public let mapping = FormatMapping(
    goal: "an entry at the top of the table of contents", lesson: "an entry below it; of a flat book, each entry",
    activity: "the text of an entry; of a long one, its sections joined to sittings")

  /// Makes the reader.
  public init() {}

  /// A folder, or an archive, with a container in it; anything else by its name or its type.
  public func recognises(_ source: CourseSource) -> Bool {
    guard source.isFolder else { return SourcePath.hasExtension("epub", source.name) }
    return EPUBContainer.top(of: source) != nil || EPUBContainer.isTyped(source)
  }

  /// Reads the whole book.
  ///
  /// - Throws: ``CourseFormatError``.
  public func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard recognises(source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: needs)
    }
    guard source.isFolder else {
      throw CourseFormatError.malformed(
        file: source.name, line: nil, found: "it is called a book in EPUB and is no zip archive",
        advice: "Get the book again, for it was not saved whole.")
    }
    var book = try EPUBBook(source, options: options)
    return try book.read(format: name)
  }
}
