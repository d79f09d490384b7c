import CourseKit
import CoursePages
import LearningModel
import NavigationKit

extension LinearBrowser {
  /// Prints the current place: its kind and title first, then its content.
  ///
  /// - Parameter prefix: A text about the action that led to the place, such as `Opened.`
  func showPlace(after prefix: String) throws {
    let page = try navigation.places.page()
    if page.place.kind == .activity, let node = page.place.place.node {
      return try showActivity(page, content: library.content(of: node) ?? .reading([]), after: prefix)
    }
    activity = nil
    list = page.place.kind == .root && page.children.isEmpty ? .welcome : LinearList(page, days)
    list.head[0] = prefix + list.head[0]
    try printList()
  }

  /// Prints the list from its beginning.
  func printList() throws {
    list.rewind()
    list.head.forEach(printLine)
    list.readOn().forEach(printLine)
  }

  /// Closes the list that covers the current place, or the review.
  func closeList() throws {
    guard case .review(let review) = activity, review.session.card != nil else { return try showPlace(after: "") }
    list = LinearList()
    printCard(review)
  }

  /// Continues the current list, text, cards or quiz.
  func more() throws {
    if list.hasMore { return list.readOn().forEach(printLine) }
    if list.isOverlay {
      if let onward = list.endTarget { return try go(onward) }
      return try list.more.map { try printHistory(todayOnly: false, after: $0) }
        ?? printLine("End of the list.")
    }
    if activity != nil { return try continueActivity() }
    printLine("End of the list. Type a number, or continue.")
  }

  // MARK: - Steps

  func go(_ request: NavigationRequest, cause: NavigationCause = .key) throws {
    let step = try navigation.perform(request, cause: cause)
    guard step.isPerformed else {
      if let course = step.endedCourse { return try printEnd(ofCourse: course.place) }
      printLine(step.message ?? "Nothing was changed.")
      // If the request led to the current place, the list that covers the place is closed.
      return list.isOverlay ? try showPlace(after: "") : ()
    }
    if let message = step.message { printLine(message) }
    try showPlace(after: Self.historyText(step.operation))
  }

  private static func historyText(_ operation: NavigationOperation) -> String {
    switch operation {
    case .push, .open, .select: "Opened. "
    case .pop, .popTo, .popToRoot: "Up. "
    case .next: "Next. "
    case .previous: "Previous. "
    case .back: "Back. "
    case .forward: "Forward. "
    case .resume, .repair, .other: ""
    }
  }

  /// Opens the parent. Skips lists with a single item, because opening such a list skips it too.
  func goUp() throws {
    let page = try navigation.places.page()
    try go(page.outer == page.ancestors.last?.place ? .pop : .popTo(.place(page.outer)))
  }

  func continueCourse() throws {
    if case .reading(let reading, _) = activity, !reading.isAtEnd { return try continueActivity() }
    guard let next = try navigation.continuation() else {
      // After the last activity of a course, the summary of the course is printed.
      return activity == nil ? printLine("There is nothing to continue with yet.") : try go(.next)
    }
    if next.reason == .allDone { printLine("Everything is done.") }
    try go(.open(.place(next.summary.place.place)))
  }

  // MARK: - Choosing

  func choose(_ numbers: [Int]) throws {
    if !list.isOverlay, case .quiz(let quiz) = activity, quiz.run.question != nil, !quiz.run.isChecked {
      return try chooseAnswers(numbers)
    }
    guard numbers.count == 1, let number = numbers.first else { return printLine("One number at a time, please.") }
    if !list.isOverlay, case .quiz(let quiz) = activity, quiz.run.isOver { return explain(number, of: quiz) }
    if !list.isOverlay, activity != nil { return try followLink(String(number)) }
    guard list.items.indices.contains(number - 1) else {
      return printLine(
        list.items.isEmpty
          ? "There is no item \(number) here."
          : "There is no item \(number) here. Type a number from 1 to \(list.items.count).")
    }
    try open(list.items[number - 1])
  }

