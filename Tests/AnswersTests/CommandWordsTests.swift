import CourseKit
import LearningModel
import LearningStore
import NavigationKit
import Snapshots
import Testing

@testable import Answers

struct CommandWordsTests {
  private struct Other: Error, CustomStringConvertible {
    let description = "Could not read '/a'."
  }

  @Test func `a remedy names the commands and flags of the program`() {
    let remedies: [Remedy] = [
      .chooseDatabase(orMoveAway: false),
      .chooseDatabase(orMoveAway: true),
      .restoreDatabase(path: "/a"),
      .installNewerVersion,
      .exportWithOlderVersion,
      .changePermissions(includingFolder: false),
      .changePermissions(includingFolder: true),
      .createFolder,
      .correctLink(isCircular: true),
      .correctLink(isCircular: false),
      .chooseLocalDisk,
      .chooseBackup,
      .checkDatabase,
      .rebuildDatabase,
      .listPlaces,
      .listActivities(of: PlacePath("a/b")),
      .listCards(of: PlacePath("a/b")),
      .fitCourse,
      .listLearners,
      .listSessions,
      .chooseLearnerExport,
      .replaceOrChooseKey,
      .importFromPath,
      .importOnce,
      .listFormats,
      .writeInOwnFormat(content: "cards"),
      .importAsFormat("html"),
      .detectFormat,
      .importOutput(of: "man ls", isAlternative: false),
      .importOutput(of: "man ls", isAlternative: true),
      .chooseTokenOrLearner,
      .joinOrChooseLearner,
      .chooseLearner(name: "ada"),
      .eraseHistory,
      .updateProgram,
    ]

    expectSnapshot(remedies.map(CommandWords.text))
    // The library's own sentence fits any program.
    let sentences = remedies.map(\.description)
    #expect(sentences.allSatisfy { !$0.contains("waymark") && !$0.contains("--") && $0.hasSuffix(".") })
  }

  @Test(
    arguments: [
      (
        NavigationError.unknownPlace(name: "x", nearest: []),
        "Could not find 'x': no place has this path. List the places with 'waymark tree'."
      ),
      (
        NavigationError.unknownPlace(name: "x", nearest: [PlacePath("xy")]),
        "Could not find 'x': no place has this path. Did you mean 'xy'?"
      ),
      (
        CourseLibraryError.database(.anotherProgram(path: "/a")),
        "Could not open the database at '/a': it belongs to another program. Choose another with --database."
      ),
      (Other(), "Could not read '/a'."),
    ] as [(any Error, String)])
  func `the remedy of an error follows its description`(error: any Error, message: String) {
    #expect(CommandWords.text(error) == message)
  }

  @Test func `the remedy of a diagnostic becomes a part of its message`() {
    let diagnostic = Diagnostic(
      severity: .error, file: "a", line: 3, message: "It is of no known format.", remedy: .listFormats)

    let complete = diagnostic.withRemedy

    #expect(
      complete.description
        == "a:3: error: It is of no known format. List the formats with 'waymark formats'.")
    #expect(complete.withRemedy == complete)
  }

  @Test func `a callback's error ends the calls and is thrown afterwards`() {
    var calls = 0
    func each(_ body: (Int) -> Bool) {
      for number in 1...3 where !body(number) { return }
      calls += 10
    }

    #expect(throws: Other.self) {
      try withThrowingCallback { (number: Int) in
        calls += 1
        if number == 2 { throw Other() }
      } _: {
        each($0)
      }
    }
    #expect(calls == 2)
  }
}
