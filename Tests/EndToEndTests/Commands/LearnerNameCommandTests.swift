import Foundation
import Testing

/// The rules for learners' names, as the built program applies them.
struct LearnerNameCommandTests {
  @Test func `a new name that is similar to a known name is refused`() throws {
    let home = try HomeFixture.walked()
    let refusal = Answer(
      code: 1,
      errors: "Could not add learner 'Ada': the name differs from that of learner 'ada' only in case, spaces or "
        + "invisible characters. Use 'ada', or choose a name with different letters.\n")

    let flag = try home.waymark("nav", "open", "english-for-business", "--learner", "Ada")
    let bookmark = try home.waymark("bookmarks", "add", "english-for-business", "--learner", "Ada")
    home.environment["WAYMARK_LEARNER"] = "Ada"
    let variable = try home.waymark("nav", "open", "english-for-business")

    #expect(flag == refusal && bookmark == refusal && variable == refusal)
    #expect(try home.waymark("learners", "--format", "jsonl").output == "{\"name\":\"ada\"}\n")
  }

  @Test(arguments: [
    ("all", "'all' as a name: this word is reserved for all learners."),
    (
      "a\u{202E}b",
      "'ab' as a name: it contains a control character, a line break or a direction mark (U+202E)."
    ),
    ("a\nb", "it contains a control character, a line break or a direction mark (U+000A)."),
    (
      String(repeating: "x", count: 101),
      "xx' as a name: it has 101 characters, and a name has at most 100."
    ),
  ])
  func `an invalid name for a learner is refused`(name: String, message: String) throws {
    let home = try HomeFixture.walked()
    home.environment["WAYMARK_LEARNER"] = name

    let step = try home.waymark("nav", "open", "english-for-business")
    let imported = try home.waymark(
      "--learner", "ada", "learners", "import", "--as", name,
      home.write(try home.waymark("learners", "export", "ada", "--learner", "ada").output, to: "a.json"))

    #expect(step.code == 64 && step.errors.contains(message), "\(step)")
    #expect(step.errors.hasSuffix(" Choose another name.\n"), "\(step)")
    #expect(imported.code == 64 && imported.errors.contains(message), "\(imported)")
  }

  @Test func `a login name selects a learner whose name differs only in case`() throws {
    let home = try HomeFixture.withBundledCourse()
    let login = String(cString: getpwuid(getuid()).pointee.pw_name)
    let storedName = login.capitalized == login ? login.uppercased() : login.capitalized
    home.environment["WAYMARK_LEARNER"] = storedName
    _ = try home.waymark("nav", "open", "english-for-business")
    home.environment["WAYMARK_LEARNER"] = nil

    let step = try home.waymark("nav", "open", "english-for-business/meetings")
    let short = try home.waymark("where", "--short")
    let named = try home.waymark("nav", "open", "english-for-business", "--learner", login)

    let notice =
      "Using learner '\(storedName)', whose name differs from your login name only in case. "
      + "To choose another learner, set WAYMARK_LEARNER or use --learner.\n"
    #expect(step.code == 0 && step.errors == notice, "\(step)")
    #expect(short.output == "English for Business › Meetings\n" && short.errors == notice, "\(short)")
    #expect(named.code == 1 && named.errors.contains("that of learner '\(storedName)' only in case"))
    #expect(try home.waymark("learners", "--format", "jsonl").output == "{\"name\":\"\(storedName)\"}\n")
  }

  @Test func `a learner with a similar name is imported with a notice`() throws {
    let home = try HomeFixture.walked()
    let file = try home.write(
      try home.waymark("learners", "export", "ada").output.replacing(#""name": "ada""#, with: #""name": "Ada""#)
        .replacing(/"uuid":"[0-9a-f]{4}/, with: #""uuid":"0000"#).replacing(
          /"session":"[0-9a-f]{4}/, with: #""session":"0000"#),
      to: "a.json")

    let answer = try home.waymark("learners", "import", file, "--format", "jsonl")

    #expect(answer.code == 0 && answer.output.hasPrefix(#"{"learner":"Ada","sessions":1,"steps":4,"#), "\(answer)")
    #expect(
      answer.errors
        == "Added learner 'Ada' next to 'ada': the names differ only in case, spaces or invisible characters.\n")
  }
}
