import LearningModel

/// Reads a Jupyter notebook or a folder of notebooks. Notebooks are treated as pages like Markdown files, and a folder
/// may contain both.
///
/// Source: nbformat, "The Notebook file format"; for `_toc.yml`, Jupyter Book.
struct NotebookReader: PageFolderReader {
  let name = "jupyter"
  let summary = "Jupyter notebooks: a folder of them, with or without the _toc.yml of Jupyter Book, or one."
  let requirements = "a Jupyter notebook, such as 'notes.ipynb'"
  let mapping = FormatMapping(
    goal: "a folder at the top, or a part of the navigation", lesson: "a notebook, or a folder inside a folder",
    activity: "a notebook; for a long one, a group of its sections")
  let pages = PageKind.markdown
  let fileExtensions = ["ipynb": "a notebook"]

  /// Returns whether the source is a notebook, or a folder whose pages are notebooks. If a folder also contains
  /// Markdown files, the Markdown reader reads its notebooks.
  func recognises(_ source: CourseSource) -> Bool {
    let look = PageFiles.Overview(source)
    return look.hasNotebook && !look.hasTeachingMarkdown
  }

  func hasPages(_ source: CourseSource) -> Bool { PageFiles.Overview(source).hasNotebook }
}
