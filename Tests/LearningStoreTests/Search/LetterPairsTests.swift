import TestSupport
import Testing

@testable import LearningStore

struct LetterPairsTests {
  /// Replaces the control characters of the index by visible ones: `⸱` after a pair, `|` between a run and other
  /// letters.
  private func readable(_ text: String) -> String {
    text.replacing("\u{1F}", with: "⸱").replacing("\u{1E}", with: "|")
  }

  @Test(arguments: [
    ("", ""), ("An offer.", "An offer."), ("Ça va — “oui” 🏔", "Ça va — “oui” 🏔"), ("交", "交"), ("交渉", "交渉⸱渉"),
    ("交渉の準備", "交渉⸱渉の⸱の準⸱準備⸱備"), ("交渉、準備。", "交渉⸱渉|、|準備⸱備|。"), ("TシャツL", "T|シャ⸱ャツ⸱ツ|L"),
    ("가격 협상", "가격⸱격| |협상⸱상"), ("𠮷野家", "𠮷野⸱野家⸱家"), ("コーヒー", "コー⸱ーヒ⸱ヒー⸱ー"),
    ("か\u{3099}く", "がく⸱く"), ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글⸱글"),
  ])
  func `each letter of a run is paired with the next one`(text: String, paired: String) {
    #expect(readable(LetterPairs.paired(text)) == paired)
  }

  @Test(arguments: [
    ("交渉", false, "交渉", false), ("交渉", true, "交渉", false), ("交", false, "交", true), ("交渉の", true, "交渉⸱渉の", false),
    ("T交", false, "T|交", true), ("交渉 te", true, "交渉⸱渉| te", true), ("交渉 te", false, "交渉⸱渉| te", false),
    ("交渉、", true, "交渉|、", false), ("交te", true, "交|te", true),
  ])
  func `the last word of a query can be a prefix`(query: String, isBeginning: Bool, text: String, begins: Bool) throws {
    let phrase = try #require(LetterPairs.phrase(query, isBeginning: isBeginning))

    #expect(readable(phrase.text) == text)
    #expect(phrase.isBeginning == begins)
    #expect(LetterPairs.phrase("offer", isBeginning: isBeginning) == nil)
  }

  @Test func `pairing letters is reversible for any text`() {
    let letters = Array("abé .、—交渉準備のシャー협상𠮷🏔\n\u{301}".unicodeScalars)
    var random = SplitMix64(seed: 2_026)
    for _ in 0..<5_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<random.below(14) { text.append(letters[random.below(letters.count)]) }

      #expect(Array(LetterPairs.text(of: LetterPairs.paired(String(text))).unicodeScalars) == Array(text))
    }
  }
}
