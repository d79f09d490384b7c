package import LearningModel

/// A page as an earlier import stored it.
package struct PageEdition: Sendable {
  /// An activity of the page.
  package struct Activity: Sendable {
    package let key: String
    package let title: String
    package let summary: String
    package let minutes: Int?
    package let content: ActivityContent

    package init(key: String, title: String, summary: String, minutes: Int?, content: ActivityContent) {
      self.key = key
      self.title = title
      self.summary = summary
      self.minutes = minutes
      self.content = content
    }
  }

  /// The title of the page's lesson.
  package let title: String
  /// The summary of the page's lesson.
  package let summary: String
  /// The activities in reading order, at least one.
  package let activities: [Activity]

  package init(title: String, summary: String, activities: [Activity]) {
    self.title = title
    self.summary = summary
    self.activities = activities
  }
}

/// The pages of a source that cannot be read.
///
/// A page that cannot be read does not make the import of a folder fail. If an earlier import has stored the page, its
/// last good edition is used. Otherwise the page is left out.
struct UnreadPages {
  private struct Page {
    let path: String
    let error: CourseFormatError
    let edition: PageEdition?
  }

  private let options: ReadOptions
  private let isFolder: Bool
  private var pages: [Page] = []
  private var indices: [String: Int] = [:]

  init(of source: CourseSource, options: ReadOptions) {
    self.options = options
    isFolder = source.isFolder
  }

  /// Whether a page that cannot be read makes the import fail.
  var isStrict: Bool { options.isStrict || !isFolder }

  /// Returns the last good edition of the page with a key. Returns `nil` if the page was never imported or if
  /// ``isStrict`` is `true`.
  ///
  /// - Parameter course: The key of the course.
  func lastEdition(of key: String, course: String) throws -> PageEdition? {
    isStrict ? nil : try options.lastEdition?(course, key)
  }

  /// Records a page that cannot be read. Recording it again has no effect.
  mutating func record(_ path: String, _ error: CourseFormatError, edition: PageEdition?) {
    guard indices[path] == nil else { return }
    indices[path] = pages.count
    pages.append(Page(path: path, error: error, edition: edition))
  }

  func contains(_ path: String) -> Bool { indices[path] != nil }

  /// The last good edition of a page that was recorded, or `nil` if it has none.
  subscript(path: String) -> PageEdition? { indices[path].flatMap { pages[$0].edition } }

  /// Adds the pages to the findings: as errors if the import must fail, otherwise as warnings, and counts them.
  ///
  /// - Parameter isNothingLeft: Whether no other page has a text.
  func report(to findings: inout Findings, isNothingLeft: Bool) {
    for page in pages {
      guard !isStrict else {
        findings.error(page.error)
        continue
      }
      let isShown = page.edition != nil
      findings.countLoss("page that cannot be read", isShown ? "shown as its last good edition" : "left out")
      guard !isNothingLeft else {
        findings.error(page.error)
        continue
      }
      findings.warning(
        page.path, page.error.diagnostic.line,
        page.error.diagnostic.message
          + (isShown ? " The last good edition of the page stays." : " The page is left out."))
    }
  }
}

extension DraftBuilder {
  /// Adds the activities of a page's last good edition to a lesson.
  ///
  /// - Parameter record: Called with the anchors of each activity and its index.
  mutating func add(
    _ edition: PageEdition, of path: String, to lesson: Int, record: (_ anchors: [String], _ index: Int) -> Void
  ) throws {
    for activity in edition.activities {
      let index = try add(
        DraftNode(
          parent: lesson, key: activity.key, kind: .activity, title: activity.title, summary: activity.summary,
          minutes: activity.minutes), file: path)
      recordAnchors(of: activity.content, at: index)
      var anchors: [String] = []
      if case .reading(let blocks) = activity.content {
        for case .heading(_, _, let anchor) in blocks { anchors.append(anchor) }
      }
      record(anchors, index)
      try store(edition: activity.content, at: index)
    }
  }
}
