internal import CourseLibrary
internal import LearningModel
internal import NavigationService
internal import TextCanvas

/// Finds places, and says of each what a row of the list says. What is typed is kept nowhere.
@MainActor struct Finder {
  /// One place that was found, or that is offered while nothing is typed.
  struct Entry: Hashable {
    var place: NamedPlace
    /// The titles of the places above it; its summary where there is none.
    var crumbs: [String]
    /// What is said below it where it is chosen; `nil` where that was not read yet.
    var passage: Passage?
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

  /// How many places are shown at most.
  nonisolated static let most = 50
  /// Of how many the passages are read with the search; those of the others when they are chosen.
  private nonisolated static let passages = 2
  /// Words of a passage: as many as the widest page shows.
  private nonisolated static let words = 24

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
    var searchedFor = ""
  }

  /// Searches; this may take longer than a frame, and needs no browser.
  ///
  /// - Throws: What the services throw; `CancellationError` where it was interrupted.
  static nonisolated func answer(
    to question: Question, in library: CourseLibrary, for navigation: NavigationService,
    until interruption: SearchInterruption
  ) throws -> Answer {
    let result = try library.search(
      question.query, kind: question.kind, limit: most, snippets: passages, length: words, until: interruption)
    let cards = try navigation.cards(of: result.hits.map(\.place))
    return Answer(
      hits: result.hits.compactMap { hit in cards[hit.place].map { (hit, $0) } }, didYouMean: result.didYouMean,
      searchedFor: result.searchedFor)
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
        crumbs: try browser.navigation.page(of: .place(place.place), with: .some(0, around: .index(0))).trail
          .dropFirst()
          .map(\.title),
        passage: Passage(visit, style: browser.appearance.theme[.quiet]), state: state(of: card))
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
    let entries = answer.hits.enumerated().map { index, found in
      Entry(
        place: found.card.place,
        crumbs: found.hit.breadcrumb.isEmpty ? [found.card.summary] : found.hit.breadcrumb,
        passage: index < Self.passages ? passage(found.hit.snippet) : nil, state: state(of: found.card))
    }
    let quotes = browser.appearance.symbols.quotes
    let meant = answer.didYouMean.map { "did you mean \(quotes.open)\($0)\(quotes.close)? " } ?? ""
    return Findings(entries: entries, summary: meant + count(of: answer))
  }

  private func count(of answer: Answer) -> String {
    let count = answer.hits.count
    if count == 0 { return "nothing found" }
    // There may be more that fit less well.
    if count >= Self.most { return "the best \(Self.most) places" }
    let courses = Set(answer.hits.compactMap(\.hit.path.slugs.first)).count
    return Words.count(count, "place") + (courses > 1 ? " in " + Words.count(courses, "course") : "")
  }

  /// Reads the passage of a place that was found.
  func passage(of place: Place, in answer: Answer) throws -> Passage {
    passage(try browser.library.snippet(of: place, for: answer.searchedFor, length: Self.words))
  }

  private func state(of card: Card) -> String {
    card.state == .notBegun ? "not begun" : CardModel(card).topRight
  }

  private func passage(_ snippet: Snippet) -> Passage {
    Passage(snippet, appearance: browser.appearance)
  }
}
