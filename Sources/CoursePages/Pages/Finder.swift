package import CourseKit
package import LearningModel
package import NavigationKit
package import TextCanvas

/// Finds places, and says of each what a row of the list says. What is typed is kept nowhere.
package struct Finder {
  /// One place that was found, or that is offered while nothing is typed.
  package struct Entry: Hashable {
    package var place: NamedPlace
    /// Its title, with what was searched for.
    package var title: Snippet
    /// What it is: an activity by what it is made of.
    package var kind: String
    /// The titles of the places above it; where there is none, its summary, or how much is in it.
    package var crumbs: [String]
    /// What is said below it where it is chosen; `nil` where that was not read yet.
    package var passage: Passage?
    /// How far it is.
    package var card: CardModel
    /// What it is listed as, over the first of its kind.
    package var heading: String?
    package var cause = NavigationCause.search
    /// The learner's note that it is; `nil` for a place.
    package var note: PlacedNote?
  }

  /// What was found, and how much that is.
  package struct Findings {
    package var entries: [Entry] = []
    /// How much that is, and what was looked for instead; first in the most words, then in fewer.
    package var summaries: [String] = []

    package init(entries: [Entry] = [], summaries: [String] = []) {
      self.entries = entries
      self.summaries = summaries
    }
  }

  /// How many places are shown at most.
  package static let most = 50
  /// How many of the learner's notes are shown at most: all of them have a list of their own.
  package static let mostNotes = 2
  /// Of how many the passages are read with the search; those of the others when they are chosen.
  private static let passages = 2
  /// Words of a passage: as many as the widest page shows.
  private static let words = 24

  package let library: CourseLibrary
  package let days: DayNames
  package let appearance: Appearance

  package init(library: CourseLibrary, days: DayNames, appearance: Appearance) {
    self.library = library
    self.days = days
    self.appearance = appearance
  }

  /// What is looked for.
  package struct Question: Hashable, Sendable {
    package var query = ""
    /// Which kind of place; `nil` for all.
    package var kind: ContentKind?
    /// The course that the learner is in; `nil` for none.
    package var course: NamedPlace?
    /// Whether only that course is searched; otherwise its places come first.
    package var isKeptToCourse = false

    package init(
      query: String = "", kind: ContentKind? = nil, course: NamedPlace? = nil, isKeptToCourse: Bool = false
    ) {
      self.query = query
      self.kind = kind
      self.course = course
      self.isKeptToCourse = isKeptToCourse
    }

    /// Whether nothing is typed yet.
    package var isEmpty: Bool { query.allSatisfy(\.isWhitespace) }
  }

  /// What there is, before it is put into words and colours.
  package enum Answer: Sendable {
    /// What was found for what was typed.
    case found(
      hits: [(hit: SearchHit, card: Card)], didYouMean: String?, searchedFor: String, isWhole: Bool,
      notes: [(note: PlacedNote, card: Card)] = [])
    /// What is offered before.
    case offered(Shortcuts, isWhole: Bool)
    /// Nothing: no answer has come.
    case nothing

    /// Whether everything that is there was, or would be, searched; otherwise the index is to be brought up to it.
    package var isWhole: Bool {
      switch self {
      case .found(_, _, _, let isWhole, _), .offered(_, let isWhole): isWhole
      case .nothing: true
      }
    }
  }

  /// Searches what there is; this may take longer than a frame, and needs no browser.
  ///
  /// - Parameter notes: The learner's notes, which are searched too.
  /// - Throws: What the services throw; `CancellationError` where it was interrupted.
  package static func answer(
    to question: Question, in library: CourseLibrary, for navigation: NavigationService, notes: NoteList = NoteList(),
    until interruption: SearchInterruption
  ) throws -> Answer {
    let only = question.isKeptToCourse ? question.course : nil
    if question.isEmpty {
      return .offered(
        try navigation.shortcuts(in: only?.place, kind: question.kind, marks: most),
        isWhole: try library.isIndexWhole())
    }
    let result = try library.search(
      question.query, in: only?.path, preferring: question.course?.path, kind: question.kind, limit: most,
      snippets: passages, length: words, indexingFor: 0, until: interruption)
    let noted =
      question.kind == nil || question.kind == .activity
      ? notes.notes(with: question.query, most: mostNotes) { note in
        !note.place.isRemoved && (only == nil || note.place.path.slugs.first == only?.path.slugs.first)
      } : []
    let cards = try navigation.cards(of: result.hits.map(\.place) + noted.map(\.place.place))
    return .found(
      hits: result.hits.withoutWraps(cards).compactMap { hit in cards[hit.place].map { (hit, $0) } },
      didYouMean: result.didYouMean,
      searchedFor: result.searchedFor, isWhole: result.isWhole,
      notes: noted.compactMap { note in cards[note.place.place].map { (note, $0) } })
  }

  /// Puts an answer into words.
  package func findings(of answer: Answer) -> Findings {
    switch answer {
    case .found(let hits, let didYouMean, let searchedFor, let isWhole, let notes):
      var entries = hits.enumerated().map { index, found in
        Entry(
          place: found.card.place, title: found.hit.markedTitle, kind: kind(of: found.card),
          crumbs: crumbs(found.hit.breadcrumb, of: found.card),
          passage: index < Self.passages ? passage(found.hit.snippet) : nil, card: CardModel(found.card))
      }
      let noted = notes.enumerated().map { entry(of: $1.note, $1.card, found: searchedFor, isFirst: $0 == 0) }
      if !noted.isEmpty, !entries.isEmpty { entries[0].heading = "In the courses" }
      entries = noted + entries
      let quotes = appearance.symbols.quotes
      let meant = didYouMean.map { "\(quotes.around($0))? " }
      let places = count(of: hits.map(\.hit)) + (isWhole ? "" : " so far")
      let count =
        notes.isEmpty
        ? places
        : [hits.isEmpty ? "" : places, Words.count(notes.count, "note")].filter { !$0.isEmpty }.joined(separator: ", ")
      return Findings(
        entries: entries.toldApart,
        summaries: (meant.map { ["did you mean " + $0 + count, $0 + count] } ?? []) + [count])
    case .offered(let shortcuts, _): return findings(of: shortcuts)
    case .nothing: return Findings()
    }
  }

  private func findings(of shortcuts: Shortcuts) -> Findings {
    var entries = (shortcuts.marked + shortcuts.recents).map { shortcut in
      let card = shortcut.card
      let visit = card.lastVisitAt.map { "You were here \(days.on($0))." } ?? "You were never here."
      return Entry(
        place: card.place, title: Snippet(parts: [Snippet.Part(text: card.place.title, isMatch: false)]),
        kind: kind(of: card), crumbs: crumbs(shortcut.breadcrumb, of: card),
        passage: Passage(visit, style: appearance.theme[.quiet]), card: CardModel(card))
    }
    for index in shortcuts.marked.indices { entries[index].cause = .bookmark }
    if !shortcuts.marked.isEmpty {
      entries[0].heading = "Marked"
      if !shortcuts.recents.isEmpty { entries[shortcuts.marked.count].heading = "Where you go most" }
    }
    let marked = shortcuts.markedCount
    return Findings(
      entries: entries.toldApart,
      summaries: [marked > 0 ? "\(marked) marked" : shortcuts.recents.isEmpty ? "" : "where you go most"])
  }

  /// Words with what was searched for marked in them.
  private func marked(_ words: String, _ query: String) -> Snippet {
    let bytes = Array(words.utf8)
    var (parts, end) = ([Snippet.Part](), 0)
    func add(upTo next: Int, _ isMatch: Bool) {
      guard next > end else { return }
      parts.append(Snippet.Part(text: String(decoding: bytes[end..<next], as: UTF8.self), isMatch: isMatch))
      end = next
    }
    for place in (try? library.matches(of: query, in: words))?.places ?? [] {
      add(upTo: place.lowerBound, false)
      add(upTo: place.upperBound, true)
    }
    add(upTo: bytes.count, false)
    return Snippet(parts: parts)
  }

  private func entry(of placed: PlacedNote, _ card: Card, found query: String, isFirst: Bool) -> Entry {
    let (note, quote) = (placed.note, appearance.symbols.quotes.around(placed.note.anchor.quote))
    let words = note.isHighlight ? quote : note.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return Entry(
      place: placed.place, title: marked(words, query),
      kind: note.isHighlight ? "highlight" : "note", crumbs: placed.above + [placed.place.title],
      passage: Passage(note.isHighlight ? "" : quote, style: appearance.theme[.quiet]), card: CardModel(card),
      heading: isFirst ? "Your notes" : nil, cause: .bookmark, note: placed)
  }

  private func count(of hits: [SearchHit]) -> String {
    if hits.isEmpty { return "nothing found" }
    // There may be more that fit less well.
    if hits.count >= Self.most { return "the best \(Self.most) places" }
    let courses = Set(hits.compactMap(\.path.slugs.first)).count
    return Words.count(hits.count, "place") + (courses > 1 ? " in " + Words.count(courses, "course") : "")
  }

  /// Reads the passage of a place that was found.
  package func passage(of place: Place, searchedFor: String) throws -> Passage {
    passage(try library.snippet(of: place, for: searchedFor, length: Self.words))
  }

  private func kind(of card: Card) -> String { card.type?.rawValue ?? card.place.kind.rawValue }

  private func crumbs(_ breadcrumb: [String], of card: Card) -> [String] {
    guard breadcrumb.isEmpty else { return breadcrumb }
    // A course that says nothing of itself is told by how much there is in it.
    return [card.summary.isEmpty ? Words.count(card.progress.total, "activity", "activities") : card.summary]
  }

  private func passage(_ snippet: Snippet) -> Passage {
    Passage(snippet, appearance: appearance)
  }
}

