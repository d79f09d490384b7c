public import LearningModel

/// Reads plain text files and folders of them.
public struct PlainTextReader: CourseReader {
  /// `text`.
  public let name = "text"
  /// A description for `waymark formats`.
  public let summary =
    "Plain text: files that end in .txt or .text, and files such as README without an extension. Lines are kept as they are."
  /// The text file that a source must have.
  public let needs = "a plain text, such as 'notes.txt'"
  /// The nodes that folders and files become.
  public let mapping = FormatMapping(
    goal: "a folder at the top", lesson: "a file, or a folder inside a folder",
    activity: "a file; of a long one with headings, its sections joined to sittings")

  /// Creates the reader.
  public init() {}

  /// Whether the source is a text file or a folder with one.
  public func recognises(_ source: CourseSource) -> Bool {
    guard !source.isFolder else { return PageFiles.Look(source).counts[.text] != nil }
    guard PageKind.text.isPage(source.name) || PlainText.isBareName(source.name) else { return false }
    guard let head = source.head(count: 1 << 12) else { return false }
    return Self.isText(head) && ForeignFormat.file(source.name, head: head) == nil
  }

  /// Whether a text has no control characters but those of printers and terminals.
  static func isText(_ head: String) -> Bool {
    head.contains { !$0.isWhitespace }
      && !head.unicodeScalars.contains { $0.value < 0x20 && !"\u{8}\t\n\u{C}\r\u{1B}".unicodeScalars.contains($0) }
  }

  /// Reads the whole source.
  ///
  /// - Throws: ``CourseFormatError``.
  public func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard recognises(source) || !source.isFolder && PageKind.text.isPage(source.name) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: needs)
    }
    var course = try FolderCourse(source, options: options, pages: .text)
    return try course.read(format: name)
  }
}
