import Foundation
import Snapshots
import Testing

@testable import Answers

struct AnswerTextTests {
  private struct Inner: Encodable {
    let zebra: Int
    let apple: String?
  }

  private struct Outer: Encodable {
    let name: String
    let missing: Int?
    let share: Double
    let inner: Inner?
    let list: [Inner]
  }

  @Test func `keys keep their order, and a missing value is null`() throws {
    let value = Outer(
      name: "a", missing: nil, share: 0.5, inner: nil, list: [Inner(zebra: 1, apple: nil), Inner(zebra: 2, apple: "b")])

    let text = try AnswerText.jsonLine(value)

    #expect(
      text
        == #"{"name":"a","missing":null,"share":0.5,"inner":null,"list":[{"zebra":1,"apple":null},{"zebra":2,"apple":"b"}]}"#
    )
  }

  @Test func `indented JSON has two spaces per level and compact empty containers`() throws {
    let value = Outer(name: "a", missing: 1, share: 2, inner: Inner(zebra: 3, apple: "c"), list: [])

    let text = try AnswerText.json(value)

    expectSnapshot(text)
  }

  @Test func `control characters are escaped`() {
    #expect(OutputValue.text("a\"b\\\n\t\u{1B}[2J\u{9B}x é").json == #""a\"b\\\n\t\u001b[2J\u009bx é""#)
  }

  @Test func `infinity and NaN are null`() {
    #expect(OutputValue.array([.number(.infinity), .number(.nan), .number(-0.25)]).json == "[null,null,-0.25]")
  }

  @Test func `invisible characters are escaped and decode to the same text`() throws {
    let text = "a\u{1B}\u{7F}\u{9B}\u{202E}\u{200B}\u{FEFF}\u{E0041}é👩\u{200D}👧"

    let json = OutputValue.text(text).json

    #expect(json == #""a\u001b\u007f\u009b\u202e\u200b\ufeff\udb40\udc41é👩"# + "\u{200D}👧\"")
    #expect(try JSONDecoder().decode(String.self, from: Data(json.utf8)) == text)
  }

  private struct Mixed: Encodable {
    private enum Key: String, CodingKey { case numbers, place, rest, nothing }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var numbers = container.nestedUnkeyedContainer(forKey: .numbers)
      try numbers.encode(Int8(-1))
      try numbers.encode(UInt64.max)
      try numbers.encodeNil()
      try numbers.encode(Inner(zebra: 1, apple: nil))
      var place = container.nestedContainer(keyedBy: Key.self, forKey: .place)
      try place.encode(Float(0.5), forKey: .rest)
      // A second container of the same encoder continues the object.
      try Inner(zebra: .min, apple: "b").encode(to: encoder)
      try container.encodeIfPresent(Inner?.none, forKey: .nothing)
    }
  }

  @Test func `containers nest, and a second container of one encoder continues the first`() throws {
    #expect(
      try AnswerText.jsonLine(Mixed())
        == #"{"numbers":[-1,18446744073709551615,null,{"zebra":1,"apple":null}],"place":{"rest":0.5},"#
        + #""zebra":-9223372036854775808,"apple":"b","nothing":null}"#)
  }
}
