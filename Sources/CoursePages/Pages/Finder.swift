package import CourseKit
package import LearningModel
package import NavigationKit
package import TextCanvas

/// Searches for places and formats the results as list entries. Does not store queries.
package struct Finder {
  /// A search result, or a suggestion while the query is empty.
  package struct Entry: Hashable {
    package var place: NamedPlace
    /// The title, with the matches marked.
    package var title: Snippet
    /// The kind of place; for an activity, its type.
    package var kind: String
    /// The titles of the ancestors. For a place without ancestors, a single element: the summary of the place or, if it
    /// has none, the number of its activities (`52 activities`).
    package var breadcrumb: [String]
    /// The excerpt that shows why the entry was found, or `nil` if it has not been loaded.
    package var passage: Passage?
    /// The progress of the place.
    package var card: CardModel
    /// The heading above the first entry of a section.
    package var heading: String?
    package var cause = NavigationCause.search
    /// The learner's note that was found, or `nil` for a place.
    package var note: PlacedNote?
    /// Whether the place is a quiz that the learner has never finished. Its passage must not contain answers.
    package var hidesAnswers = false
  }

  /// The entries and a summary of the search.
  package struct Results {
    package var entries: [Entry] = []
    /// The number of results, preceded by the suggested correction of the query if there is one, in several forms from
    /// the longest to the shortest. The longest that fits is shown.
    package var summaries: [String] = []

    package init(entries: [Entry] = [], summaries: [String] = []) {
      self.entries = entries
      self.summaries = summaries
    }
  }

  /// The maximum number of places shown.
  package static let maximumPlaces = 50
  /// The maximum number of notes shown. The list of notes shows all notes.
  package static let maximumNotes = 2
  /// The length of a passage in words. A passage of this length fills a line on the widest page.
  private static let passageWords = 24

  package let library: CourseLibrary
  package let days: RelativeDateFormat
  package let appearance: Appearance

  package init(library: CourseLibrary, days: RelativeDateFormat, appearance: Appearance) {
    self.library = library
    self.days = days
    self.appearance = appearance
  }

  package struct Query: Hashable, Sendable {
    package var query = ""
    /// The kind of place, or `nil` for all kinds.
    package var kind: ContentKind?
    /// The course that the learner is in, or `nil` at the list of courses.
    package var course: NamedPlace?
    /// Whether only ``course`` is searched. If `false`, all courses are searched, and the results of ``course`` come
    /// first.
    package var isRestrictedToCourse = false

    package init(
      query: String = "", kind: ContentKind? = nil, course: NamedPlace? = nil, isRestrictedToCourse: Bool = false
    ) {
      self.query = query
      self.kind = kind
      self.course = course
      self.isRestrictedToCourse = isRestrictedToCourse
    }

    /// Whether the query is blank.
    package var isEmpty: Bool { query.allSatisfy(\.isWhitespace) }
  }

  /// The data of a search, before it is formatted.
  package enum Outcome: Sendable {
    /// The results of a query.
    case hits(
      hits: [(hit: SearchHit, card: PlaceSummary)], didYouMean: String?, searchedFor: String, isWhole: Bool,
      notes: [(note: PlacedNote, card: PlaceSummary)] = [], counts: KindCounts? = nil)
    /// The suggestions while the query is empty.
    case suggestions(Shortcuts, isWhole: Bool)
    /// No results have arrived yet.
    case nothing

    /// Whether the search index is complete. If it is `false`, the index must be updated.
    package var isComplete: Bool {
      switch self {
      case .hits(_, _, _, let isWhole, _, _), .suggestions(_, let isWhole): isWhole
      case .nothing: true
      }
    }
  }

  /// Searches the library and the notes. The search may take longer than a frame. It does not access the state of the
  /// browser, so it can run on another thread.
  ///
  /// - Parameters:
  ///   - notes: The learner's notes, which are searched too.
  ///   - passages: The number of results whose passages are read, so that all visible results show why they were found.
  /// - Throws: The errors of the services, or `CancellationError` if the search was interrupted.
  package static func search(
    to question: Query, in library: CourseLibrary, for navigation: NavigationService, notes: NoteList = NoteList(),
    passages: Int, until interruption: SearchInterruption
  ) throws -> Outcome {
    let restrictedCourse = question.isRestrictedToCourse ? question.course : nil
    if question.isEmpty {
      return .suggestions(
        try navigation.places.shortcuts(in: restrictedCourse?.place, kind: question.kind, bookmarks: maximumPlaces),
        isWhole: try library.isIndexComplete())
    }
    // A space after a word that is still being typed must not exclude longer words.
    let query = String(question.query.reversed().drop(while: \.isWhitespace).reversed())
    func hits(snippets: Int, kind: ContentKind?) throws -> SearchResult {
      try library.search(
        query, in: restrictedCourse?.path, preferring: question.course?.path, kind: kind,
        limit: maximumPlaces, snippets: snippets, length: passageWords, indexingFor: .zero, until: interruption)
    }
    let result = try hits(snippets: passages, kind: question.kind)
    let matchingNotes =
      question.kind == nil || question.kind == .activity
      ? notes.notes(with: question.query, limit: maximumNotes) { note in
        !note.place.isRemoved
          && (restrictedCourse == nil || note.place.path.slugs.first == restrictedCourse?.path.slugs.first)
      } : []
    let ofAllKinds = question.kind == nil ? nil : try hits(snippets: 0, kind: nil).hits
    let cards = try navigation.places.summaries(
      of: (result.hits + (ofAllKinds ?? [])).map(\.place) + matchingNotes.map(\.place.place))
    let counted = ofAllKinds ?? result.hits
    return .hits(
      hits: result.hits.withoutSingleActivityParents(cards).compactMap { hit in cards[hit.place].map { (hit, $0) } },
      didYouMean: result.didYouMean,
      searchedFor: result.searchedFor, isWhole: result.isComplete,
      notes: matchingNotes.compactMap { note in cards[note.place.place].map { (note, $0) } },
      counts: KindCounts(
        counted.withoutSingleActivityParents(cards), isTruncated: counted.count >= maximumPlaces))
  }

  /// Returns the entries and the summary for the outcome of a search.
  package func results(of outcome: Outcome) -> Results {
    switch outcome {
    case .hits(let hits, let didYouMean, let searchedFor, let isWhole, let notes, _):
      var entries = hits.map { result in
        Entry(
          place: result.card.place, title: result.hit.markedTitle, kind: kind(of: result.card),
          breadcrumb: breadcrumb(result.hit.breadcrumb, of: result.card),
          passage: result.hit.snippet.runs.isEmpty || result.card.hidesAnswers ? nil : passage(result.hit.snippet),
          card: CardModel(result.card), hidesAnswers: result.card.hidesAnswers)
      }
      let noteEntries = notes.enumerated().map { entry(of: $1.note, $1.card, query: searchedFor, isFirst: $0 == 0) }
      if !noteEntries.isEmpty, !entries.isEmpty { entries[0].heading = "In the courses" }
      entries = noteEntries + entries
      let quotes = appearance.symbols.quotes
      let suggestion = didYouMean.map { "\(quotes.around($0))? " }
      let places = count(of: hits.map(\.hit)) + (isWhole ? "" : " so far")
      let count =
        notes.isEmpty
        ? places
        : [hits.isEmpty ? "" : places, DisplayFormat.count(notes.count, "note")].filter { !$0.isEmpty }.joined(
          separator: ", ")
      return Results(
        entries: entries.disambiguated,
        summaries: (suggestion.map { ["did you mean " + $0 + count, $0 + count] } ?? []) + [count])
    case .suggestions(let shortcuts, _): return results(of: shortcuts)
    case .nothing: return Results()
    }
  }

  private func results(of shortcuts: Shortcuts) -> Results {
    var entries = (shortcuts.bookmarks + shortcuts.recents).map { shortcut in
      let card = shortcut.summary
      let visit = card.lastVisitAt.map { "Last visit: \(days.on($0))." } ?? "Not visited yet."
      return Entry(
        place: card.place, title: Snippet(runs: [Snippet.Run(text: card.place.title, isMatch: false)]),
        kind: kind(of: card), breadcrumb: breadcrumb(shortcut.breadcrumb, of: card),
        passage: Passage(visit, style: appearance.theme[.quiet]), card: CardModel(card))
    }
    for index in shortcuts.bookmarks.indices { entries[index].cause = .bookmark }
    if !shortcuts.bookmarks.isEmpty {
      entries[0].heading = "Bookmarks"
      if !shortcuts.recents.isEmpty { entries[shortcuts.bookmarks.count].heading = "Visited most" }
    }
    let bookmarkCount = shortcuts.bookmarkCount
    return Results(
      entries: entries.disambiguated,
      summaries: [
        bookmarkCount > 0
          ? "\(DisplayFormat.count(bookmarkCount, "bookmark"))" : shortcuts.recents.isEmpty ? "" : "visited most"
      ])
  }

  /// Returns a text with the matches of a query marked.
  private func highlighted(_ text: String, _ query: String) -> Snippet {
    let bytes = Array(text.utf8)
    var (runs, end) = ([Snippet.Run](), 0)
    func add(upTo next: Int, _ isMatch: Bool) {
      guard next > end else { return }
      runs.append(Snippet.Run(text: String(decoding: bytes[end..<next], as: UTF8.self), isMatch: isMatch))
      end = next
    }
    for range in (try? library.matches(of: query, in: text))?.places ?? [] {
      add(upTo: range.lowerBound, false)
      add(upTo: range.upperBound, true)
    }
    add(upTo: bytes.count, false)
    return Snippet(runs: runs)
  }

  private func entry(of placedNote: PlacedNote, _ card: PlaceSummary, query: String, isFirst: Bool) -> Entry {
    let (note, quote) = (placedNote.note, appearance.symbols.quotes.around(placedNote.note.anchor.quote))
    let text = note.isHighlight ? quote : note.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return Entry(
      place: placedNote.place, title: highlighted(text, query),
      kind: note.isHighlight ? "highlight" : "note", breadcrumb: placedNote.ancestorTitles + [placedNote.place.title],
      passage: Passage(note.isHighlight ? "" : quote, style: appearance.theme[.quiet]), card: CardModel(card),
      heading: isFirst ? "Your notes" : nil, cause: .bookmark, note: placedNote)
  }

  private func count(of hits: [SearchHit]) -> String {
    if hits.isEmpty { return "nothing found" }
    // The search is limited to this number, so there may be more results of a lower rank.
    if hits.count >= Self.maximumPlaces { return "the best \(Self.maximumPlaces) places" }
    let courses = Set(hits.compactMap(\.path.slugs.first)).count
    return DisplayFormat.count(hits.count, "place")
      + (courses > 1 ? " in " + DisplayFormat.count(courses, "course") : "")
  }

  /// Reads the passage of a result.
  package func passage(of entry: Entry, searchedFor: String) throws -> Passage {
    let place = entry.place.place
    guard entry.hidesAnswers, let node = place.node, let content = try library.content(of: node),
      let questions = content.itemLines
    else { return passage(try library.snippet(of: place, for: searchedFor, length: Self.passageWords)) }
    let texts = [content.text.plainText] + questions.map(\.plainText)
    let found = texts.lazy.map { highlighted($0.collapsedSpaces, searchedFor) }.first {
      $0.runs.contains(where: \.isMatch)
    }
    let hidden = "Found in the answers, which are hidden until you finish the quiz."
    return found.map(passage) ?? Passage(hidden, style: appearance.theme[.quiet])
  }

  private func kind(of card: PlaceSummary) -> String { card.type?.rawValue ?? card.place.noun.singular }

  private func breadcrumb(_ breadcrumb: [String], of card: PlaceSummary) -> [String] {
    guard breadcrumb.isEmpty else { return breadcrumb }
    // A course without a summary is described by its amount of content.
    return [card.summary.isEmpty ? card.place.levels.noun(for: .activity).counted(card.progress.total) : card.summary]
  }

  private func passage(_ snippet: Snippet) -> Passage {
    Passage(snippet, appearance: appearance)
  }
}

