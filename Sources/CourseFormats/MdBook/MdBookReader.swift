public import LearningModel

/// Reads books of mdBook: a `book.toml`, a table of contents in `SUMMARY.md`, and pages of Markdown.
///
/// Source: the mdBook documentation, "Format", and its behaviour where that is silent.
public struct MdBookReader: CourseReader {
  /// `mdbook`.
  public let name = "mdbook"
  /// What it is.
  public let summary = "A book of mdBook, such as those of the Rust project: book.toml and src/SUMMARY.md."
  /// What a book has.
  public let needs = "a file 'book.toml'"
  /// Chapters by their depth, headings of pages.
  public let mapping = FormatMapping(
    goal: "a part; in a book without parts, a chapter", lesson: "a chapter; in a book without parts, a nested chapter",
    activity: "a page; of a long page, its sections joined to sittings")

  /// Makes the reader.
  public init() {}

  /// A folder with a `book.toml`.
  public func recognises(_ source: CourseSource) -> Bool {
    source.isFolder && source.hasFile("book.toml")
  }

  /// Reads the whole book.
  ///
  /// - Throws: ``CourseFormatError``.
  public func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard recognises(source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: needs)
    }
    var book = try Book(source, options: options)
    return try book.read(format: name)
  }
}
