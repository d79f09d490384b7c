import LearningModel
import Testing

@testable import CourseFormats

struct TablesAndListsTests {
  private func sketch(_ html: String) throws -> [String] {
    CourseFormatsTests.sketch(try HTMLText.parse(html, file: "a.html", limits: .standard).blocks.map(\.block))
  }

  // Source: WHATWG HTML, 4.9.12.1, "Forming a table".
  @Test func `cells after a spanning cell are in their own columns and rows`() throws {
    #expect(
      try sketch(
        """
        <table><tr><th colspan="2">Both</th><th>Third</th></tr><tr><td rowspan="2">r</td><td>1</td><td>2</td></tr>
        <tr><td>3</td><td>4</td></tr><tr><td>5</td><td colspan="2">6</td></tr></table>
        """) == ["| Both |  | Third |", "| r | 1 | 2 |", "|  | 3 | 4 |", "| 5 | 6 |  |"])
  }

  @Test func `a cell does not extend into the next group of rows, and a footer is last`() throws {
    #expect(
      try sketch(
        """
        <table><thead><tr><th rowspan="9">a</th><th>b</th></tr></thead><tfoot><tr><td>sum</td><td>2</td></tr></tfoot>
        <tbody><tr><td rowspan="0">c</td><td>d</td></tr><tr><td>e</td></tr></tbody></table>
        """) == ["| a | b |", "| c | d |", "|  | e |", "| sum | 2 |"])
  }

  @Test(arguments: ["-1", "x", "", "1.5"]) func `an invalid span is one column`(_ span: String) throws {
    #expect(
      try sketch("<table><tr><td colspan='\(span)'>a</td><td rowspan='\(span)'>b</td></tr></table>") == ["| a | b |"])
  }

  @Test func `lists in cells keep their marks and links`() throws {
    #expect(
      try sketch("<table><tr><td><ul><li><a href='x'>d</a></li><li>e</li></ul></td></tr></table>") == [
        "| • [d](x)\\• e |"
      ])
  }

  @Test func `a table with too many columns or covered cells is rejected`() throws {
    #expect(throws: CourseFormatError.limit(.tableColumns(256), file: "a.html", line: nil)) {
      try sketch("<table><tr><td colspan='257'>a</td></tr></table>")
    }
    let rows = String(repeating: "<tr></tr>", count: 100_000)
    #expect(throws: CourseFormatError.limit(.tableGaps(50_000), file: "a.html", line: nil)) {
      try sketch("<table><tr><td colspan='256' rowspan='65534'>a</td></tr>\(rows)</table>")
    }
  }

  // Source: WHATWG HTML, 4.4.5 and 4.4.8.
  @Test func `items have the numbers that a browser shows`() throws {
    let items = { (count: Int) in String(repeating: "<li>x</li>", count: count) }
    #expect(try sketch("<ol start='3' type='a'><li>x</li><li value='7'>y</li></ol>") == ["c. x", "g. y"])
    #expect(try sketch("<ol reversed>\(items(3))</ol>") == ["3. x", "2. x", "1. x"])
    #expect(try sketch("<ol reversed start='1'>\(items(2))</ol>") == ["1. x", "0. x"])
    #expect(try sketch("<ol><li>x</li><li value='5'>y</li><li>z</li></ol>") == ["1. x", "5. y", "6. z"])
    #expect(try sketch("<ol type='I' start='4'>\(items(2))</ol>") == ["IV. x", "V. x"])
    #expect(try sketch("<ol style='list-style-type: lower-roman'>\(items(2))</ol>") == ["i. x", "ii. x"])
    #expect(try sketch("<ol type='A' start='26'>\(items(2))</ol>") == ["Z. x", "AA. x"])
    #expect(try sketch("<ol start='-1'>\(items(3))</ol>") == ["-1. x", "0. x", "1. x"])
  }

  @Test func `items of a list with consecutive numbers have no explicit number`() throws {
    let blocks = try HTMLText.parse("<ol start='2'><li>x</li><li>y</li></ol>", file: "a.html", limits: .standard).blocks

    #expect(
      blocks.map(\.block) == [
        .orderedList(
          start: 2,
          items: [ListItem(blocks: [.paragraph([.text("x")])]), ListItem(blocks: [.paragraph([.text("y")])])])
      ])
  }
}