extension String {
  /// The text on one line.
  fileprivate var collapsedSpaces: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

extension [Finder.Entry] {
  /// The entries with the path of the course appended to the first breadcrumb, if several courses have the same title.
  fileprivate var disambiguated: Self {
    func title(_ entry: Finder.Entry) -> String {
      entry.place.kind == .course ? entry.place.title : entry.breadcrumb[0]
    }
    let names = CourseNames(lazy.map { (path: $0.place.path, title: title($0)) })
    return map { entry in
      var entry = entry
      entry.breadcrumb[0] += names.suffix(of: title(entry), at: entry.place.path)
      return entry
    }
  }
}

/// The number of places of each kind that a query finds.
package struct KindCounts: Hashable, Sendable {
  private let counts: [PlaceKind: Int]
  /// What the courses of the hits call the kinds. Kinds that they call differently have the names of a course.
  private let nouns: [PlaceKind: Noun]
  /// Whether there are further places of a lower rank.
  private let isTruncated: Bool

  /// Counts the best places of all kinds.
  init(_ hits: [SearchHit], isTruncated: Bool) {
    counts = hits.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    nouns = Dictionary(grouping: hits, by: \.kind).compactMapValues { hits in
      let nouns = Set(hits.map(\.noun))
      return nouns.count == 1 ? nouns.first : nil
    }
    self.isTruncated = isTruncated
  }

  /// Whether no place of a kind was found. `false` if this is unknown.
  package func isEmpty(_ kind: ContentKind) -> Bool { !isTruncated && counts[PlaceKind(kind)] == nil }

  /// Returns a count such as `3 lessons`, or `30+ lessons` if there may be more of them.
  package func text(_ kind: ContentKind) -> String {
    let noun = nouns[PlaceKind(kind)] ?? LevelNames.course.noun(for: PlaceKind(kind))
    guard let count = counts[PlaceKind(kind)] else { return noun.plural }
    return isTruncated ? "\(count)+ \(noun.plural)" : noun.counted(count)
  }
}

/// An excerpt around the matches of a query, which is shown on one line of any width with the matches visible.
package struct Passage: Hashable {
  private let line: StyledLine
  /// The columns of the matches.
  private let matches: [Range<Int>]
  private let ellipsis: String

  /// Creates a passage without matches.
  package init(_ text: String, style: Style) {
    line = StyledLine(text, style: style)
    matches = []
    ellipsis = ""
  }

  /// Creates a passage from a search snippet.
  package init(_ snippet: Snippet, appearance: Appearance) {
    ellipsis = appearance.symbols.ellipsis
    var runs: [StyledRun] = []
    var matches: [Range<Int>] = []
    var column = 0
    func add(_ text: String, isMatch: Bool = false) {
      let width = text.displayWidth
      if isMatch { matches.append(column..<column + width) }
      runs.append(StyledRun(text, style: isMatch ? appearance.theme.hit(bold: false) : appearance.theme[.quiet]))
      column += width
    }
    if snippet.isTruncatedAtStart { add(ellipsis) }
    for run in snippet.runs { add(run.text, isMatch: run.isMatch) }
    if snippet.isTruncatedAtEnd { add(ellipsis) }
    line = StyledLine(runs)
    self.matches = matches
  }

  /// Returns the part of the passage that fits into a width.
  ///
  /// The first match is visible with text on both sides, together with as many of the following matches as fit.
  package func line(in width: Int) -> StyledLine {
    guard let first = matches.first else { return line.truncated(to: width, ellipsis: ellipsis) }
    let end = matches.last { $0.upperBound - first.lowerBound <= 2 * width / 3 }?.upperBound ?? first.upperBound
    return line.window(width, around: first.lowerBound..<end, ellipsis: ellipsis)
  }
}

extension [SearchHit] {
  /// Returns the results without redundant lessons and goals: those that contain a single activity with the same title,
  /// if that activity is also a result.
  package func withoutSingleActivityParents(_ cards: [Place: PlaceSummary]) -> [SearchHit] {
    filter { outer in
      guard outer.kind != .activity, cards[outer.place]?.progress.total == 1 else { return true }
      return !contains { inner in
        inner.kind == .activity && inner.title == outer.title && inner.path.slugs.starts(with: outer.path.slugs)
      }
    }
  }
}
