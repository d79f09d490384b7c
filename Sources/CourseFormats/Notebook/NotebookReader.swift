public import LearningModel

/// Reads folders of Jupyter notebooks, or one notebook. They are pages as Markdown files are, and may stand among such.
///
/// Source: nbformat, "The Notebook file format"; Jupyter Book of its `_toc.yml`.
public struct NotebookReader: CourseReader {
  /// `jupyter`.
  public let name = "jupyter"
  /// What it is.
  public let summary = "Jupyter notebooks: a folder of them, with or without the _toc.yml of Jupyter Book, or one."
  /// What a folder has.
  public let needs = "a Jupyter notebook, such as 'notes.ipynb'"
  /// Folders and files.
  public let mapping = FormatMapping(
    goal: "a folder at the top, or a part of the navigation", lesson: "a notebook, or a folder inside a folder",
    activity: "a notebook; of a long one, its sections joined to sittings")

  /// Makes the reader.
  public init() {}

  /// A notebook, or a folder whose pages are notebooks. In a folder of Markdown they are pages of that.
  public func recognises(_ source: CourseSource) -> Bool {
    let look = PageFiles.Look(source)
    return look.hasNotebook && !look.hasTeachingMarkdown
  }

  /// Reads the whole folder.
  ///
  /// - Throws: ``CourseFormatError``.
  public func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard PageFiles.Look(source).hasNotebook else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: needs)
    }
    var course = try FolderCourse(source, options: options)
    return try course.read(format: name)
  }
}
