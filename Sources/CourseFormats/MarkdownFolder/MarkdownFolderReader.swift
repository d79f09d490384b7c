import LearningModel

/// Reads a Markdown file, or a folder of Markdown files. A file in the folder may determine their order.
///
/// Source: the documentation of each site generator, named at the function that reads its navigation.
struct MarkdownFolderReader: PageFolderReader {
  let name = "markdown"
  let summary =
    "Any folder of Markdown, also with notebooks in it: notes, a vault of Obsidian, a project of Quarto or bookdown, or a site of MkDocs, Jupyter Book, Docusaurus, VitePress, docsify, The Carpentries, Hugo, Jekyll, GitBook or DocC."
  let requirements = "a Markdown file, such as 'notes.md'"
  let mapping = FormatMapping(
    goal: "a folder at the top, or a part of the navigation", lesson: "a file, or a folder inside a folder",
    activity: "a page; for a long page, a group of its sections")
  let pages = PageKind.markdown

  /// Returns whether the source is a Markdown file, a text with Markdown whose name has no extension, or a folder that
  /// contains a Markdown file. A folder of HTML pages whose only Markdown file is a `README.md` is not recognised, and
  /// neither is a folder with more text in documents than in Markdown files.
  func recognises(_ source: CourseSource) -> Bool {
    let look = PageFiles.Overview(source)
    if look.hasIndex, !look.hasTeachingMarkdown { return false }
    return look.hasMarkdown && !look.isMostlyDocuments || Self.hasMarkdown(source)
  }

  func hasPages(_ source: CourseSource) -> Bool {
    let look = PageFiles.Overview(source)
    return look.hasMarkdown || look.hasNotebook || Self.hasMarkdown(source)
  }

  private static func hasMarkdown(_ source: CourseSource) -> Bool {
    guard !source.isFolder, PlainText.isBareName(source.name), let head = source.head(count: 64 << 10) else {
      return false
    }
    return PlainTextReader.isText(head) && !PlainText.isProgramOutput(head) && PlainText.hasMarkdown(head)
  }
}
