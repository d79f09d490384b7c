import Testing

@testable import Answers

struct CSVTextTests {
  @Test func `nested members are columns, path lists are cells, other lists are JSON`() throws {
    let rows: [OutputValue] = [
      .object([
        ("path", .text("a")), ("from", .object([("path", .text("x")), ("kind", .text("goal"))])),
        ("stack", .array([.text("/"), .text("a")])), ("breadcrumb", .array([.text("One, two"), .text("Three")])),
      ]),
      .object([("path", .text("b")), ("from", .null), ("stack", .array([])), ("breadcrumb", .array([]))]),
    ]

    #expect(
      try CSVText.text(rows, columns: ["path", "from.path", "from.kind", "stack", "breadcrumb"]) == """
        path,from.path,from.kind,stack,breadcrumb
        a,x,goal,/ a,"[""One, two"",""Three""]"
        b,,,,[]

        """)
  }

  @Test func `a cell with a comma, quote or line end is quoted`() throws {
    let rows: [OutputValue] = [
      .object([("a", .text("one, two")), ("b", .text("say \"hi\"")), ("c", .text("up\ndown")), ("d", .bool(true))])
    ]

    #expect(
      try CSVText.text(rows, columns: ["a", "b", "c", "d"])
        == "a,b,c,d\n\"one, two\",\"say \"\"hi\"\"\",\"up\ndown\",true\n")
  }

  @Test func `an empty table has only the column names`() throws {
    #expect(try CSVText.text([OutputValue](), columns: ["a", "b.c"]) == "a,b.c\n")
  }

  @Test func `every row has its own cells in any order of members`() throws {
    let rows: [OutputValue] = [
      .object([("a", .integer(1)), ("b", .object([("c", .text("x")), ("d", .text("y"))])), ("other", .integer(9))]),
      .object([("b", .object([("d", .bool(false)), ("e", .array([.integer(3)]))])), ("a", .null)]),
      .object([("stack", .array([.text("a b"), .text("c,d")]))]),
    ]

    #expect(
      try CSVText.text(rows, columns: ["b.d", "a", "b.c", "stack"])
        == "b.d,a,b.c,stack\ny,1,x,\nfalse,,,\n,,,\"a b c,d\"\n")
  }

  @Test func `control characters in cells are replaced`() throws {
    let rows: [OutputValue] = [
      .object([("a", .text("up\u{1B}]0;x\u{7}\ndown\u{9B}\u{202E}")), ("b", .text("👩\u{200D}👧"))])
    ]

    #expect(try CSVText.text(rows, columns: ["a", "b"]) == "a,b\n\"up␛]0;x␇\ndown\u{FFFD}\",👩\u{200D}👧\n")
  }
}
