import LearningModel
package import NavigationKit
import TextCanvas

extension Exercise {
  /// The task, followed by the facts about the exercise.
  var readBlocks: [Block] {
    let files = files(.edit).flatMap { [Inline.text(", "), .code($0.path)] }.dropFirst()
    let facts: [[Inline]] = [
      language.map { [.text("Language: \($0)")] } ?? [],
      difficulty.map { [.text("Difficulty: \($0) of 10")] } ?? [],
      files.isEmpty ? [] : [.text("To edit: ")] + files,
      hints.isEmpty ? [] : [.text("Hints: \(hints.count)")],
    ]
    let items = facts.filter { !$0.isEmpty }.map { ListItem(blocks: [.paragraph($0)]) }
    return items.isEmpty ? task : task + [.bulletList(items: items)]
  }

  /// The page of a web site: the task and the files to edit. Other files, hints and the solution are collapsed.
  ///
  /// - Parameter bytes: Returns the content of a file, or `nil` if it is not stored.
  func siteBlocks(bytes: (ExerciseFile) throws -> [UInt8]?) rethrows -> [Block] {
    func text(of file: ExerciseFile) throws -> Block {
      guard var text = try bytes(file).flatMap({ String(validating: $0, as: UTF8.self) }) else {
        return .paragraph([.emphasis([.text("This file is no text.")])])
      }
      if text.hasSuffix("\n") { text.removeLast() }
      return .code(language: file.role == .support ? nil : language, text: text)
    }
    func details(_ summary: String, _ blocks: [Block]) -> [Block] {
      blocks.isEmpty ? [] : [.details(summary: [.text(summary)], blocks: blocks)]
    }
    func named(_ role: ExerciseFile.Role) throws -> [Block] {
      try files(role).flatMap { [.paragraph([.code($0.path)]), try text(of: $0)] }
    }
    return try readBlocks + named(.edit) + details("Tests", named(.test)) + details("Other files", named(.support))
      + hints.enumerated().flatMap { details("Hint \($0 + 1)", $1) } + details("Solution", solution + named(.solution))
  }

  /// The text of the file of an exercise in a folder of Waymark's format: the task, and sections for the hints and the
  /// solution. Headings that would begin such sections have a lower level.
  var fileBlocks: [Block] {
    func section(_ name: String, _ blocks: [Block]) -> [Block] {
      (name.isEmpty ? [] : [.heading(level: 2, text: [.text(name)], anchor: "")])
        + blocks.map { block in
          guard block.exerciseSection != nil, case .heading(_, let text, let anchor) = block else { return block }
          return .heading(level: 3, text: text, anchor: anchor)
        }
    }
    return section("", task) + hints.flatMap { section("Hint", $0) }
      + (solution.isEmpty ? [] : section("Solution", solution))
  }
}

extension PlaceSummary.ExerciseState {
  /// The state for a page or a list.
  package var text: String {
    switch self {
    case .notChecked: "not checked yet"
    case .passed: "passed"
    case .failed: "last check failed"
    case .unchanged: "passed without an edited file"
    case .marked: "marked by hand"
    }
  }
}

extension PlaceSummary {
  /// The passed exercises of a place, such as `7 of 94 passed`. `nil` if the place contains none.
  package var passedText: String? { exercises.map { DisplayFormat.progress($0) + " passed" } }
}
