import LearningModel

/// Reads folders of Jupyter notebooks, or one notebook. They are pages as Markdown files are, and may stand among such.
///
/// Source: nbformat, "The Notebook file format"; Jupyter Book of its `_toc.yml`.
struct NotebookReader: PageFolderReader {
  let name = "jupyter"
  let summary = "Jupyter notebooks: a folder of them, with or without the _toc.yml of Jupyter Book, or one."
  let needs = "a Jupyter notebook, such as 'notes.ipynb'"
  let mapping = FormatMapping(
    goal: "a folder at the top, or a part of the navigation", lesson: "a notebook, or a folder inside a folder",
    activity: "a notebook; of a long one, its sections joined to sittings")
  let pages = PageKind.markdown
  let hasWrittenKeys = true
  let hasWrittenAnchors = true

  /// A notebook, or a folder whose pages are notebooks. In a folder of Markdown they are pages of that.
  func recognises(_ source: CourseSource) -> Bool {
    let look = PageFiles.Look(source)
    return look.hasNotebook && !look.hasTeachingMarkdown
  }

  func hasPages(_ source: CourseSource) -> Bool { PageFiles.Look(source).hasNotebook }
}
