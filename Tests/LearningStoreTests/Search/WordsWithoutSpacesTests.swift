import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests that words in scripts without spaces are found at any position.
struct WordsWithoutSpacesTests {
  private static let lessons = [
    ("交渉の準備", "価格交渉では、最初の提示が大切です。PDFファイルを読む。"),
    ("最初の提示", "誰が先に話しますか？"),
    ("谈判技巧", "准备好你的底线，然后沉默。"),
    ("협상의 기술", "가격 협상은 침묵에서 시작된다."),
    ("Opening offers", "The word 交渉 means negotiation. カフェでcoffee."),
  ]

  @Test(arguments: [
    ("交渉", ["交渉の準備", "Opening offers"]), ("準備", ["交渉の準備"]), ("の準", ["交渉の準備"]), ("格交", ["交渉の準備"]),
    ("提示", ["最初の提示", "交渉の準備"]), ("渉", ["交渉の準備", "Opening offers"]), ("備", ["交渉の準備"]), ("交渉 準備", ["交渉の準備"]),
    ("交渉 ", ["交渉の準備", "Opening offers"]), ("\"最初の提示\"", ["最初の提示", "交渉の準備"]), ("沉默", ["谈判技巧"]), ("技巧谈", []),
    ("협상", ["협상의 기술"]), ("침묵", ["협상의 기술"]), ("묵에", ["협상의 기술"]), ("pdf ", ["交渉の準備"]), ("pdfファイル", ["交渉の準備"]),
    ("coffee ", ["Opening offers"]), ("カフェ", ["Opening offers"]), ("カブ", []), ("話しますか？", ["最初の提示"]),
    ("交渉 offer", ["Opening offers"]), ("交渉 off", ["Opening offers"]), ("渉交", []), ("か\u{3099}先に", ["最初の提示"]),
    ("か先に", []),
  ])
  func `a word is found at any position in text without spaces`(query: String, titles: [String]) throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", Self.lessons)

