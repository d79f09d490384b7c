import LearningModel

extension NavigationFiles {
  /// `SUMMARY.md`, as GitBook and HonKit have it, without the `book.toml` of mdBook.
  ///
  /// Source: HonKit, "Pages and Summary".
  static func summary(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    guard let file = files.first(of: ["SUMMARY.md"], in: folder), let text = files.text(of: file) else { return nil }
    // GitBook's parts are headings of the second level below the table's own title.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("##") ? "# " + line.drop { $0 == "#" }.trimmingBlanks : line
    }
    let summary = BookSummary(
      lines.joined(separator: "\n"), file: file, limits: files.source.limits, findings: &files.findings)
    func entries(_ chapters: [BookSummary.Chapter]) -> [PageEntry] {
      chapters.compactMap { chapter in
        var own =
          chapter.page.map {
            files.entry(page: $0, title: chapter.title, in: folder, file: file, line: chapter.line)
          } ?? PageEntry(title: chapter.title, line: chapter.line)
        own?.children = entries(chapter.nested)
        return own
      }
    }
    var all = entries(summary.before)
    for part in summary.parts {
      let chapters = entries(part.chapters)
      if let title = part.title {
        all.append(PageEntry(title: title.onOneLine, children: chapters, line: part.line))
      } else {
        all += chapters
      }
    }
    return FolderPlan(file: file, pages: folder, entries: all + entries(summary.after))
  }
}
