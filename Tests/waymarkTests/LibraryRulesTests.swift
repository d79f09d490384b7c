import Foundation
import Testing

/// Rules for the modules that other packages use.
struct LibraryRulesTests {
  private let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  /// The modules below the front ends. The front ends word a `Remedy` of an error as commands and flags.
  private static let modules = [
    "CourseFormats", "CourseKit", "CoursePages", "ExternalPrograms", "LearningModel", "LearningStore", "Mathematics",
    "NavigationKit", "Images", "ScreenKit", "TerminalIO", "TextCanvas",
  ]

  @Test(arguments: modules) func `a message names no command and no flag of the program`(module: String) throws {
    let literal = /"((?:\\.|[^"\\])*)"/
    let lines = try lines(of: module).filter { !$0.code.hasPrefix("//") }
    let messages = lines.flatMap { line in
      line.code.matches(of: literal).map { (place: line.place, text: String($0.output.1)) }
    }

    // A command line of another program is a list of single words.
    let wrong = messages.filter { $0.text.contains(" ") && Self.namesProgram($0.text) }

    #expect(messages.count > 5)
    #expect(wrong.map { "\($0.place): \($0.text)" } == [])
  }

  @Test(
    arguments: modules + [
      "Answers", "CourseBrowser", "CourseServer", "Exercises", "LinearBrowser", "waymark", "waymark-server",
    ])
  func `a printed command quotes its values for the shell`(module: String) throws {
    // A value directly after words of a command: "waymark tree \(path)", instead of "\(shell: "waymark", "tree", path)".
    let command =
      /(?:^|[^\w\/.-])(?:waymark(?:-server)?(?: [a-z-]+)+|(?:chmod|sqlite3)(?: [a-z0-9-]+)*) '?\\\((?!shell:|command:)/
    let wrong = try lines(of: module).filter { !$0.code.hasPrefix("//") && $0.code.contains(command) }

    #expect(wrong.map { "\($0.place): \($0.code)" } == [])
  }

  @Test(arguments: [
    ("Run 'waymark tree' to see it.", true), ("Open it with 'waymark' and its path.", true),
    ("Choose another with --database.", true), ("Update waymark.", true), ("Write 'waymark:' and a key.", false),
    ("it was written by a newer version of waymark", false), ("a format that Waymark reads", false),
    ("it is 1 -- 2", false),
  ])
  func `a command or a flag of the program is recognized`(message: String, isWrong: Bool) {
    #expect(Self.namesProgram(message) == isWrong)
  }

  private static func namesProgram(_ message: String) -> Bool {
    message.contains(/'waymark[' ]|[Uu]pdate waymark|(?:^|[^-\w])--[a-z]/)
  }

  /// Returns the lines of the Swift files of a module, without white space at their starts.
  private func lines(of module: String) throws -> [(place: String, code: Substring)] {
    let walk = try #require(
      FileManager.default.enumerator(at: sources.appending(path: module), includingPropertiesForKeys: nil))
    return try walk.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated().map { number, line in
          ("\(module)/\(file.lastPathComponent):\(number + 1)", line.drop(while: \.isWhitespace))
        }
    }
  }
}
