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

  /// Returns what fits what was typed; before anything is typed, what is marked and where the learner goes most.
  func findings(for query: String) throws -> Findings {
    query.allSatisfy(\.isWhitespace) ? try known() : try search(query)
  }

  private func known() throws -> Findings {
    let isWanted = { [kind] (place: NamedPlace) in kind.map { place.kind == PlaceKind($0) } ?? true }
    let marks = try browser.navigation.bookmarks().filter(isWanted)
    let marked = Set(marks.map(\.place))
    let recents = try browser.navigation.recents(limit: 12).map(\.place)
      .filter { isWanted($0) && !marked.contains($0.place) }
    var entries = try (marks + recents).map { place in
      let card = try browser.navigation.card(of: .place(place.place))
      let visit = card.lastVisitAt.map { "You were here \(browser.dayNames.on($0))." } ?? "You were never here."
      return Entry(
        place: place,
        crumbs: crumbs(try browser.navigation.page(of: .place(place.place)).trail.dropFirst().map(\.title)),
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

  private func search(_ query: String) throws -> Findings {
    let result = try browser.library.search(query, kind: kind, limit: 50)
    let entries = try result.hits.map { hit in
      let place = try browser.navigation.place(named: .text(hit.path.description))
      let card = try browser.navigation.card(of: .place(place.place))
      return Entry(
        place: place, crumbs: hit.breadcrumb.isEmpty ? card.summary : crumbs(hit.breadcrumb),
        passage: passage(hit.snippet), state: state(of: card))
    }
    let courses = Set(result.hits.compactMap(\.path.slugs.first)).count
    let count =
      entries.isEmpty
      ? "nothing found"
      : Words.count(entries.count, "place") + (courses > 1 ? " in " + Words.count(courses, "course") : "")
    return Findings(
      entries: entries, summary: (result.didYouMean.map { "did you mean “\($0)”? " } ?? "") + count)
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
