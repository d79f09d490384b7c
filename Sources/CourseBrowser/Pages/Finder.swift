internal import CourseLibrary
internal import LearningModel
internal import NavigationService
internal import TextCanvas

/// Finds places, and says of each what a row of the list says. What is typed is kept nowhere.
@MainActor struct Finder {
  /// One place that was found, or that is offered while nothing is typed.
  struct Entry: Hashable {
    var place: NamedPlace
    var crumbs: String
    var passage: StyledText
    var state: String
    /// What it is listed as, over the first of its kind.
    var heading: String?
    var cause = NavigationCause.search
  }

  /// What was found, and how much that is.
  struct Findings {
    var entries: [Entry] = []
    var summary = ""
  }

  let browser: Browser
  /// Which kind of place; `nil` for all.
  var kind: ContentKind?

  /// What is looked for.
  struct Question: Hashable, Sendable {
    var query: String
    /// Which kind of place; `nil` for all.
    var kind: ContentKind?

    /// Whether nothing is typed yet.
    var isEmpty: Bool { query.allSatisfy(\.isWhitespace) }
  }

  /// What there is, before it is put into words and colours.
  struct Answer: Sendable {
    var hits: [(hit: SearchHit, card: Card)] = []
    var didYouMean: String?
  }

  /// Searches; this may take longer than a frame, and needs no browser.
  static nonisolated func answer(
    to question: Question, in library: CourseLibrary, for navigation: NavigationService
  ) throws -> Answer {
    let result = try library.search(question.query, kind: question.kind, limit: 50)
    let cards = try navigation.cards(at: result.hits.map(\.path))
    return Answer(
      hits: result.hits.compactMap { hit in cards[hit.path].map { (hit, $0) } }, didYouMean: result.didYouMean)
  }

  /// Returns what there is before anything is typed: what is marked, and where the learner goes most.
  func known() throws -> Findings {
    let isWanted = { [kind] (place: NamedPlace) in
      !place.isRemoved && kind.map { place.kind == PlaceKind($0) } ?? true
    }
    let marks = try browser.navigation.bookmarks().filter(isWanted)
    let marked = Set(marks.map(\.place))
    let recents = try browser.navigation.recents(limit: 12).map(\.place)
      .filter { isWanted($0) && !marked.contains($0.place) }
    var entries = try (marks + recents).map { place in
      let card = try browser.navigation.card(of: .place(place.place))
      let visit = card.lastVisitAt.map { "You were here \(browser.dayNames.on($0))." } ?? "You were never here."
      return Entry(
        place: place,
        crumbs: crumbs(
          try browser.navigation.page(of: .place(place.place), with: .some(0, around: .index(0))).trail.dropFirst()
            .map(\.title)),
        passage: StyledText(visit, style: browser.appearance.theme[.quiet]), state: state(of: card))
    }
    for index in marks.indices { entries[index].cause = .bookmark }
    if !marks.isEmpty {
      entries[0].heading = "Marked"
      if !recents.isEmpty { entries[marks.count].heading = "Where you go most" }
    }
    return Findings(
      entries: entries,
      summary: marks.isEmpty ? recents.isEmpty ? "" : "where you go most" : "\(marks.count) marked")
  }

  /// Puts an answer into words.
  func findings(of answer: Answer) -> Findings {
    let entries = answer.hits.map { hit, card in
      Entry(
        place: card.place, crumbs: hit.breadcrumb.isEmpty ? card.summary : crumbs(hit.breadcrumb),
        passage: passage(hit.snippet), state: state(of: card))
    }
    let courses = Set(answer.hits.compactMap(\.hit.path.slugs.first)).count
    let count =
      entries.isEmpty
      ? "nothing found"
      : Words.count(entries.count, "place") + (courses > 1 ? " in " + Words.count(courses, "course") : "")
    return Findings(
      entries: entries, summary: (answer.didYouMean.map { "did you mean “\($0)”? " } ?? "") + count)
  }

  private func crumbs(_ titles: [String]) -> String {
    titles.joined(separator: " \(browser.appearance.symbols.crumb) ")
  }

  private func state(of card: Card) -> String {
    card.state == .notBegun ? "not begun" : CardModel(card).topRight
  }

  private func passage(_ snippet: Snippet) -> StyledText {
    let theme = browser.appearance.theme
    return StyledText(
      snippet.parts.map { part in
        StyledRun(
          part.text.map { $0.isNewline ? " " : String($0) }.joined(), style: theme[part.isMatch ? .warn : .quiet])
      })
  }
}
