import Foundation
import TestSupport
import Testing

/// Compares each route with the output of its command, byte by byte, for random courses and histories.
struct SameAnswersTests {
  /// A request and the command that must print the same answer.
  private struct Question {
    let path: String
    let command: [String]
  }

  @Test(arguments: Tier.seeds([1, 2, 3], long: 0..<40))
  func `the response of a route equals the output of its command`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let home = try ServerFixture()
    let course = RandomCourse(using: &random)
    let imported = try home.waymark("import", course.file(in: home))
    #expect(imported.code == 0, "\(imported)")
    try course.walk(home, using: &random)
    let paths = try course.paths(in: home)
    let token = try home.token()
    let teacher = try home.token("teacher", "--scope", "teacher")
    try home.serve()
    let connection = try home.connect()

    for question in Self.questions(paths, using: &random) {
      let printed = try home.waymark(question.command)
      let isTeachers = question.command.contains("all")
      let answer = try connection.ask("GET", question.path, token: isTeachers ? teacher : token)

      #expect(printed.code == 0, "\(question.command): \(printed)")
      #expect(answer.status == 200, "\(question.path): \(answer.body)")
      #expect(answer.body == printed.output, "\(question.path)")
    }
  }

  /// Several requests for each route that only reads.
  private static func questions(_ paths: [String], using random: inout SplitMix64) -> [Question] {
    func some(_ random: inout SplitMix64) -> String { paths[random.below(paths.count)] }
    func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
    // The slashes may be sent without percent-encoding.
    func sent(_ path: String) -> String {
      path.split(separator: "/").map { encoded(String($0)) }.joined(separator: "/")
    }
    let activities = paths.filter { $0.split(separator: "/").count == 4 }
    var questions = [
      Question(path: "/v1/courses", command: ["courses", "--format", "json"]),
      Question(path: "/v1/courses?limit=1", command: ["courses", "--limit", "1", "--format", "json"]),
      Question(path: "/v1/where", command: ["where", "--format", "json"]),
      Question(path: "/v1/bookmarks", command: ["bookmarks", "list", "--format", "json"]),
      Question(path: "/v1/progress", command: ["progress", "list", "--format", "json"]),
      Question(path: "/v1/review/due", command: ["review", "due", "--format", "json"]),
      Question(path: "/v1/review/next?ahead=true", command: ["review", "next", "--ahead", "--format", "json"]),
      Question(path: "/v1/review/list?limit=1000", command: ["review", "list", "--format", "json"]),
      Question(path: "/v1/review/stats?by=day", command: ["review", "stats", "--by", "day", "--format", "json"]),
      Question(path: "/v1/review/forecast?days=5", command: ["review", "forecast", "--days", "5", "--format", "json"]),
      Question(path: "/v1/review/log?limit=3", command: ["review", "log", "--limit", "3", "--format", "json"]),
      Question(path: "/v1/review/set", command: ["review", "set", "--format", "json"]),
      Question(path: "/v1/me", command: ["learners", "export", "ada"]),
      Question(path: "/v1/history?limit=1000", command: ["history", "list", "--format", "json"]),
      Question(path: "/v1/learners?limit=1000", command: ["learners", "list", "--format", "json", "--learner", "all"]),
      Question(
        path: "/v1/progress?by=learner",
        command: ["progress", "list", "--by", "learner", "--learner", "all", "--format", "json"]),
      Question(
        path: "/v1/history?learner=all&limit=5",
        command: ["history", "list", "--learner", "all", "--limit", "5", "--format", "json"]),
    ]
    for group in ["place", "lesson", "goal", "course", "session", "day", "week", "hour", "operation", "transition"] {
      questions.append(
        Question(
          path: "/v1/statistics?by=\(group)&limit=1000",
          command: ["history", "stats", "--by", group, "--format", "json"]))
    }
    for _ in 0..<4 {
      let (place, limit, after) = (some(&random), 1 + random.below(9), 2 + random.below(20))
      questions += [
        Question(
          path: "/v1/courses/\(sent(place))?limit=\(limit)",
          command: ["tree", place, "--limit", "\(limit)", "--format", "json"]),
        Question(
          path: "/v1/courses/\(encoded(place))?depth=1", command: ["tree", place, "--depth", "1", "--format", "json"]),
        Question(
          path: "/v1/history?under=\(encoded(place))&limit=\(limit)&after=\(after)",
          command: [
            "history", "list", "--under", place, "--limit", "\(limit)", "--after", "\(after)", "--format", "json",
          ]),
        Question(
          path: "/v1/progress?place=\(encoded(place))", command: ["progress", "list", place, "--format", "json"]),
      ]
      let activity = activities[random.below(activities.count)]
      questions.append(Question(path: "/v1/pages/\(sent(activity))", command: ["show", activity, "--format", "json"]))
      let word = RandomCourse.words[random.below(RandomCourse.words.count)]
      questions.append(
        Question(
          path: "/v1/search?q=\(encoded(word))&limit=\(limit)",
          command: ["search", word, "--limit", "\(limit)", "--format", "json"]))
      questions.append(
        Question(
          path: "/v1/history?kind=activity&operation=open&since=2020-01-01&timeZone=Asia/Kathmandu",
          command: [
            "history", "list", "--kind", "activity", "--operation", "open", "--since", "2020-01-01", "--time-zone",
            "Asia/Kathmandu", "--format", "json", "--limit", "100",
          ]))
      for (parameter, option) in [
        ("query=kind:activity%20is:begun", ["--query", "kind:activity is:begun"]),
        ("type=quiz&answers=wrong", ["--type", "quiz", "--answers", "wrong"]), ("is=done", ["--is", "done"]),
      ] {
        questions.append(
          Question(
            path: "/v1/history?limit=1000&\(parameter)",
            command: ["history", "list"] + option + ["--limit", "1000", "--format", "json"]))
      }
    }
    return questions
  }

  @Test(arguments: Tier.seeds([4, 5], long: 40..<80))
  func `the response to a navigation request equals the command's output, and a dry run predicts it`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let home = try ServerFixture()
    let paths = try RandomCourse.paths(in: home)
    let token = try home.token()
    try home.serve()
    let connection = try home.connect()
    // The name by which the command line selects the server's session.
    let session = "web@1"

    for _ in 0..<25 {
      let operation = ["open", "push", "pop", "next", "previous", "back", "forward", "resume", "popToRoot"][
        random.below(9)]
      let place = ["open", "push"].contains(operation) ? paths[random.below(paths.count)] : nil
      let arguments = Self.word(operation) + (place.map { [$0] } ?? [])
      let printed = try home.waymark(["nav"] + arguments + ["--session", session, "--dry-run", "--format", "json"])
      let body =
        place.map { #"{"operation": "\#(operation)", "place": "\#($0)", "dryRun": true}"# }
        ?? #"{"operation": "\#(operation)", "dryRun": true}"#
      let predicted = try connection.ask("POST", "/v1/steps", token: token, body: body)
      let performed = try connection.ask("POST", "/v1/steps", token: token, body: step(operation, place))

      #expect((printed.code == 0) == (predicted.status == 200), "\(arguments): \(printed) \(predicted)")
      guard printed.code == 0 else { continue }
      #expect(predicted.body == printed.output)
      #expect(performed.status == 200)
      #expect(Self.withoutEvent(performed.body) == Self.withoutEvent(predicted.body))
    }
    #expect(try home.waymark("database", "check").code == 0)
  }

  private static func word(_ operation: String) -> [String] {
    operation == "popToRoot" ? ["pop-to-root"] : [operation]
  }

  /// The members of a step without those that depend on the recorded event.
  private static func withoutEvent(_ text: String) -> [String: AnyHashable] {
    var object = ((try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: AnyHashable]) ?? [:]
    object["event"] = nil
    object["performed"] = nil
    return object
  }

  @Test func `the pages of a list together equal the whole list`() throws {
    let home = try ServerFixture()
    let token = try home.token()
    let output = try home.waymark("tree", "english-for-business", "--format", "json").output
    try home.serve()
    let connection = try home.connect()

    var rows: [String] = []
    var next: String? = "/v1/courses/english-for-business?limit=7"
    while let path = next {
      let page = try connection.ask("GET", path, token: token)
      #expect(page.status == 200)
      rows.append(String(page.body.dropFirst(2).dropLast(3)))
      next = page.headers["link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
      #expect(next == nil || page.headers["link"]?.hasSuffix("; rel=\"next\"") == true)
    }

    #expect(rows.count == 11)
    #expect("[\n" + rows.joined(separator: ",\n") + "\n]\n" == output)
  }

  @Test func `a predicted transition equals that of a dry run`() throws {
    let home = try ServerFixture()
    let token = try home.token()
    let (from, to) = ("english-for-business/negotiating", "english-for-business/meetings/opening")
    #expect(try home.waymark("nav", "open", from).code == 0)
    let printed = try home.waymark("nav", "open", to, "--dry-run", "--format", "json").output
    try home.serve()

    let answer = try home.ask("GET", "/v1/transitions?from=\(from)&to=\(to)", token: token)

    #expect(answer.body == printed)
  }

  @Test func `the response to an activity event equals the progress that the command prints`() throws {
    let home = try ServerFixture()
    let token = try home.token()
    let place = "english-for-business/meetings/opening/why-are-we-here"
    try home.serve()

    let answer = try home.ask("POST", "/v1/acts", token: token, body: #"{"act": "markedDone", "place": "\#(place)"}"#)

    #expect(answer.status == 200)
    #expect(answer.body == (try home.waymark("progress", "list", place, "--format", "json").output))
  }
}
