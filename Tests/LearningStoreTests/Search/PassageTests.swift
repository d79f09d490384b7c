import LearningModel
import Testing

@testable import LearningStore

struct PassageTests {
  /// Returns a text of numbered words with `middle` in between.
  private static func text(_ middle: String, before: Int = 40, after: Int = 40) -> String {
    let words = { (first: Int, count: Int) in (first..<first + count).map { "w\($0)" } }
    return (words(0, before) + [middle] + words(before, after)).joined(separator: " ")
  }

  @Test(arguments: [
    ("anchor", "Whoever names a number first drops an anchor.", "Whoever names a number first drops an [anchor]."),
    ("anch", "Two anchors.", "Two [anch]ors."),
    ("anch ", "Two anchors.", "Two anchors."),
    ("ANCHOR", "an\n\n  Anchor\tholds", "an [Anchor] holds"),
    ("naive", "Naïve questions", "[Naïve] questions"),
    ("naïv", "NAÏVETÉ", "[NAÏV]ETÉ"),
    ("strasse", "Die Strasse und die Straße", "Die [Strasse] und die Straße"),
    ("\"own words\"", "words own, own words.", "words own, [own words]."),
    ("交渉", "交渉の準備をしましょう", "[交渉]の準備をしましょう"),
    ("準備", "交渉の準備をしましょう", "交渉の[準備]をしましょう"),
    ("の", "交渉の準備", "交渉[の]準備"),
    ("협상", "가격 협상은 어렵다", "가격 [협상]은 어렵다"),
    ("pdf", "このPDFファイル", "この[PDF]ファイル"),
    ("pdfファイル", "このPDFファイル。", "この[PDFファイル]。"),
    ("text", "An \u{1E}odd\u{1F} \u{1F}text.", "An odd [text]."),
    ("👍🏽 ok", "All 👍🏽 ok here", "All 👍🏽 [ok] here"),
  ])
  func `a short text is shown whole with its matches`(query: String, text: String, passage: String) throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", [("Words: \(query.filter { $0 != "\"" }) ", text)])

    #expect(try fixture.passage(query) == passage)
  }

  @Test func `a long text is shown around its first match, with more words after it`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", [("A", Self.text("needle"))])

    #expect(
      try fixture.passage("needle")
        == "…w35 w36 w37 w38 w39 [needle] w40 w41 w42 w43 w44 w45 w46 w47 w48 w49…")
  }

  @Test func `a sentence that starts near the match is shown from its start`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", [("A", Self.text("end. A fine needle, \"lost\" in hay."))])

    #expect(
      try fixture.passage("needle")
        == "…A fine [needle], \"lost\" in hay. w40 w41 w42 w43 w44 w45 w46 w47 w48 w49…")
  }

  @Test func `no ellipsis is shown at the beginning or end of the text`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Start", [("A", Self.text("needle", before: 2))])
    try fixture.write("End", position: 1, [("B", Self.text("thread", after: 1))])

    #expect(
      try fixture.passage("needle") == "w0 w1 [needle] w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14…")
    #expect(
      try fixture.passage("thread")
        == "…w26 w27 w28 w29 w30 w31 w32 w33 w34 w35 w36 w37 w38 w39 [thread] w40")
  }

  @Test func `a passage with several words shows them where they are closest`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", [("A", "needle " + Self.text("A needle and a thread."))])

    #expect(
      try fixture.passage("needle thread", length: 8) == "…A [needle] and a [thread]. w40 w41 w42…")
  }

  @Test func `the beginning of a text without a match is shown`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", [("Needle", Self.text("hay"))])

    #expect(
      try fixture.passage("needle", length: 4) == "w0 w1 w2 w3…")
    #expect(try fixture.passage("first steps") == "")
  }

  @Test func `text without spaces is cut after three letters for each allowed word`() throws {
    let fixture = try SearchFixture()
    let run = String(repeating: "漢字", count: 400)
    try fixture.write("Course", [("A", "頭" + run)])
    try fixture.write("Other", position: 1, [("B", run + "中心" + run)])
    try fixture.write("Third", position: 2, [("C", run + "。最初の文は、短い。二番目は目的の" + run)])

    #expect(try fixture.passage("頭", length: 4) == "[頭]" + run.prefix(11) + "…")
    #expect(try fixture.passage("中心", length: 4) == "…字漢字[中心]漢字漢字漢字漢…")
    #expect(try fixture.passage("目的", length: 4) == "…二番目は[目的]の漢字漢字漢…")
    #expect(try fixture.passage("third", length: 4) == "")
    #expect(try fixture.passage("C ", length: 4) == run.prefix(12) + "…")
  }

  @Test(arguments: [
    ("offer", "Make the first offer", "Make the first [offer]"),
    ("off", "Offers, and an offer", "[Off]ers, and an [off]er"),
    ("first offer", "The offer that comes first", "The [offer] that comes [first]"),
    ("silence", "Across borders", "Across borders"),
    ("cours ba", "Course and basics", "[Cours]e and [ba]sics"),
    ("cours ba", "The courses", "The [cours]es"),
    ("交渉", "値段の交渉、交渉の値段", "値段の[交渉]、[交渉]の値段"),
    ("pdfを", "PDFを読む", "[PDFを]読む"),
  ])
  func `a title is shown whole with all its matches`(
    query: String, title: String, marked: String
  ) throws {
    let fixture = try SearchFixture()

    #expect(try fixture.store.read { try $0.highlightedTitle([title], for: query) }.map(\.marked) == [marked])
  }

  @Test func `very long and malformed texts and queries are processed`() throws {
    let fixture = try SearchFixture()
    let accented = "needle" + String(repeating: "\u{301}", count: 20_000)
    try fixture.write("Course", [("A", accented + " \u{0}\u{1b}[31m needle \u{202e}needle")])

    #expect(try fixture.passage("needle") != nil)
    #expect(try fixture.passage(String(repeating: "needle ", count: 300)) != nil)
    #expect(try fixture.passage("\"" + String(repeating: "needle ", count: 300) + "\"") == nil)
  }

  @Test(arguments: [
    ("anchor", "An anchor, and the ANCHOR: anchors.", "An >[anchor], and the [ANCHOR]: [anchor]s."),
    (
      "first price", "A price. Then price first, and first the price.",
      "A [price]. Then >[price] [first], and [first] the [price]."
    ),
    ("\"own words\"", "words own,\nown words", "words own,\n>[own words]"),
    ("neg op", "An opening, negotiated", "An >[op]ening, negotiated"),
    ("交渉", "交渉の準備、交渉", ">[交渉]の準備、[交渉]"),
    ("anchor", "nothing of it", "nothing of it"),
    ("", "no words", "no words"),
  ])
  func `all matches in a text are found, and the closest group is marked`(
    query: String, text: String, marked: String
  ) throws {
    let fixture = try SearchFixture()

    let matches = try fixture.store.read { try $0.matches(of: query, in: text) }

    var screen = text
    for (index, place) in matches.places.enumerated().reversed() {
      let letters = { screen.utf8.index(screen.startIndex, offsetBy: $0) }
      screen.insert("]", at: letters(place.upperBound))
      screen.insert(contentsOf: index == matches.best ? ">[" : "[", at: letters(place.lowerBound))
    }
    #expect(screen == marked)
  }
}
