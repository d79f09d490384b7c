import Answers
import CourseKit
import CoursePages
import Foundation
import LearningModel
import NavigationKit

extension LinearBrowser {
  /// The maximum number of results.
  private static let maximumHits = 50
  /// The number of history steps that are printed at once.
  private static let steps = 10

  // MARK: - Finding

  /// Searches one course, or all courses if `place` is `nil`.
  func find(_ query: String, in place: PlacePath?) throws {
    guard !query.isEmpty else { return printLine("Find what? Type find, and the words.") }
    try NavigationError.checkQuotation(of: query)
    extendableQuery = nil
    // Results in the current course are listed first.
    let course = try navigation.currentStack().first { $0.kind == .course }
    let result = try library.search(query, in: place, preferring: course?.path, limit: Self.maximumHits)
    let suggestion = result.didYouMean.map { " Did you mean \(quoted: $0)?" } ?? ""
    guard !result.hits.isEmpty else { return printLine("Find: \(query). Nothing found.\(suggestion)") }
    let items = try navigation.hidingAnswers(in: result.hits).map { hit in
      let place = try navigation.places.named(.text(hit.path.description))
      let passage = hit.snippet.text.trimmed
      let location = hit.breadcrumb.isEmpty ? "" : " in \(LinearFormat.ended(hit.breadcrumb.joined(separator: ", ")))"
      return LinearList.Item(
        title: hit.title,
        detail: "\(LinearFormat.capitalised(hit.noun.singular))\(location.isEmpty ? "." : location) \(passage)",
        target: .place(place.place, cause: .search))
    }
    let countText =
      result.hits.count == Self.maximumHits
      ? "The best \(Self.maximumHits) places" : DisplayFormat.count(items.count, "place")
    try printWithHeader(
      ["Find: \(LinearFormat.ended(query)) \(LinearFormat.capitalised(countText)).\(suggestion)"], items)
    list.query = result.searchedFor
  }

  func printWithHeader(_ header: [String], _ items: [LinearList.Item], more: HistoryCursor? = nil) throws {
    list = LinearList()
    list.head = header
    list.items = items
    list.isOverlay = true
    list.more = more
    if more != nil { list.foot = ["Enter or more: earlier steps."] }
    try printList()
  }

  // MARK: - Links

  func followLink(_ argument: String) throws {
    let links = activity?.links ?? []
    guard !links.isEmpty else { return printLine("There are no links here.") }
    guard let number = Int(argument) else {
      return links.enumerated().forEach {
        printLine("Link \($0 + 1): \(LinearFormat.ended($1.title)) \(leads($1.destination))".trimmed)
      }
    }
    guard links.indices.contains(number - 1) else {
      return printLine("There is no link \(number). Type a number from 1 to \(links.count).")
    }
    let destination = links[number - 1].destination
    if let details = DetailsLink.number(of: destination) {
      return printDetails(details, title: links[number - 1].title)
    }
    if destination.hasPrefix("#") { return try read(from: String(destination.dropFirst())) }
    guard destination.hasPrefix(CourseLink.scheme) else {
      return printLine("This link leads outside the course: \(destination)")
    }
    guard let (node, anchor) = try target(of: destination) else {
      return printLine(DisplayFormat.missingLink(linkTo: destination))
    }
    try go(.open(.place(.node(node.id))), cause: .link)
    if let anchor { try read(from: anchor) }
  }

  private func printDetails(_ number: Int, title: String) {
    guard case .reading(var reading, let address) = activity else { return }
    printLine(LinearFormat.ended(title))
    printLine(reading.open(details: number))
    printLine(LinearFormat.ended("End of: " + title))
    activity = .reading(reading, address: address)
  }

  private func leads(_ destination: String) -> String {
    destination.hasPrefix(CourseLink.scheme) || destination.hasPrefix("#")
      ? "" : "Leads outside the course: \(destination)"
  }

  private func target(of destination: String) throws -> (node: ContentNode, anchor: String?)? {
    let stack = try navigation.currentStack()
    guard stack.count > 1, let course = stack[1].place.node else { return nil }
    return try library.target(of: destination, inCourse: course)
  }

  private func read(from anchor: String) throws {
    guard case .reading(var reading, let address) = activity, reading.go(to: anchor) else { return }
    activity = .reading(reading, address: address)
    try continueActivity()
  }

  // MARK: - Bookmarks

  func setBookmark(_ isSet: Bool) throws {
    let place = try navigation.currentPlace()
    guard place.kind != .root else {
      return printLine("The list of courses needs no bookmark: type courses to open it.")
    }
    let changed = try navigation.notes.setBookmark(isSet, at: .place(place.place))
    let title = LinearFormat.ended(place.title)
    switch (isSet, changed) {
    case (true, true):
      printLine("Bookmarked: \(title) Type bookmarks to list your bookmarks.")
      printLossReason()
    case (true, false): printLine("This place is already bookmarked. Type unbookmark to remove the bookmark.")
    case (false, true): printLine("Removed the bookmark: \(title)")
    case (false, false): printLine("This place has no bookmark.")
    }
  }