    #expect(try fixture.titles(query) == titles)
  }

  private static let others = [
    ("สวัสดีครับ", "ฉันกินข้าวแล้ว ราคา 42 บาท"), ("ສະບາຍດີ", "ຂ້ອຍກິນເຂົ້າ"), ("សួស្តីពិភពលោក", "ខ្ញុំរៀន"),
    ("မင်္ဂလာပါ", "ကျွန်တော်"), ("ＡＢＣ会社の計画", "２０２６年、Ｗｉｎｄｏｗｓと Mac。"), ("Plain", "abc windows 2026"),
  ]

  @Test(arguments: [
    ("กิน", ["สวัสดีครับ"]), ("กัน", []), ("ข้าว", ["สวัสดีครับ"]), ("สวัสดี", ["สวัสดีครับ"]), ("ดี", ["สวัสดีครับ"]),
    ("ดู", []), ("ครับ", ["สวัสดีครับ"]), ("ราคา 42", ["สวัสดีครับ"]), ("ບາຍ", ["ສະບາຍດີ"]), ("ກິນ", ["ສະບາຍດີ"]),
    ("ພິ", []), ("ពិភព", ["សួស្តីពិភពលោក"]), ("រៀន", ["សួស្តីពិភពលោក"]), ("ရည်", []), ("လာ", ["မင်္ဂလာပါ"]),
    ("abc", ["Plain", "ＡＢＣ会社の計画"]), ("ＡＢＣ", ["Plain", "ＡＢＣ会社の計画"]), ("ａｂ", ["Plain", "ＡＢＣ会社の計画"]),
    ("ABC会社", ["ＡＢＣ会社の計画"]), ("ＡＢＣ会社", ["ＡＢＣ会社の計画"]), ("会社の", ["ＡＢＣ会社の計画"]),
    ("2026年", ["ＡＢＣ会社の計画"]), ("2026 ", ["Plain", "ＡＢＣ会社の計画"]), ("windo", ["Plain", "ＡＢＣ会社の計画"]),
    ("windows mac", ["ＡＢＣ会社の計画"]),
  ])
  func `words of Southeast Asian scripts are found, and full-width letters match ASCII`(
    query: String, titles: [String]
  ) throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", Self.others)

    #expect(try Set(fixture.titles(query)) == Set(titles))
    try check(fixture.store)
  }

  @Test func `a passage shows the original text with its matches`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", Self.others)
    func passage(_ query: String) throws -> [String] {
      try fixture.store.read { snapshot in
        try snapshot.snippets(of: snapshot.search(query).hits.map(\.node.id), for: query)
          .map { $0.runs.map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined() }
      }
    }

    #expect(try passage("กิน") == ["ฉัน[กิน]ข้าวแล้ว ราคา 42 บาท"])
    #expect(try passage("windows mac") == ["２０２６年、[Ｗｉｎｄｏｗｓ]と [Mac]。"])
  }

  @Test func `the text of the index can be converted back, except control characters`() {
    let letters = Array("aＡｚ９กิ้ນំမ်渉が会 ．\u{F0E31}\u{1D}\u{1F}é".unicodeScalars)
    var random = SplitMix64(seed: 11)
    for _ in 0..<2_000 {
      let text = String(
        String.UnicodeScalarView((0..<random.below(12)).map { _ in letters[random.below(letters.count)] }))
      let clean = String(String.UnicodeScalarView(text.unicodeScalars.filter { !LetterPairs.isSign($0) }))

      #expect(LetterPairs.text(of: text.forIndex).unicodeScalars.elementsEqual(clean.unicodeScalars), "\(text)")
    }
  }

  @Test func `a misspelt word next to a word without spaces is corrected`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", Self.lessons)

    let findings = try fixture.store.read { try $0.search("交渉 opning ") }

    #expect(findings.didYouMean == "交渉 opening")
    #expect(findings.hits.map(\.node.title) == ["Opening offers"])
    #expect(try fixture.store.read { try $0.search("技巧谈") }.didYouMean == nil)
  }

  @Test func `words without spaces can abbreviate the ancestors of a place`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", goal: "上手な交渉", lesson: "最初の提示", [("誰が先に話すか", ""), ("沈黙", "")])

    #expect(try fixture.titles("交渉 提示") == ["最初の提示"])
    #expect(try fixture.titles("交渉 提示 2") == ["沈黙"])
    #expect(try fixture.titles("cour 沈") == ["沈黙"])
  }

  @Test func `a query finds exactly the texts that contain its letters in sequence`() throws {
    let letters = Array("価格交a ")
    var random = SplitMix64(seed: 7)
    func text(_ maximum: Int) -> String {
      String((0..<1 + random.below(maximum)).map { _ in letters[random.below(letters.count)] })
    }
    let texts = (0..<120).map { _ in text(9) }
    let fixture = try SearchFixture()
    try fixture.write("Course", texts.enumerated().map { ("Title \($0.offset)", $0.element) })

    for _ in 0..<150 {
      let query = String((0..<1 + random.below(4)).map { _ in letters[random.below(3)] })
      let expected = texts.indices.filter { texts[$0].contains(query) }.map { "Title \($0)" }

      #expect(Set(try fixture.titles(query, limit: 200)) == Set(expected), "\(query)")
    }
  }

  @Test func `a removed text is not found any more`() throws {
    let fixture = try SearchFixture()
    let course = try fixture.write("Course", Self.lessons)

    _ = try fixture.store.removeCourse(course, at: Timestamp(milliseconds: 1))
    try fixture.store.indexSearch()

    #expect(try fixture.titles("交渉") == [])
    #expect(try fixture.store.read { try $0.value("SELECT count(*) FROM nodeSearch WHERE nodeSearch MATCH '交渉'") } == 0)
    try check(fixture.store)
  }

  /// Fails if the index is inconsistent with the texts.
  private func check(_ store: LearningStore) throws {
    try store.write {
      try $0.database.execute(sql: "INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('integrity-check', 1)")
    }
    #expect(try store.read { try $0.contentProblems() } == [])
  }
}
