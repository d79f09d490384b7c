import CoursePages
import LearningModel
import NavigationService

/// A numbered list, of which some is said at a time.
struct LinearList {
  /// Items that are said at once.
  static let portion = 20

  /// One thing to choose.
  struct Item: Hashable {
    enum Target: Hashable {
      case place(Place, cause: NavigationCause)
      case bundledCourse
      case note(PlacedNote)
    }

    var title: String
    /// What is said after the title.
    var words: String
    var target: Target
  }

  /// The lines before the items.
  var head: [String] = []
  var items: [Item] = []
  /// The lines behind the last item.
  var foot: [String] = []
  /// Whether it lies on top of the place, as what was found does.
  var isOnTop = false
  /// What its places were found for; `nil` where nothing was looked for.
  var foundFor: String?
  /// Where an empty line leads once all of it is said; `nil` where it leads nowhere.
  var onward: NavigationRequest?
  /// Where more of it comes from, once the items are all said.
  var more: HistoryCursor?
  private(set) var next = 0

  var hasMore: Bool { next < items.count }

  /// The next items with their numbers; behind the last one, what stands at the end.
  mutating func readOn() -> [String] {
    let end = min(items.count, next + Self.portion)
    defer { next = end }
    let lines = (next..<end).map { "\($0 + 1). \(SpokenWords.ended(items[$0].title)) \(items[$0].words)".trimmed }
    return lines + (end < items.count ? ["Enter or more: \(end + 1) to \(items.count)."] : foot)
  }

  /// Begins again.
  mutating func rewind() { next = 0 }

  /// The items that somebody means by a name: one with that title, else all whose titles begin so.
  func indices(named name: String) -> [Int] {
    let name = name.lowercased()
    let titles = items.map { $0.title.lowercased() }
    if let exact = titles.firstIndex(of: name) { return [exact] }
    return titles.indices.filter { titles[$0].hasPrefix(name) }
  }
}
