import Foundation
import JSONCoding
import Testing

/// Compares the coding with that of Foundation.
struct JSONCodingTests {
  private struct Numbers: Codable, Equatable {
    var small: Int8 = -128
    var large = UInt64.max
    var whole: Double = 3
    var fraction = -0.125
    var power = 1e300
    var single: Float = 0.5
    var isSet = true
    var missing: String?
    var nested: [String: [Int?]] = ["b": [1, nil], "a": []]
    var text = "\u{1}/\"é\n"
  }

  @Test func `sorted JSON has the same bytes as that of Foundation, and is decoded again`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]

    let bytes = try JSONEncoding.sorted(Numbers())

    #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: try encoder.encode(Numbers()), as: UTF8.self))
    #expect(try JSONDecoding.decode(Numbers.self, from: bytes) == Numbers())
  }

  @Test func `a number that JSON cannot represent is rejected in sorted JSON`() {
    #expect(throws: EncodingError.self) { try JSONEncoding.sorted([Double.nan]) }
    #expect(throws: EncodingError.self) { try JSONEncoding.sorted([-Double.infinity]) }
  }

  @Test(arguments: ["[1, 2,]", "[01]", "[1] 2", "[\"\u{1}\"]", "[1.5]", "[\"1\"]", "[null]", "[1e400]", "{}", "1"])
  func `a text that is not a list of whole numbers is rejected`(_ json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoding.decode([Int].self, from: Array(json.utf8)) }
  }

  @Test func `values that are nested too deeply are rejected`() {
    let json = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)

    #expect(throws: DecodingError.self) { try JSONDecoding.decode([[Int]].self, from: Array(json.utf8)) }
  }

  @Test func `a scanner reports the line, the problem and the advice`() {
    var scanner = JSONScanner(Array("{\"a\": [1,\n 2 3]}".utf8), deepest: 9)

    #expect(
      throws: JSONError.malformed(
        line: 2, problem: "the JSON is invalid: ',' or ']' is missing before '3'",
        advice: "Correct the line, or the one above it.")
    ) { try scanner.skip() }
    var nested = JSONScanner(Array("[[[]]]".utf8), deepest: 2)
    #expect(throws: JSONError.tooDeep(limit: 2, line: 1)) { try nested.skip() }
  }
}
