import Foundation
import TestSupport
import Testing

/// The commands about everything of one learner, and about leaving and erasing.
struct PeopleCommandTests {
  @Test func `a learner goes out into a file, in from it, and away`() throws {
    let home = try Home.walked()
    let file = home.path("ada.json")

    let written = try home.waymark("learners", "export", "ada", "--output", file)
    let shown = try home.waymark("learners", "export", "ada")
    let again = try home.waymark("learners", "import", file, "--format", "jsonl")
    let unasked = try home.waymark("learners", "erase", "ada")
    let erased = try home.waymark("learners", "erase", "ada", "--yes")
    let none = try home.waymark("learners", "--format", "json")
    let back = try home.waymark("learners", "import", file, "--format", "jsonl")

    #expect(written == Answer(code: 0))
    #expect(shown.output == (try String(contentsOfFile: file, encoding: .utf8)))
    #expect(
      again.output
        == #"{"learner":"ada","sessions":0,"steps":0,"activities":0,"leftOut":0,"unknownPlaces":0}"# + "\n")
    #expect(
      unasked
        == Answer(
          code: 1,
          errors: "Could not erase learner 'ada': this needs a yes, and nobody can be asked here. Add --yes.\n"))
    #expect(erased == Answer(code: 0, output: "Erased 4 steps and 0 things done of learner “ada”.\n"))
    #expect(none.output == "[]\n")
    #expect(
      back.output
        == #"{"learner":"ada","sessions":1,"steps":4,"activities":0,"leftOut":0,"unknownPlaces":0}"# + "\n")
  }

  @Test func `nobody is exported or erased who is not there, and no file is read that is not`() throws {
    let home = try Home.walked()

    let exported = try home.waymark("learners", "export", "adda", "--output", home.path("a.json"))
    let erased = try home.waymark("learners", "erase", "adda", "--yes")
    let imported = try home.waymark("learners", "import", home.path("none.json"))
    let broken = try home.waymark("learners", "import", home.write("{", to: "broken.json"))

    #expect(exported.code == 66 && exported.errors.contains("Did you mean 'ada'?"))
    #expect(!FileManager.default.fileExists(atPath: home.path("a.json")))
    #expect(erased.code == 66)
    #expect(imported.code == 66 && broken.code == 65)
  }

  @Test func `the history is erased from a time on`() throws {
    let home = try Home.walked()

    let answer = try home.waymark("history", "erase", "--since", "1h")

    #expect(answer == Answer(code: 0, output: "Erased 4 steps and 0 things done of learner “ada”.\n"))
    #expect(try home.waymark("history", "--format", "json").output == "[]\n")
    #expect(try home.waymark("history", "erase").code == 64)
  }

  @Test func `statements are one array with one of them a line, and a record store takes each`() throws {
    let home = try Home.walked()
    _ = try home.waymark(
      "progress", "mark", "english-for-business/negotiating/opening-offers/read-the-brief", "done")

    let answer = try home.waymark("history", "export", "--as", "xapi")
    let none = try home.waymark("history", "export", "--as", "xapi", "--since", "now")

    let statements = try #require(answer.output.json as? [[String: Any]])
    #expect(statements.count == 4)
    #expect(answer.output.lines.count == 6)
    #expect(statements.flatMap { StatementRules.problems(in: $0) } == [])
    #expect(none.output == "[]\n")
  }

  @Test func `how activities were left is a list of places`() throws {
    let home = try Home.walked()

    let answer = try home.waymark("history", "leaving", "--format", "jsonl")

    #expect(
      answer.output
        == #"{"path":"english-for-business/negotiating/opening-offers/read-the-brief","kind":"activity","#
        + #""title":"Read the brief","left":1,"done":0,"popped":0,"abandoned":1}"# + "\n")
  }
}
