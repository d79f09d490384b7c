import Testing

@testable import Answers

struct CSVTextTests {
  @Test func `nested members are columns joined by a dot, a list of paths is one cell, any other list is JSON`() {
    let rows: [OutputValue] = [
      .object([
        ("path", .text("a")), ("from", .object([("path", .text("x")), ("kind", .text("goal"))])),
        ("stack", .array([.text("/"), .text("a")])), ("breadcrumb", .array([.text("One, two"), .text("Three")])),
      ]),
      .object([("path", .text("b")), ("from", .null), ("stack", .array([])), ("breadcrumb", .array([]))]),
    ]

    #expect(
      CSVText.text(rows, columns: ["path", "from.path", "from.kind", "stack", "breadcrumb"]) == """
        path,from.path,from.kind,stack,breadcrumb
        a,x,goal,/ a,"[""One, two"",""Three""]"
        b,,,,[]

        """)
  }

  @Test func `a cell with a comma, a quote or a line end is quoted`() {
    let rows: [OutputValue] = [
      .object([("a", .text("one, two")), ("b", .text("say \"hi\"")), ("c", .text("up\ndown")), ("d", .bool(true))])
    ]

    #expect(
      CSVText.text(rows, columns: ["a", "b", "c", "d"])
        == "a,b,c,d\n\"one, two\",\"say \"\"hi\"\"\",\"up\ndown\",true\n")
  }

  @Test func `no rows are the names of the columns`() {
    #expect(CSVText.text([], columns: ["a", "b.c"]) == "a,b.c\n")
  }

  @Test func `a cell cannot command a terminal`() {
    let rows: [OutputValue] = [
      .object([("a", .text("up\u{1B}]0;x\u{7}\ndown\u{9B}\u{202E}")), ("b", .text("👩\u{200D}👧"))])
    ]

    #expect(CSVText.text(rows, columns: ["a", "b"]) == "a,b\n\"up␛]0;x␇\ndown\u{FFFD}\",👩\u{200D}👧\n")
  }
}