extension [Finder.Entry] {
  /// With the paths of courses whose title another one has too.
  fileprivate var toldApart: Self {
    func title(_ entry: Finder.Entry) -> String {
      entry.place.kind == .course ? entry.place.title : entry.crumbs[0]
    }
    let names = CourseNames(lazy.map { (path: $0.place.path, title: title($0)) })
    return map { entry in
      var entry = entry
      entry.crumbs[0] += names.suffix(of: title(entry), at: entry.place.path)
      return entry
    }
  }
}

/// A text around what was searched for, on one line of any width: what was searched for is in view.
package struct Passage: Hashable {
  private let line: StyledLine
  /// The columns of the line that are to be in view.
  private let matches: [Range<Int>]
  private let ellipsis: String

  /// Makes one in which nothing was searched for.
  package init(_ text: String, style: Style) {
    line = StyledLine(text, style: style)
    matches = []
    ellipsis = ""
  }

  /// Makes one of what a search has read.
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
    if snippet.isCutBefore { add(ellipsis) }
    for part in snippet.parts { add(part.text, isMatch: part.isMatch) }
    if snippet.isCutAfter { add(ellipsis) }
    line = StyledLine(runs)
    self.matches = matches
  }

  /// The passage in at most so many columns: the first of what was searched for is in view, with words on both sides, and
  /// as much of the rest as that leaves room for.
  package func line(in width: Int) -> StyledLine {
    guard let first = matches.first else { return line.truncated(to: width, ellipsis: ellipsis) }
    let end = matches.last { $0.upperBound - first.lowerBound <= 2 * width / 3 }?.upperBound ?? first.upperBound
    return line.window(width, around: first.lowerBound..<end, ellipsis: ellipsis)
  }
}

extension [SearchHit] {
  /// Without lessons and goals that hold one activity alone, of the same title and found too: it is what is meant.
  ///
  /// - Parameter cards: The cards of the places.
  package func withoutWraps(_ cards: [Place: Card]) -> [SearchHit] {
    filter { outer in
      guard outer.kind != .activity, cards[outer.place]?.progress.total == 1 else { return true }
      return !contains { inner in
        inner.kind == .activity && inner.title == outer.title && inner.path.slugs.starts(with: outer.path.slugs)
      }
    }
  }
}
