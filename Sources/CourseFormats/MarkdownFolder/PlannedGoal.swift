/// A goal to be made from entries of a folder.
struct PlannedGoal: Equatable {
  /// The title, or `nil` to use the title of the entry.
  var title: String?
  /// The entry that becomes the goal, or `nil` if several adjacent entries share the goal.
  var entry: PageEntry?
  /// The entries that become lessons.
  var lessons: [PageEntry]

  /// Makes a goal from an entry. The text of its own page becomes the first lesson.
  init(of entry: PageEntry) {
    var own = entry
    own.children = []
    own.folder = nil
    self.init(entry: entry, lessons: (entry.isGroup ? [] : [own]) + entry.children)
  }

  init(title: String? = nil, entry: PageEntry? = nil, lessons: [PageEntry]) {
    (self.title, self.entry, self.lessons) = (title, entry, lessons)
  }

  /// Determines the goals for the entries at the top level.
  ///
  /// An entry with children becomes a goal, and the text of its own page becomes the first lesson. Adjacent entries
  /// without children share a goal, or several goals of at most 12 entries each. If there is only one entry and it has
  /// children, it is replaced by its own page and its children.
  ///
  /// - Parameters:
  ///   - entries: The entries at the top level.
  ///   - course: The title of the course.
  ///   - title: Returns the title of an entry.
  static func goals(of entries: [PageEntry], course: String, title: (PageEntry) -> String) -> [PlannedGoal] {
    var entries = entries
    while entries.count == 1, let root = entries.first, !root.children.isEmpty {
      var own = root
      own.children = []
      entries = (root.isGroup ? [] : [own]) + root.children
    }
    var goals: [PlannedGoal] = []
    var bare: [PageEntry] = []
    func closeBare() {
      let titles = bare.map(title)
      for range in GoalGrouping.groups(of: titles, isMatter: { isFrontOrBackMatter(bare[$0]) }) {
        let isAll = range.count == entries.count && range.count > 1
        goals.append(
          PlannedGoal(title: isAll ? course : GoalGrouping.name(of: titles[range]), lessons: Array(bare[range])))
      }
      bare = []
    }
    for entry in entries {
      if entry.children.isEmpty {
        bare.append(entry)
      } else {
        closeBare()
        goals.append(PlannedGoal(of: entry))
      }
    }
    closeBare()
    return goals
  }

  /// Returns whether an entry is front or back matter, such as a preface or a glossary.
  static func isFrontOrBackMatter(_ entry: PageEntry) -> Bool {
    if let title = entry.title, matterNames.contains(title.lowercased()) { return true }
    guard let page = entry.page else { return false }
    let name = PageKeys.unnumberedName(of: SourcePath.stem(of: SourcePath.name(of: page))).lowercased()
    return PageName.isIndexPage(page) || matterNames.contains(name) || isHousekeeping(page)
  }

  /// Returns whether a page is about the folder and not about the subject of the course, such as a licence.
  static func isHousekeeping(_ page: String) -> Bool {
    housekeeping.contains(SourcePath.stem(of: SourcePath.name(of: page)).lowercased().replacing("-", with: "_"))
  }

  private static let matterNames: Set<String> = [
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
