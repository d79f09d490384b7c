import Foundation
import TestSupport
import Testing

private let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// The example client of the documentation, which uses only the HTTP interface.
@Suite(.enabled(if: python != nil, "Python is not installed."))
struct ExampleTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Documentation/examples/browse.py")

  @Test func `the example is at most 150 lines long`() throws {
    let lines = try String(contentsOf: Self.file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)

    #expect(lines.count <= 151)
  }

  @Test func `the example browses a course and follows its commands`() throws {
    let (home, token) = try ServerFixture.serving()

    let answer = try home.run(
      python!, [Self.file.path], input: "1\n1\n1\n1\nn\nu\nb\nx\n99\nu\nq\n",
      variables: ["WAYMARK_URL": "http://127.0.0.1:\(home.port)", "WAYMARK_TOKEN": token, "PYTHONIOENCODING": "utf-8"])

    #expect(answer.code == 0 && answer.errors == "")
    let transitions = answer.output.split(separator: "\n").filter { $0.hasPrefix("~ ") }
    #expect(
      transitions == [
        "~ courseCard down", "~ goalCard down", "~ lessonCard down", "~ activityCard down", "~ siblingSlide right",
        "~ activityCard up", "~ activityCard down", "~ activityCard up",
      ])
    #expect(answer.output.contains("English for Business"))
    let rows = try home.waymark("history", "list", "--format", "jsonl").output.split(separator: "\n")
    #expect(rows.count == 9)
  }

  @Test func `the example reports a missing token`() throws {
    let home = try ServerFixture()
    try home.serve()

    let answer = try home.run(python!, [Self.file.path], variables: ["WAYMARK_URL": "http://127.0.0.1:\(home.port)"])

    #expect(answer.code == 1)
    #expect(answer.errors.hasPrefix("Could not answer: the request has no valid token"))
  }
}
