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

  enum Loss: CaseIterable { case missing, replaced, emptied }

  @Test(arguments: Loss.allCases)
  func `a server is not ready and refuses requests while its file is missing, replaced or empty`(loss: Loss) throws {
    let (home, token) = try ServerFixture.serving()
    let away = home.database + ".away"
    #expect(try home.ask("GET", "/ready").status == 200)

    try FileManager.default.copyItem(atPath: home.database, toPath: away)
    switch loss {
    case .missing, .replaced:
      try FileManager.default.moveItem(atPath: home.database, toPath: away + "-original")
      if loss == .replaced { try FileManager.default.copyItem(atPath: away, toPath: home.database) }
    case .emptied: truncate(home.database, 0)
    }
    // A read must not wait for another request to detect the loss.
    let reads = try ["/v1/where", "/v1/courses", "/v1/history", "/v1/me"].map {
      try home.ask("GET", $0, token: token).status
    }
    let missing = try home.ask("GET", "/ready")
    let write = try home.ask("POST", "/v1/steps", token: token, body: opening)
    let again = try home.ask("GET", "/ready").status
    switch loss {
    case .missing, .replaced:
      try? FileManager.default.removeItem(atPath: home.database)
      try FileManager.default.moveItem(atPath: away + "-original", toPath: home.database)
    case .emptied:
      let file = try FileHandle(forUpdating: URL(filePath: home.database))
      try file.write(contentsOf: Data(contentsOf: URL(filePath: away)))
      try file.close()
    }
    try wait(for: 200, home)

    #expect(reads == [503, 503, 503, 503])
    #expect(missing.status == 503 && missing.headers["retry-after"] == "1" && write.status == 503 && again == 503)
    #expect(try home.ask("GET", "/v1/where", token: token).status == 200)
    #expect(try home.ask("POST", "/v1/steps", token: token, body: opening).status == 200)
    let lines = try home.stop().errors.split(separator: "\n").filter { $0.contains(" error ") }
    #expect(lines.count == 1 && lines[0].contains("the file was deleted, emptied or replaced while"), "\(lines)")
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
