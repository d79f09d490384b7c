import CourseKit
import CoursePages
import Exercises
import ExternalPrograms
import Foundation
import LearningModel
import NavigationKit

/// Commands for a whole course. They ask for the same confirmations as the full-screen browser.
extension LinearBrowser {
  /// An action that needs confirmation.
  enum Pending {
    case importing(ImportOffer)
    case removing(NamedPlace)
    /// Exports a course to a file that exists and would be replaced.
    case replacing(NamedPlace, file: String)
    /// Allows the commands of the course of an exercise, and checks it.
    case checking(CourseExercise, SandboxProtection)
    /// Shows the solution of an exercise that is not passed.
    case showingSolution(CourseExercise)

    /// The message to print if the learner does not confirm the action.
    var declinedMessage: String {
      switch self {
      case .importing: "Not imported."
      case .removing: "Not removed."
      case .replacing: "Not written."
      case .checking: "Not checked."
      case .showingSolution: "Not shown."
      }
    }
  }

  func perform(_ pending: Pending) throws {
    switch pending {
    case .importing(let offer): try importCourse(offer)
    case .removing(let course): try remove(course)
    case .replacing(let course, let file): try write(course, into: file, replaces: true)
    case .checking(let exercise, let protection): try allow(exercise, under: protection)
    case .showingSolution(let exercise): try showSolution(of: exercise)
    }
  }

  /// Returns the current course, or `nil` at the list of courses.
  private func currentCourse() throws -> NamedPlace? { try navigation.currentStack().first { $0.kind == .course } }

  // MARK: - Removing

  /// Asks for confirmation to remove a course.
  func offerRemoval(_ argument: String) throws {
    guard let course = try course(named: argument) else {
      return printLine("Remove which course? Open it, or type remove and its number in the list of courses.")
    }
    printLine("Remove: \(LinearFormat.ended(course.title)) Its history is kept.")
    pending = .removing(course)
    printLine("Type yes to remove it. Anything else cancels.")
  }

  private func course(named argument: String) throws -> NamedPlace? {
    guard !argument.isEmpty else { return try currentCourse() }
    let indices = Int(argument).map { [$0 - 1] } ?? list.indices(named: argument)
    guard isList, indices.count == 1, list.items.indices.contains(indices[0]),
      case .place(let place, _) = list.items[indices[0]].target
    else { return nil }
    let namedPlace = try navigation.places.named(.place(place))
    return namedPlace.kind == .course ? namedPlace : nil
  }

  private func remove(_ course: NamedPlace) throws {
    if try currentCourse()?.place == course.place { _ = try navigation.perform(.popToRoot, cause: .key) }
    try library.remove(course.path)
    printLine("Removed: \(LinearFormat.ended(course.title)) Its history is kept.")
    try showPlace(after: "")
  }

  // MARK: - Importing again and exporting

  /// Compares the course with its source, prints the changes and asks for confirmation.
  func offerImportAgain() throws {
    guard let course = try currentCourse() else { return printLine("Open the course first, then import it again.") }
    guard let source = try library.origin(of: course.place)?.source, !source.isEmpty else {
      return printLine("The source of this course is not known. Type add, and the path of the source.")
    }
    let path = source.hasPrefix("/") || source.contains("://") ? source : folder + "/" + source
    guard source.contains("://") || FileManager.default.fileExists(atPath: path) else {
      return printLine("The source \(quoted: source) was not found. Type add, and the new path of the source.")
    }
    printLine("From: \(source)")
    try offerImport(path)
  }

  /// Exports the current course to a file. If the file exists, asks for confirmation.
  func export(into argument: String) throws {
    guard exportCourse != nil else { return printLine("Files cannot be written here.") }
    guard let course = try currentCourse() else { return printLine("Open the course first, then export it.") }
    let file = Self.path(argument)
    guard [".json", ".zip", ".apkg", ".html", ".markdown"].contains(where: file.lowercased().hasSuffix) else {
      return printLine(
        "Export to which file? Type export, and the path of a file that ends in .json, .zip or .apkg, or of a folder that "
          + "ends in .html or .markdown.")
    }
    guard (try? FileManager.default.attributesOfItem(atPath: file)) == nil else {
      printLine("This file already exists: \(file)")
      pending = .replacing(course, file: file)
      return printLine("Type yes to replace it. Anything else cancels.")
    }
    try write(course, into: file, replaces: false)
  }

