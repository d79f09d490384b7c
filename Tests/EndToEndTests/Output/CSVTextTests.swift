import Testing

@testable import waymark

struct CSVTextTests {
  @Test func `nested members are columns joined by a dot, a list is one cell`() {
    let rows: [OutputValue] = [
      .object([
        ("path", .text("a")), ("from", .object([("path", .text("x")), ("kind", .text("goal"))])),
        ("stack", .array([.text("/"), .text("a")])),
      ]),
      .object([("path", .text("b")), ("from", .null), ("stack", .array([]))]),
    ]

    #expect(
      CSVText.text(rows) == """
        path,from.path,from.kind,stack
        a,x,goal,/ a
        b,,,

        """)
  }

  @Test func `a cell with a comma, a quote or a line end is quoted`() {
    let rows: [OutputValue] = [
      .object([("a", .text("one, two")), ("b", .text("say \"hi\"")), ("c", .text("up\ndown")), ("d", .bool(true))])
    ]

    #expect(CSVText.text(rows) == "a,b,c,d\n\"one, two\",\"say \"\"hi\"\"\",\"up\ndown\",true\n")
  }

  @Test func `no rows are no text`() {
    #expect(CSVText.text([]) == "")
  }
}