  private func open(_ item: LinearList.Item) throws {
    switch item.target {
    case .bundledCourse:
      let report = try library.importBundled()
      try go(.open(.path(report.course ?? .root)))
    case .note(let note): try go(to: note)
    case .wrongAnswer(let answer): try go(to: answer)
    case .place(let place, let cause):
      searchQuery = list.query
      defer { searchQuery = nil }
      // A list with a single item is skipped.
      let isChild = !list.isOverlay && cause == .key
      let inner = isChild ? try place.node.map { Place(try navigation.places.innermost(of: $0)) } ?? place : place
      try go(isChild && inner == place ? .push(.place(place)) : .open(.place(inner)), cause: cause)
    }
  }

  /// Opens an item of the list by its name, or a place by its path.
  ///
  /// - Parameter isAsked: Whether the user typed `open` before the name. If `false`, the name may also be an
  ///   abbreviated command.
  func open(_ name: String, isAsked: Bool) throws {
    let matches = isList ? list.indices(named: name) : []
    if matches.count == 1 { return try open(list.items[matches[0]]) }
    if matches.count > 1 {
      let choices = matches.prefix(LinearList.portion).map { "\($0 + 1). \(LinearFormat.ended(list.items[$0].title))" }
      printLine("\(matches.count) items begin with this text: \(choices.joined(separator: " "))")
      return
    }
    if isAsked, let number = Int(name) { return try choose([number]) }
    let commands = LinearCommand.rows.filter { $0.names[0].hasPrefix(name.lowercased()) }
    if !isAsked, commands.count == 1 { return try perform(commands[0].word, "") }
    let path = name.hasPrefix(":") ? String(name.dropFirst()).trimmed : name
    guard isAsked || path.contains("/") || path != name else { return printUnknown(name) }
    try go(.open(.text(path)))
  }

  private func printUnknown(_ name: String) {
    let titles = list.items.map(\.title) + LinearCommand.rows.map { $0.names[0] }
    let suggestions = FuzzyMatch.nearest(to: name, among: titles).map { "\(quoted: $0)" }
    let suggestionText = suggestions.isEmpty ? "" : " Did you mean \(suggestions.joined(separator: ", "))?"
    printLine(
      "Nothing here is called \(quoted: name).\(suggestionText) Type ? for the commands, or find \(name) to search all courses."
    )
  }

  // MARK: - Location

  func printLocation() throws {
    let location = try navigation.currentLocation()
    printLine(LinearFormat.ended(location.stack.map(\.title).joined(separator: ", ")))
    if location.pathTaken.count > 1, location.pathTaken != location.stack {
      printLine(
        LinearFormat.ended(
          "You came here through: " + location.pathTaken.suffix(6).map(\.title).joined(separator: ", ")))
    }
    if let next = try navigation.continuation() { printLine(LinearFormat.nextStep(next, days)) }
  }

  func printInfo(_ argument: String) throws {
    guard let number = Int(argument) else {
      let matches = list.indices(named: argument)
      return try argument.isEmpty
        ? printInfo(navigation.places.page().summary)
        : matches.count == 1 ? printInfo("\(matches[0] + 1)") : printUnknown(argument)
    }
    guard list.items.indices.contains(number - 1) else { return printLine("There is no item \(number) here.") }
    let item = list.items[number - 1]
    guard case .place(let place, _) = item.target else { return printLine(item.detail) }
    printInfo(try navigation.places.summary(of: .place(place)))
  }

  private func printInfo(_ card: PlaceSummary) {
    printLine("About \(card.place.noun.singular): \(LinearFormat.ended(card.place.title)) \(card.summary)".trimmed)
    if card.place.kind != .root { printLine(LinearFormat.state(card, days)) }
    if card.state == .begun, card.minutesLeft > 0 {
      printLine(LinearFormat.capitalised(LinearFormat.about(minutes: card.minutesLeft)) + " left.")
    }
    printLine("Path: \(card.place.path).")
  }
}

// MARK: - Lists