  private func write(_ course: NamedPlace, into file: String, replaces: Bool) throws {
    let omission = try exportCourse?(course.path, file, replaces) ?? ""
    printLine("Saved: \(LinearFormat.ended(course.title + omission))")
    printVerbatim(file)
  }

  // MARK: - Paths and settings

  /// Prints the path of the current place on a separate line, so that it can be copied.
  func printPath() throws {
    let path = try navigation.currentPlace().path
    guard !path.isRoot else { return printLine("The list of courses has no path.") }
    printVerbatim(path.description)
  }

  /// Prints all settings or one setting with its values, or changes a setting.
  func handleSettings(_ argument: String) throws {
    guard let settings else { return printLine("Settings cannot be changed here.") }
    let arguments = argument.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
    let page = SettingsPage(settings, navigation)
    let entries = try page.rows()
    guard let name = arguments.first else {
      printLine("Settings: type settings, a name and a value to change one.")
      for entry in entries {
        printLine("\(entry.name): \(entry.value), set by \(entry.source). Meaning: \(entry.explanation).")
      }
      return
    }
    guard let entry = entries.first(where: { $0.name == name.lowercased() }) else {
      return printLine("No setting is called \(quoted: name). Type settings to list them.")
    }
    guard arguments.count > 1 else {
      return printLine("\(entry.name): \(entry.value), set by \(entry.source). It can be \(entry.expected).")
    }
    printLine(try page.set(entry.name, to: arguments[1]))
  }

  /// Renames the current place. An empty name restores the author's title.
  func rename(_ name: String) throws {
    let place = try navigation.currentPlace()
    let (oldName, newName) = try library.rename(place.path, to: name.isEmpty ? nil : name)
    guard oldName != newName else {
      return printLine("This place already has this name: " + LinearFormat.ended(newName))
    }
    printLine("Renamed to: " + LinearFormat.ended(newName))
    printLine(name.isEmpty ? "This is the author's name." : "Type rename without a name to restore the author's name.")
  }

  /// The maximum number of steps of a path that are read out.
  private static let maximumSteps = 12

  /// Prints the summary at the end of a course: the content, the dates, the results, and numbered suggestions for what
  /// to do next.
  func printEnd(ofCourse place: Place) throws {
    let end = try navigation.places.courseEnd(of: .place(place))
    let path = try PathTaken(in: end.course.place, from: navigation)
    let summary = CourseSummary(end, path, days)
    list = LinearList()
    list.isOverlay = true
    list.head = [LinearFormat.ended("End of \(end.course.place.title)")]
    list.head += summary.facts.map { LinearFormat.ended("\(LinearFormat.capitalised($0.label)): \($0.text)") }
    list.head += summary.goals.map { LinearFormat.ended("\(LinearFormat.ended($0.title)) \($0.done) done") }
    let steps = path.lines(limit: Self.maximumSteps, symbols: .ascii).map { LinearFormat.ended($0.title) }
    if !steps.isEmpty { list.head.append("Path: " + steps.joined(separator: " ")) }
    if !summary.dueDecks.isEmpty { list.head.append("To review:") }
    list.items = summary.dueDecks.map { deck in
      LinearList.Item(
        title: deck.card.place.title, detail: LinearFormat.ended(LinearFormat.capitalised(deck.result)),
        target: .place(deck.card.place.place, cause: .key))
    }
    if let next = end.next { list.items.append(LinearList.Item(next, days)) }
    list.endTarget = end.next.map { NavigationRequest.open(.place($0.place.place)) } ?? .popToRoot
    list.foot = [
      "Enter: " + LinearFormat.ended(end.next.map { "continue with " + $0.place.title } ?? "the list of courses")
    ]
    try printList()
  }
}

extension LinearList.Item {
  init(_ card: PlaceSummary, _ days: RelativeDateFormat) {
    self.init(
      title: card.place.title, detail: LinearFormat.state(card, days), target: .place(card.place.place, cause: .key))
  }
}
