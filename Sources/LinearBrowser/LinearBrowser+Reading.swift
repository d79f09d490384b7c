import CourseKit
import CoursePages
import LearningModel
import NavigationKit

extension LinearBrowser {
  func beginReading(
    _ blocks: [Block], address: String?, of page: PlacePage, title: String, head: String
  ) throws {
    var reading = LinearReading(
      blocks, read: try navigation.progress.passagesRead(in: page.place.place), isOpen: searchQuery != nil)
    // If a text has been read completely, it starts from the beginning again.
    let storedPosition = try navigation.progress.readingPosition(in: page.place.place).flatMap { position in
      position.block > 0 && !(reading.account.isRead && page.summary.state == .done) ? position : nil
    }
    if let storedPosition { reading.restore(from: storedPosition) }
    let remainingText =
      page.summary.minutesLeft > 0 ? ", \(LinearFormat.about(minutes: page.summary.minutesLeft)) left" : ""
    if let portion = try requestedPortion(in: reading), portion != reading.next {
      printLine("\(head) Starts at the match. retry: start from the beginning.")
      printLine(reading.lookUp(portion, at: seconds))
      activity = .reading(reading, address: address)
      try printNotesOfPortion()
      if reading.isAtEnd {
        printLine(
          "End of the text." + (page.next.map { " Enter: continue with \(LinearFormat.ended($0.title))" } ?? ""))
      }
    } else {
      printLine(storedPosition == nil ? head : "\(title) Continued where you stopped\(remainingText).")
      if blocks.isEmpty { printLine("There is nothing to read here.") }
      activity = .reading(reading, address: address)
      try continueReading()
    }
    guard case .reading(let reading, _) = activity, !reading.isAtEnd else { return }
    let neighbours = [
      page.ancestors.last.map { " up: " + LinearFormat.ended($0.title) },
      page.next.map { " next: " + LinearFormat.ended($0.title) },
    ]
    printLine("Enter or more: read on." + neighbours.compactMap(\.self).joined())
  }

  /// Returns the index of the portion to print first: for a search result, the portion in which the words of the query
  /// are closest together; for a note, the portion with the quoted text. Returns `nil` if there is no such portion.
  private func requestedPortion(in reading: LinearReading) throws -> Int? {
    if let targetNote {
      return reading.anchored.place(of: targetNote.anchor).flatMap { reading.portion(ofBlock: $0.block) }
    }
    guard let searchQuery else { return nil }
    let portions = reading.portions.map { $0.map(\.text).joined(separator: "\n") }
    let text = portions.joined(separator: "\n")
    let matches = try library.matches(of: searchQuery, in: text)
    let matchGroups = MatchGroups(matches, in: text)
    guard matchGroups.groups.indices.contains(matchGroups.nearest) else { return nil }
    let start = matches.places[matchGroups.groups[matchGroups.nearest].lowerBound].lowerBound
    var end = 0
    return portions.firstIndex { portion in
      end += portion.utf8.count + 1
      return start < end
    }
  }

  /// Prints the next portion and stores the position.
  func continueReading() throws {
    guard case .reading(var reading, let address) = activity else { return }
    printLine(reading.readOn(at: seconds) ?? [])
    let isAtEnd = reading.isAtEnd
    try save(&reading, address)
    try printNotesOfPortion()
    if isAtEnd { try printEnd() }
  }

  /// The current time in seconds, for the computation of reading progress.
  var seconds: Double { Double(now.milliseconds) / 1000 }

  private func save(_ reading: inout LinearReading, _ address: String?) throws {
    let passages = reading.takeUnsaved()
    activity = .reading(reading, address: address)
    try navigation.progress.save(reading.position(at: now), read: passages, in: navigation.currentPlace().place)
  }

  private func printEnd() throws {
    let page = try navigation.places.page()
    if case .reading(_, let address?) = activity {
      printLine("Address: \(address)")
      let visited = page.summary.state == .done ? "" : " Type done when you have visited it."
      printLine("Open it in your web browser.\(visited)")
    }
    printLine("End of the text." + (page.next.map { " Enter: continue with " + LinearFormat.ended($0.title) } ?? ""))
  }

  /// Credits the last printed portion for the time up to this input. If the text has been read completely, marks it as
  /// done.
  func creditReading() throws {
    guard case .reading(var reading, nil) = activity else { return }
    let hasNewCredit = reading.creditReading(at: seconds, isCovered: list.isOverlay)
    activity = .reading(reading, address: nil)
    guard hasNewCredit else { return }
    try save(&reading, nil)
    let summary = try navigation.places.page().summary
    guard reading.account.isRead, !reading.isMarkedNotDone, summary.state != .done, summary.type?.isReadInParts != false
    else {
      return
    }
    try record(.seenToEnd)
  }
}

/// The search in the current text. Only the line of the current match is printed, with the number of the match.
extension LinearBrowser {
  /// Searches the current text.
  ///
  /// - Returns: `false` if there are no matches or no text is open. In this case, nothing is printed.
  func findInText(_ query: String) -> Bool {
    guard case .reading(var reading, let address) = activity, !list.isOverlay, reading.findText(for: query) else {
      return false
    }
    activity = .reading(reading, address: address)
    printMatch()
    printLine("n: next. N: previous. back: return to where you were. find: search the course.")
    return true
  }

  /// Handles a line that is a command of the search.
  ///
  /// - Returns: `false` if the line was not handled.
  func handleSearchInput(_ line: String) throws -> Bool {
    guard case .reading(var reading, let address) = activity, !list.isOverlay, let search = reading.search else {
      return try widen(line)
    }
    switch line {
    case "n", "N":
      reading.moveToMatch(by: line == "n" ? 1 : -1)
      activity = .reading(reading, address: address)
      printMatch()
    case "back", "b":
      reading.endSearch()
      activity = .reading(reading, address: address)
      printLine("Back where you were. Enter or more: read on.")
    case "find", "/":
      reading.endSearch()
      activity = .reading(reading, address: address)
      let course = try navigation.currentStack().first { $0.kind == .course }
      try find(search.query, in: course?.path)
      extendableQuery = course == nil ? nil : search.query
      if extendableQuery != nil { printLine("find: search all courses.") }
    default: return false
    }
    return true
  }

  /// Repeats a search of the current course in all courses.
  private func widen(_ line: String) throws -> Bool {
    guard let query = extendableQuery, list.isOverlay else { return false }
    extendableQuery = nil
    guard line == "find" || line == "/" else { return false }
    try find(query, in: nil)
    return true
  }

  private func printMatch() {
    guard case .reading(let reading, _) = activity, let search = reading.search, let chosen = search.current else {
      return
    }
    printLine("Find: \(LinearFormat.ended(search.query)) \(chosen + 1) of \(search.count) in this text.")
    printLine(reading.lineOfMatch.map { [$0] } ?? [])
  }
}
