import Foundation
import TestSupport
import Testing

/// The answer of `/ready` while the database cannot be used.
@Suite(.timeLimit(.minutes(3))) struct ReadinessTests {
  private let opening = step("open", "english-for-business")

  private func wait(for status: Int, _ home: ServerFixture) throws {
    for _ in 0..<3_000 {
      if try home.ask("GET", "/ready").status == status { return }
      usleep(20_000)
    }
    Issue.record("/ready was never answered with \(status).")
  }

  @Test(arguments: [false, true])
  func `a server is not ready while its file is missing or replaced`(isReplaced: Bool) throws {
    let (home, token) = try ServerFixture.serving()
    let away = home.database + ".away"
    #expect(try home.ask("GET", "/ready").status == 200)

    try FileManager.default.moveItem(atPath: home.database, toPath: away)
    if isReplaced { try FileManager.default.copyItem(atPath: away, toPath: home.database) }
    let missing = try home.ask("GET", "/ready")
    let write = try home.ask("POST", "/v1/steps", token: token, body: opening)
    let again = try home.ask("GET", "/ready").status
    if isReplaced { try FileManager.default.removeItem(atPath: home.database) }
    try FileManager.default.moveItem(atPath: away, toPath: home.database)
    try wait(for: 200, home)

    #expect(missing.status == 503 && missing.headers["retry-after"] == "1" && write.status == 503 && again == 503)
    #expect(try home.ask("POST", "/v1/steps", token: token, body: opening).status == 200)
    let lines = try home.stop().errors.split(separator: "\n").filter { $0.contains(" error ") }
    #expect(lines.count == 1 && lines[0].contains("the file was deleted or replaced while it was open"), "\(lines)")
  }

  @Test func `a server is not ready after it has read a damaged page, and its log has one entry`() throws {
    let (home, token) = try ServerFixture.serving()
    #expect(try home.ask("GET", "/ready").status == 200)
    let file = try FileHandle(forUpdating: URL(filePath: home.database))
    let pages = try file.seekToEnd() / 4_096
    for page in 4..<pages {
      try file.seek(toOffset: page * 4_096)
      try file.write(contentsOf: Data(repeating: 0xA5, count: 600))
    }
    try file.close()

    let answers = try ["/v1/where", "/v1/history", "/v1/search?q=offer", "/v1/courses"].map {
      try home.ask("GET", $0, token: token).status
    }
    let ready = try (0..<20).map { _ in try home.ask("GET", "/ready").status }
    let lines = try home.stop().errors.split(separator: "\n").filter { $0.contains(" error ") }

    #expect(answers.contains(503) && !answers.contains(500), "\(answers)")
    #expect(Set(ready) == [503])
    #expect(lines.count == 1 && lines[0].contains("it is damaged"), "\(lines)")
  }
}
