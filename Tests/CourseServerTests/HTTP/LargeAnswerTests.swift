@testable import waymark_server
import Foundation
import NIOCore
import TestSupport
import Testing

/// Long answers, and long searches.
struct LargeAnswerTests {
  @Test(arguments: [0, 10, 1_048_576, 5_000_000])
  func `an answer in a temporary file has the same bytes and digest as its text`(length: Int) throws {
    let text = String(repeating: "0123456789äöü ", count: length / 17)
    var spool = AnswerSpool()
    for offset in stride(from: 0, to: text.count, by: 100_003) {
      try spool.append(String(text.dropFirst(offset).prefix(100_003)))
    }

    let answer = try spool.finish()

    var bytes = ByteBuffer()
    switch answer.content {
    case .memory(let buffer):
      #expect(length <= 1_048_576)
      bytes = buffer
    case .file(let file):
      #expect(length > 1_048_576)
      while bytes.readableBytes < file.byteCount {
        bytes.writeImmutableBuffer(try file.bytes(at: bytes.readableBytes, upTo: 65_536))
      }
    }
    #expect(String(buffer: bytes) == text)
    #expect(answer.digest == Digest.text(text.utf8))
  }

  @Test func `a long export equals the output of the command and has a valid entity tag`() throws {
    let home = try ServerFixture()
    let token = try home.token()
    let lines = (0..<3_000).map { step("open", $0.isMultiple(of: 2) ? "english-for-business" : "/") + "\n" }.joined()
    #expect(try home.waymark(["nav", "run"], input: lines).code == 0)
    let printed = try home.waymark("learners", "export", "ada").output
    try home.serve()
    let connection = try home.connect()

    let head = try connection.ask("HEAD", "/v1/me", token: token)
    let answer = try connection.ask("GET", "/v1/me", token: token)
    let tag = try #require(answer.headers["etag"])
    let again = try connection.ask("GET", "/v1/me", token: token, headers: ["If-None-Match": tag])

    #expect(printed.utf8.count > 1_048_576)
    #expect(answer.status == 200 && answer.body == printed)
    #expect(head.status == 200 && head.headers["content-length"] == String(printed.utf8.count))
    #expect(again.status == 304 && again.body.isEmpty)
  }

  @Test func `an export that the client does not read does not delay the learner's other requests`() throws {
    let home = try ServerFixture()
    let token = try home.token()
    // The answer is larger than the buffers of both sockets.
    let lines = (0..<20_000).map { step("open", $0.isMultiple(of: 2) ? "english-for-business" : "/") + "\n" }.joined()
    #expect(try home.waymark(["nav", "run"], input: lines).code == 0)
    try home.serve()
    let slow = try home.connect()
    try slow.send("GET", "/v1/me", token: token)
    #expect(try slow.head().status == 200)

    #expect(try home.ask("GET", "/v1/search?q=meeting", token: token).status == 200)
    #expect(try home.ask("GET", "/v1/history", token: token).status == 200)
  }

  @Test(arguments: [" ", ".", "…"])
  func `a search is limited to sixteen words`(separator: String) throws {
    let (home, token) = try ServerFixture.serving()
    func search(_ count: Int) throws -> HTTPConnection.Answer {
      let query = Array(repeating: "word", count: count).joined(separator: separator)
      let encoded = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      return try home.ask("GET", "/v1/search?q=\(encoded)", token: token)
    }

    #expect(try search(16).status == 200)
    let refused = try search(17)

    #expect(refused.status == 400)
    #expect(
      refused.object["detail"] as? String
        == "Could not search: 'q' has 17 words, and the maximum is 16. Omit some.")
  }
}