  func printBookmarks() throws {
    let bookmarks = try navigation.notes.bookmarks()
    guard !bookmarks.isEmpty else { return printLine("Bookmarks: none yet. Type bookmark to add one for this place.") }
    let ancestors = Dictionary(
      uniqueKeysWithValues: try navigation.places.shortcuts(bookmarks: bookmarks.count, recents: 0).bookmarks.map {
        ($0.summary.place.place, $0.breadcrumb)
      })
    let items = bookmarks.map { place in
      LinearList.Item(
        title: place.title, detail: Self.contextText(place, under: ancestors[place.place] ?? []),
        target: .place(place.place, cause: .bookmark))
    }
    try printWithHeader(["Bookmarks: \(DisplayFormat.count(bookmarks.count, "place")), the newest first."], items)
  }

  /// Returns the kind and the ancestors of a place: `Lesson in English for Business, Negotiating.`
  private static func contextText(_ place: NamedPlace, under ancestors: [String]) -> String {
    if place.isRemoved { return "No longer in the course." }
    let kind = LinearFormat.capitalised(place.noun.singular)
    return ancestors.isEmpty ? kind + "." : LinearFormat.ended("\(kind) in \(ancestors.joined(separator: ", "))")
  }

  // MARK: - History

  /// Prints the last steps, newest first.
  func printHistory(todayOnly: Bool, after cursor: HistoryCursor? = nil) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = navigation.timeZone
    let today = HistoryFilter(since: calendar.startOfDay(for: now.date))
    let rows =
      todayOnly ? try navigation.history.page(today) : try navigation.history.page(limit: Self.steps, after: cursor)
    guard !rows.rows.isEmpty else { return printLine("History: nothing yet\(todayOnly ? " today" : "").") }
    let items = rows.rows.map { row in
      LinearList.Item(title: row.to.title, detail: historyText(row), target: .place(row.to.place, cause: .key))
    }
    let steps = todayOnly ? rows.rows : try navigation.history.page(today).rows
    let active = steps.compactMap(\.activeTime?.milliseconds).reduce(0, +)
    let time = active < 1000 ? "" : ", " + LinearFormat.duration(milliseconds: active)
    let todayText = "Today: \(DisplayFormat.count(steps.count, "step"))\(time)."
    let firstLine = cursor == nil ? "History. \(todayText) The newest first:" : "Earlier:"
    try printWithHeader([firstLine], items, more: rows.next)
  }

  /// Returns a step in words: `Activity, next at 20:34, 27 minutes.`
  private func historyText(_ row: HistoryRow) -> String {
    let time =
      (row.activeTime?.milliseconds).map { $0 < 1000 ? "" : LinearFormat.duration(milliseconds: $0) } ?? "you are here"
    let kind = row.to.isRemoved ? "No longer in the course" : LinearFormat.kind(row.to)
    let date = days.when(row.at).trimmingPrefix("today ")
    let details = [kind, "\(LinearFormat.came(by: row.operation)) \(date)", time]
    return details.filter { !$0.isEmpty }.joined(separator: ", ") + "."
  }

  // MARK: - Adding a course

  /// Prints what an import would change, and asks for confirmation.
  func offerImport(_ path: String) throws {
    guard !path.isEmpty else {
      return printLine("Add what? Type add, and the path of a folder, a book or an archive.")
    }
    let offer: ImportOffer
    do {
      offer = try ImportOffer(of: Self.path(path), in: library)
    } catch CourseLibraryError.importRefused(let refusal, let report) {
      printDiagnostics(report)
      throw CourseLibraryError.importRefused(refusal, report: report)
    }
    let report = offer.report
    printDiagnostics(report)
    printLine("Import: \(LinearFormat.ended(report.title)) \(LinearFormat.capitalised(report.contents)).")
    guard !offer.isUnchanged else { return printLine("This course is already imported; nothing has changed.") }
    if offer.isStored { printLine("This import changes your course: \(report.difference.summary).") }
    for loss in report.losses where loss.count > 0 {
      printLine("Reduced content: \(loss.count) times \(loss.what), \(loss.treatment).")
      for example in loss.exampleLines { printLine(example) }
    }
    if let progressText = offer.progressText { printLine(progressText) }
    pending = .importing(offer)
    let warning = offer.warning(Symbols.unicode.quotes)
    if let warning { printLine(warning) }
    printLine("Type yes to \(warning == nil ? "import" : "replace") it. Anything else cancels.")
  }

  func importCourse(_ offer: ImportOffer) throws {
    let (report, recorded, _) = try offer.accept(in: library, recordingIn: navigation)
    let path = report.course ?? .root
    let place = try navigation.places.named(.path(path))
    let item = LinearList.Item(
      title: report.title, detail: "Course, added just now\(recorded.isEmpty ? "" : ", with " + recorded).",
      target: .place(place.place, cause: .key))
    try printWithHeader(["Imported:"], [item])
  }

  private func printDiagnostics(_ report: ImportReport) {
    let limit = 20
    for diagnostic in report.diagnostics.prefix(limit) { printLine(diagnostic.withRemedy.description) }
    if report.diagnostics.count > limit { printLine("And \(report.diagnostics.count - limit) more messages.") }
  }

  /// Returns a path as users type it: without enclosing quotation marks, and with `~` expanded.
  static func path(_ text: String) -> String {
    var path = text
    for quote in ["\"", "'"] where path.count > 1 && path.hasPrefix(quote) && path.hasSuffix(quote) {
      path = String(path.dropFirst().dropLast())
    }
    return NSString(string: path).expandingTildeInPath
  }
}
