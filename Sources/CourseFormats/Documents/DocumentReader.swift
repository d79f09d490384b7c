public import LearningModel

/// Reads documents of other programs through pandoc, Asciidoctor and pdftotext.
public struct DocumentReader: CourseReader {
  /// `document`.
  public let name = "document"
  /// A description for `waymark formats`.
  public let summary =
    "Org, reStructuredText (also the source of a Sphinx documentation), LaTeX, Word (.docx), OpenDocument (.odt), RTF, MediaWiki and manual pages through pandoc, AsciiDoc through Asciidoctor, the text of a PDF through pdftotext, if the system has these programs."
  /// The document that a source must have.
  public let needs = "a document that pandoc, asciidoctor or pdftotext converts, such as 'notes.org'"
  /// The nodes that folders and files become.
  public let mapping = FormatMapping(
    goal: "a folder at the top, or a part of the toctree", lesson: "a document, or a folder inside a folder",
    activity: "a document; of a long one, its sections joined to sittings")

  /// Creates the reader.
  public init() {}

  /// Whether the source is such a document, or a folder with more of them than of HTML pages.
  public func recognises(_ source: CourseSource) -> Bool {
    guard source.isFolder else { return ForeignFormat.converted(source) != nil }
    let counts = PageFiles.Look(source).counts
    return counts[.document, default: 0] > counts[.html, default: 0] && ForeignFormat.package(source) == nil
  }

  /// Reads the whole source.
  ///
  /// - Throws: ``CourseFormatError``.
  public func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard source.isFolder ? PageFiles.Look(source).counts[.document] != nil : ForeignFormat.converted(source) != nil
    else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: needs)
    }
    var course = try FolderCourse(source, options: options, pages: .document)
    return try course.read(format: name)
  }
}
