/// A goal of a folder's course, before it is a node.
struct GoalShape: Equatable {
  /// What it is called; `nil` where its page or folder says so.
  var title: String?
  /// The entry that it stands for; `nil` for neighbours that share it.
  var entry: PageEntry?
  /// What becomes its lessons.
  var lessons: [PageEntry]

  /// Makes goals of what stands at the top.
  ///
  /// An entry that holds others is a goal, a page's own text its first lesson. Neighbouring pages without any share one,
  /// or, where they are many, one for each 8 to 12 of them. A lone entry that holds all others is skipped.
  ///
  /// - Parameters:
  ///   - entries: What stands at the top.
  ///   - course: What the course is called.
  ///   - title: What an entry is called.
  static func goals(of entries: [PageEntry], course: String, title: (PageEntry) -> String) -> [GoalShape] {
    var entries = entries
    while entries.count == 1, let root = entries.first, !root.children.isEmpty {
      var own = root
      own.children = []
      entries = (root.isGroup ? [] : [own]) + root.children
    }
    var goals: [GoalShape] = []
    var bare: [PageEntry] = []
    func closeBare() {
      let titles = bare.map(title)
      for range in Neighbours.groups(of: titles, isMatter: { isMatter(bare[$0]) }) {
        let isAll = range.count == entries.count && range.count > 1
        goals.append(
          GoalShape(title: isAll ? course : Neighbours.name(of: titles[range]), lessons: Array(bare[range])))
      }
      bare = []
    }
    for entry in entries {
      if entry.children.isEmpty {
        bare.append(entry)
      } else {
        closeBare()
        var own = entry
        own.children = []
        own.folder = nil
        goals.append(
          GoalShape(title: nil, entry: entry, lessons: (entry.isGroup ? [] : [own]) + entry.children))
      }
    }
    closeBare()
    return goals
  }

  /// Whether a page stands before or behind what a course teaches.
  static func isMatter(_ entry: PageEntry) -> Bool {
    if let title = entry.title, matter.contains(title.lowercased()) { return true }
    guard let page = entry.page else { return false }
    let name = PageKeys.words(of: SourcePath.stem(of: SourcePath.name(of: page))).lowercased()
    return PageFiles.isOwnPage(page) || matter.contains(name) || isHousekeeping(page)
  }

  /// Whether a page is about the folder and not about what it teaches.
  static func isHousekeeping(_ page: String) -> Bool {
    housekeeping.contains(SourcePath.stem(of: SourcePath.name(of: page)).lowercased().replacing("-", with: "_"))
  }

  private static let matter: Set<String> = [
    "preface", "foreword", "about", "acknowledgements", "acknowledgments", "appendix", "glossary", "references",
    "bibliography", "credits", "colophon", "afterword", "index", "copyright", "dedication", "title", "cover",
    "title page", "titlepage", "half title", "copyright page", "imprint", "epigraph", "contents", "table of contents",
    "about the author", "about the authors", "also by", "notes", "endnotes", "uncopyright", "abbreviations",
  ]
  private static let housekeeping: Set<String> = [
    "license", "licence", "contributing", "code_of_conduct", "changelog", "changes", "security", "authors",
    "contributors", "support", "pull_request_template", "issue_template", "governance", "maintainers",
  ]
}
