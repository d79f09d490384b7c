public import LearningModel

/// Reads folders of Markdown files, with or without a file that gives their order.
///
/// Source: what each generator of sites says of its navigation, named where that is read.
public struct MarkdownFolderReader: CourseReader {
  /// `markdown`.
  public let name = "markdown"
  /// What it is.
  public let summary =
    "Any folder of Markdown, also with notebooks in it: notes, or a site of MkDocs, Jupyter Book, Docusaurus, The Carpentries, Hugo, Jekyll, GitBook or DocC."
  /// What a folder has.
  public let needs = "a Markdown file, such as 'notes.md'"
  /// Folders and files.
  public let mapping = FormatMapping(
    goal: "a folder at the top, or a part of the navigation", lesson: "a file, or a folder inside a folder",
    activity: "a page; of a long page, its sections joined to sittings")

  /// Makes the reader.
  public init() {}

  /// Whether the source is a Markdown file, a text without an extension that has Markdown in it, or a folder with a
  /// Markdown file. A folder of HTML pages with nothing but a `README.md` is not one.
  public func recognises(_ source: CourseSource) -> Bool {
    let look = PageFiles.Look(source)
    if look.hasIndex, !look.hasTeachingMarkdown { return false }
    return look.hasMarkdown || Self.hasMarkdown(source)
  }

  private static func hasMarkdown(_ source: CourseSource) -> Bool {
    guard !source.isFolder, PlainText.isBareName(source.name), let head = source.head(count: 64 << 10) else {
      return false
    }
    return PlainTextReader.isText(head) && !PlainText.isProgramOutput(head) && PlainText.hasMarkdown(head)
  }

  /// Reads the whole folder.
  ///
  /// - Throws: ``CourseFormatError``.
  public func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    let look = PageFiles.Look(source)
    guard look.hasMarkdown || look.hasNotebook || Self.hasMarkdown(source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: needs)
    }
    var course = try FolderCourse(source, options: options)
    return try course.read(format: name)
  }
}
