import CourseKit
import LearningModel
import LearningStore
import NavigationKit
import Testing

@testable import Answers

struct CommandWordsTests {
  private struct Other: Error, CustomStringConvertible {
    let description = "Could not read '/a'."
  }

  @Test(
    arguments: [
      (.chooseDatabase(orMoveAway: false), "Choose another with --database."),
      (
        .chooseDatabase(orMoveAway: true),
        "Choose another with --database, or move the file away to create a new database."
      ),
      (
        .restoreDatabase(path: "/a"),
        "Restore a copy of it with 'waymark database restore FILE', or recover the readable data with "
          + "'sqlite3 /a .recover'."
      ),
      (
        .installNewerVersion,
        "Install that version, or choose another database with --database. Nothing was changed."
      ),
      (
        .exportWithOlderVersion,
        "With the Waymark version that created it, export each course ('waymark export COURSE --output FILE'), and import "
          + "these files with this version into a new database. Learners' histories of that version cannot be read. "
          + "Nothing was changed."
      ),
      (
        .changePermissions(includingFolder: false), "Change its permissions, or choose another with --database."
      ),
      (
        .changePermissions(includingFolder: true), "Change their permissions, or choose another with --database."
      ),
      (.createFolder, "Create the folder yourself, or choose another path with --database."),
      (.correctLink(isCircular: true), "Correct the link, or choose another database with --database."),
      (
        .correctLink(isCircular: false), "Create it, correct the link, or choose another database with --database."
      ),
      (.chooseLocalDisk, "Choose a path on a local disk with --database."),
      (.chooseBackup, "Name a file that 'waymark database backup' wrote."),
      (.checkDatabase, "Run 'waymark database check', and please report this."),
      (.rebuildDatabase, "Run 'waymark database rebuild'."),
      (.listPlaces, "List the places with 'waymark tree'."),
      (.listActivities(of: PlacePath("a/b")), "Run 'waymark tree a/b' to see its activities."),
      (.listLearners, "List the learners with 'waymark learners list'."),
      (.listSessions, "List the sessions with 'waymark history stats --by session --learner all'."),
      (.chooseLearnerExport, "Name a file that 'waymark learners export' wrote."),
      (
        .replaceOrChooseKey,
        "Use --replace if this is intended, or --key to import it as another course. Nothing was changed."
      ),
      (.importFromPath, "Import it again with 'waymark import', or open it with 'waymark' and its path."),
      (.importOnce, "Omit --watch to import it once."),
      (.listFormats, "List the formats with 'waymark formats'."),
      (
        .writeInOwnFormat(content: "cards"),
        "Write the cards in Waymark's own format: 'waymark formats' describes it."
      ),
      (.importAsFormat("html"), "Use '--from html' with 'waymark import' to read its HTML pages."),
      (.detectFormat, "Omit --from to detect the format."),
      (
        .importOutput(of: "man ls", isAlternative: false), "Use a pipe, for example 'man ls | waymark -'."
      ),
      (
        .importOutput(of: "man ls", isAlternative: true), "Or: Use a pipe, for example 'man ls | waymark -'."
      ),
      (.chooseTokenOrLearner, "Use another token, or another --learner."),
      (.joinOrChooseLearner, "Use --join if they are, or choose the correct --learner."),
      (.chooseLearner(name: "ada"), "Use --learner 'ada'."),
      (.eraseHistory, "Erase it with 'waymark history erase --since', and synchronise again."),
      (.updateProgram, "Update waymark."),
    ] as [(Remedy, String)])
  func `a remedy names the commands and flags of the program`(remedy: Remedy, message: String) {
    #expect(CommandWords.text(remedy) == message)
    // The library's own sentence fits any program.
    #expect(!remedy.description.contains("waymark") && !remedy.description.contains("--"))
    #expect(remedy.description.hasSuffix("."))
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
