import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Asks for the course, goal or lesson, or for the tag, to which the Review tab is limited.
@MainActor final class ReviewPlaceScreen: PromptScreen {
  /// The maximum number of children of a place that are listed.
  private static let maximumChildren = 200

  private let review: ReviewScreen
  /// The courses with cards, each followed by its goals and their lessons.
  private var places: [(place: NamedPlace, parents: String)] = []
  private var tags: [(tag: String, cards: Int)] = []
  /// The places and tags of the entries. Both are `nil` for all courses.
  private var listed: [(place: NamedPlace?, tag: String?)] = []

  init(_ review: ReviewScreen, context: ScreenContext, source: @escaping () -> CellRect) {
    self.review = review
    super.init(title: "Filter", context: context, source: source)
    context.trying {
      tags = try context.navigation.cards.tags()
      for course in try context.navigation.reviews.overview().courses { try add(course.place, parents: []) }
    }
  }

  private func add(_ place: NamedPlace, parents: [String]) throws {
    places.append((place, parents.joined(separator: " \(context.appearance.symbols.breadcrumbSeparator) ")))
    guard place.kind == .course || place.kind == .goal else { return }
    let children = try context.navigation.places.childSummaries(
      of: place.place, .some(Self.maximumChildren, around: .index(0)))
    for child in children.summaries where child.place.kind != .activity {
      try add(child.place, parents: parents + [place.title])
    }
  }

  override var prefix: String { "Only" }
  override var invitation: String {
    tags.isEmpty
      ? (metrics.isNarrow ? "a goal or a lesson" : "a course, a goal or a lesson")
      : (metrics.isNarrow ? "a goal, a lesson or a tag" : "a course, a goal, a lesson or a tag")
  }
  override var emptyMessage: String { "No place with cards has these words in its title. Ctrl-U clears them." }
  override var fieldKeys: [KeyHint]? { [KeyHint(context.appearance.symbols.enter, "apply"), KeyHint("Esc", "close")] }

  override func makeEntries() throws -> [Entry] {
    let text = field.text.folded
    let all: [(place: NamedPlace?, entry: Entry)] =
      review.placeName == nil || !text.isEmpty
      ? [] : [(nil, Entry(completion: "", name: "All courses", detail: "", topRight: ""))]
    let matches = places.filter { text.isEmpty ? $0.place.kind != .lesson : $0.place.title.folded.contains(text) }
    // Titles that begin with the text come first.
    let isBeginning = { (match: (place: NamedPlace, parents: String)) in match.place.title.folded.hasPrefix(text) }
    let sorted = matches.filter(isBeginning) + matches.filter { !isBeginning($0) }
    let entries =
      all
      + sorted.map { place, parents in
        let entry = Entry(
          completion: place.title, name: place.title, detail: parents,
          topRight: place == review.place ? "now" : place.noun.singular)
        return (place, entry)
      }
    let matchingTags = tags.filter { "tag:\($0.tag)".folded.contains(text) }
    let tagEntries = matchingTags.map { tag, count in
      Entry(
        completion: "tag:\(tag)", name: "tag:\(tag)", detail: DisplayFormat.count(count, "card"),
        topRight: tag == review.tag ? "now" : "tag")
    }
    listed = entries.map { ($0.place, nil) } + matchingTags.map { (nil, $0.tag) }
    return entries.map(\.entry) + tagEntries
  }

  override func submit() {
    guard listed.indices.contains(chosen) else { return }
    let (place, tag) = listed[chosen]
    close()
    review.show(only: place, tag: tag)
  }
}
