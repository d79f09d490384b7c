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

  /// A folder with a Markdown file in it, or one such file.
  public func recognises(_ source: CourseSource) -> Bool {
    PageFiles.Look(source).hasMarkdown
  }

  /// Reads the whole folder.
  ///
  /// - Throws: ``CourseFormatError``.
  public func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    let look = PageFiles.Look(source)
    guard look.hasMarkdown || look.hasNotebook else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: needs)
    }
    var course = try FolderCourse(source, options: options)
    return try course.read(format: name)
  }
}