extension LinearList {
  /// The list of courses before the first import.
  static var welcome: LinearList {
    let card = PageModel.welcome("").cards[0]
    var list = LinearList()
    list.head = ["List: Welcome. No courses yet. Select how to start."]
    list.items = [Item(title: card.title, detail: card.summary, target: .bundledCourse)]
    list.foot = ["Or add a course of your own: type add, and the path of a folder, a book or an archive."]
    return list
  }

  /// Creates a list of the children of a place.
  init(_ page: PlacePage, _ days: RelativeDateFormat) {
    self.init()
    head = [page.head(days)] + (page.children.isEmpty || page.place.kind == .root ? [] : [page.plural + ":"])
    items = page.children.map { card in
      Item(card, days)
    }
    if items.isEmpty { foot.append("There is nothing here yet.") }
    if let next = page.nextStep { foot.append(LinearFormat.nextStep(next, days)) }
  }
}

extension PlacePage {
  fileprivate var plural: String { LinearFormat.plural(Set(children.map(\.place.noun))) }

  /// Returns the first line of a place: `Goal: Negotiating. Goal 2 of 4 in English for Business. 5 of 14 done.`
  func head(_ days: RelativeDateFormat) -> String {
    var sentences = [LinearFormat.ended("\(LinearFormat.kind(place)): \(place.title)")]
    if place.kind == .root {
      sentences.append(DisplayFormat.count(children.count, "course") + ".")
      if let visit = summary.lastVisitAt { sentences.append("Last visit: \(days.on(visit)).") }
    } else {
      sentences.append(positionText)
      if summary.progress.total > 0 { sentences.append(DisplayFormat.progress(summary.progress) + " done.") }
    }
    return sentences.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The position among the siblings: `Goal 2 of 4 in English for Business.`
  var positionText: String {
    guard let level else { return "" }
    let parent = breadcrumb.count > 1 ? breadcrumb.last.map { " in " + $0.title } ?? "" : ""
    return LinearFormat.ended(LinearFormat.capitalised(level.text) + parent)
  }
}

/// A numbered list, which is printed in portions.
struct LinearList {
  /// The number of items that are printed at a time.
  static let portion = 20

  struct Item: Hashable {
    enum Target: Hashable {
      case place(Place, cause: NavigationCause)
      case bundledCourse
      case note(PlacedNote)
      case wrongAnswer(WrongAnswer)
    }

    var title: String
    /// The text after the title.
    var detail: String
    var target: Target
  }

  /// The lines before the items.
  var head: [String] = []
  var items: [Item] = []
  /// The lines after the last item.
  var foot: [String] = []
  /// Whether the list covers the current place, as search results do.
  var isOverlay = false
  /// The query that found the items, or `nil` if the list is not the result of a search.
  var query: String?
  /// The request that an empty line performs at the end of the list, or `nil` if it has no effect.
  var endTarget: NavigationRequest?
  /// The position in the history from which further items are loaded after the last one.
  var more: HistoryCursor?
  private(set) var next = 0

  var hasMore: Bool { next < items.count }

  /// Returns the next items with their numbers. After the last item, returns the lines of ``foot``.
  mutating func readOn() -> [String] {
    let end = min(items.count, next + Self.portion)
    defer { next = end }
    let lines = (next..<end).map { "\($0 + 1). \(LinearFormat.ended(items[$0].title)) \(items[$0].detail)".trimmed }
    return lines + (end < items.count ? ["Enter or more: show items \(end + 1) to \(items.count)."] : foot)
  }

  /// Moves back to the first item.
  mutating func rewind() { next = 0 }

  /// Returns the indices of the items with the given name: the item with exactly that title, otherwise all items whose
  /// titles begin with it. Case is ignored.
  func indices(named name: String) -> [Int] {
    let name = name.lowercased()
    let titles = items.map { $0.title.lowercased() }
    if let exact = titles.firstIndex(of: name) { return [exact] }
    return titles.indices.filter { titles[$0].hasPrefix(name) }
  }
}
