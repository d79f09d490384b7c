import Foundation
import LearningModel
import LearningStore
import Testing

@testable import NavigationKit

/// Tests a recorded conversation in the current version of the messages. The file has a message on each odd line,
/// followed by its answer. It changes only together with the version.
///
/// Ada had performed 14 steps at home, completed one activity and set three bookmarks. The server had 4 of her steps.
struct WireTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "conversation.jsonl")

  /// Returns the messages with their answers.
  private static func conversation() throws -> [(message: String, answer: String)] {
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    return stride(from: 0, to: lines.count, by: 2).map { (lines[$0], lines[$0 + 1]) }
  }

  private static func answers() throws -> [SyncAnswer] {
    try conversation().map { try SyncCoding.value(SyncAnswer.self, from: Data($0.answer.utf8)) }
  }

  @Test func `recorded messages are decoded and encoded unchanged`() throws {
    let conversation = try Self.conversation()

    for (message, answer) in conversation {
      let read = try SyncCoding.value(SyncMessage.self, from: Data(message.utf8))
      #expect(String(decoding: try SyncCoding.data(read), as: UTF8.self) == message)
      let answered = try SyncCoding.value(SyncAnswer.self, from: Data(answer.utf8))
      #expect(String(decoding: try SyncCoding.data(answered), as: UTF8.self) == answer)
    }
    #expect(
      Set(conversation.map { String($0.message.dropFirst(2).prefix { $0 != "\"" }) }) == [
        "greet", "compare", "push", "pull", "names",
      ])
  }

  @Test func `a recorded client pushes its data`() throws {
    let (fixture, hub) = try NavigationFixture.withService()
    fixture.advance(seconds: 30 * 86_400)
    guard case .hello(let hello) = try Self.answers()[0] else { throw SyncError.unexpectedAnswer }
    let time = hub.session.now()
    try hub.session.write { _ = try $0.makeLearner(named: "ada", uuid: hello.learner, at: time) }

    for (message, answer) in try Self.conversation() {
      let answered = try hub.sync.respond(SyncCoding.value(SyncMessage.self, from: Data(message.utf8)))
      let name = String(answer.dropFirst(2).prefix { $0 != "\"" })
      #expect(String(decoding: try SyncCoding.data(answered), as: UTF8.self).hasPrefix("{\"\(name)\":"))
    }

    #expect(try hub.history.page().rows.count == 14)
    #expect(try hub.notes.bookmarks().count == 3)
    #expect(try hub.check() == [])
  }

  @Test func `a client can pull from a recorded server`() throws {
    let (fixture, leaf) = try NavigationFixture.withService()
    fixture.advance(seconds: 30 * 86_400)
    let answers = try Self.answers()

    let report = try Synchroniser(leaf) { message in
      try #require(
        answers.first { answer in
          switch (message, answer) {
          case (.hello, .hello), (.compare, .comparison), (.pull, .payload), (.push, .acknowledged), (.names, .names):
            true
          default: false
          }
        })
    }.run()

    #expect(report.received.steps == 4)
    #expect(try leaf.history.page().rows.count == 4)
    #expect(try leaf.check() == [])
  }

  @Test func `unknown values of a later version are stored unchanged and passed on`() throws {
    let (fixture, hub) = try NavigationFixture.withService()
    fixture.advance(seconds: 30 * 86_400)
    guard case .hello(let hello) = try Self.answers()[0] else { throw SyncError.unexpectedAnswer }
    let time = hub.session.now()
    try hub.session.write { _ = try $0.makeLearner(named: "ada", uuid: hello.learner, at: time) }
    let later = [
      (#""cause":"api""#, #""cause":"voice""#), (#""operation":"push""#, #""operation":"leap""#),
      (#""kind":"lessonCard""#, #""kind":"lessonFold""#), (#""kind":"seenToEnd""#, #""kind":"sketched""#),
      (#""direction":"up""#, #""direction":"outwards""#), (#""reason":"matched""#, #""reason":"habit""#),
      (#"{"kind":"root"}"#, #"{"kind":"review"}"#), (#""kind":"lesson","node""#, #""kind":"studio","node""#),
    ]

    for (message, _) in try Self.conversation() {
      let text = later.reduce(message) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
      _ = try hub.sync.respond(SyncCoding.value(SyncMessage.self, from: Data(text.utf8)))
    }
    let leaf = try NavigationFixture.withCourses().service()
    try SyncPair(leaf, hub).run()

    for service in [hub, leaf] {
      let rows = try service.history.page().rows
      #expect(rows.count == 14)
      #expect(rows.contains { $0.operation == .other("leap") && $0.cause == .other("voice") })
      #expect(rows.contains { $0.transition?.choice.kind == .other("lessonFold") })
      #expect(rows.contains { $0.transition?.choice.direction == .other("outwards") })
      #expect(rows.contains { $0.transition?.choice.reason == .other("habit") })
      #expect(rows.contains { $0.to.kind == .other("studio") && $0.to.title != "studio" })
      #expect(rows.contains { $0.to.kind == .other("review") && $0.to.title == "review" && $0.to.path == .root })
      #expect(try service.everything().contains { $0.hasPrefix("act ") && $0.contains("sketched") })
      #expect(try service.check() == [])
    }
    #expect(try leaf.everything() == hub.everything())
    // Events of an unknown kind complete nothing.
    #expect(try leaf.progress.attempts() == [])
    #expect(String(decoding: try JSONEncoder().encode(NavigationCause.other("voice")), as: UTF8.self) == "\"voice\"")
    #expect(NavigationCause(rawValue: "voice") == nil && NavigationCause(rawValue: "key") == .key)
    for word in ["", "Voice", "by voice", String(repeating: "a", count: 41), "vöice"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([NavigationCause].self, from: Data("[\"\(word)\"]".utf8))
      }
    }
  }
}
