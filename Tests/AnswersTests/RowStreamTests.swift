import Snapshots
import Testing

@testable import Answers

struct RowStreamTests {
  private struct Row: Encodable {
    let number: Int
    let text: String?
  }

  /// Writes rows and returns the chunks.
  private func pieces(_ form: RowStream.Format, _ rows: [Row]) throws -> [String] {
    var chunks: [String] = []
    var stream = RowStream(form)
    for row in rows { try stream.write(row) { chunks.append(String(decoding: $0, as: UTF8.self)) } }
    try stream.finish { chunks.append(String(decoding: $0, as: UTF8.self)) }
    #expect(stream.count == rows.count)
    return chunks
  }

  private func rows(_ count: Int) -> [Row] {
    (0..<count).map { Row(number: $0, text: $0.isMultiple(of: 3) ? nil : "é, \($0)") }
  }

  @Test(arguments: [0, 1, 3]) func `the stream equals the encoding of all rows at once`(count: Int) throws {
    let rows = rows(count)

    #expect(try pieces(.json, rows).joined() == AnswerText.json(rows))
    #expect(try pieces(.jsonLines, rows).joined() == rows.map { try AnswerText.jsonLine($0) + "\n" }.joined())
    #expect(
      try pieces(.csv(columns: ["text", "number"]), rows).joined()
        == CSVText.text(rows, columns: ["text", "number"]))
  }

  @Test func `an array has one row per line, and limited arrays one line each`() throws {
    #expect(try pieces(.jsonArray, []).joined() == "[]\n")
    try expectSnapshot(pieces(.jsonArray, rows(2)).joined())
    #expect(try pieces(.jsonArrays(ofAtMost: 2), []).joined() == "")
    #expect(
      try pieces(.jsonArrays(ofAtMost: 2), rows(5)).joined() == """
        [{"number":0,"text":null},{"number":1,"text":"é, 1"}]
        [{"number":2,"text":"é, 2"},{"number":3,"text":null}]
        [{"number":4,"text":"é, 4"}]

        """)
  }

  @Test func `the size of a chunk does not depend on the number of rows`() throws {
    let forms: [RowStream.Format] = [
      .json, .jsonLines, .csv(columns: ["number", "text"]), .jsonArray, .jsonArrays(ofAtMost: 100),
    ]
    for form in forms {
      let chunks = try pieces(form, rows(20_000))

      #expect(chunks.allSatisfy { $0.utf8.count < 17_000 })
      #expect(chunks.count > 10)
    }
  }
}
