import TestSupport
import Testing

@testable import CoursePages

/// Text that opens or closes a token, or makes a scanner look ahead, in some language.
private let hostile = [
  "#[", "fun <", "fun A.", "def a.", "case ", "import qualified A as ", "R\"a(", ")a", "$", "%(", "match ",
  "\"", "'", "`", "\"\"\"", "'''", "/*", "*/", "//", "(", ")", "{", "}", "[", "]", "\\", "<", ">", "</", "<!--",
  "<![CDATA[", "<?",
  "#", "##", "r#", "R\"(", "\n", "\r\n", " ", "\t", "${", "$((", "$(", "`${", "\"#{", "\"\\(", "f\"{", "f'{{", "\\u{",
  "/", "/[",
  "%w(", "%", "<<A\n", "<<~A ", "<<-'A'\n", "a: |\n", "a: ", "- ", "? ", "&a ", "!", "|", ":", "::", "=", "=begin\n",
  "__END__\n",
  "{-", "-}", "--", "a(", "a b(", "int a(", "a ", "a.", "import ", "<script>", "<style>", "<a b=", "&amp", "@", "@a",
  "0x", "1.",
  "1e", "é", "👩‍👩‍👧", "\u{0}", ";", ",", "url(", "#if ", "#include <", "module A (", "[a", "(a) ", "a@b:", "b'", "1'", "~",
  "+", "-",
]

struct HostileCodeTests {
  /// Returns the first mistake in the runs of a text. The runs must cover all bytes, not split a character, and have
  /// different classes than their neighbours.
  private func fault(_ runs: [HighlightedRun], of text: String) -> String? {
    var offset = 0
    let bytes = Array(text.utf8)
    for (index, run) in runs.enumerated() {
      if run.start != offset { return "a run starts at \(run.start), not at \(offset)" }
      if run.count < 1 { return "a run at \(run.start) is empty" }
      if run.start < bytes.count, bytes[run.start] & 0xC0 == 0x80 { return "a character is cut at \(run.start)" }
      if index > 0, runs[index - 1].tokenClass == run.tokenClass { return "two runs at \(run.start) are one" }
      offset = run.end
    }
    return offset == bytes.count ? nil : "the runs end at \(offset) of \(bytes.count)"
  }

  private func faults(of text: String) -> [String] {
    Language.all.compactMap { language in
      fault(language.runs(of: text), of: text).map { "\(language.name): \($0) in \(text.debugDescription)" }
    }
  }

  @Test func `an empty text has no runs`() {
    #expect(Language.all.allSatisfy { $0.runs(of: "").isEmpty })
  }

  @Test(arguments: Tier.seeds([1, 2, 3], long: 100..<200))
  func `runs cover all bytes of a random text`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<30 {
      let bytes = (0..<random.below(200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(faults(of: String(decoding: bytes, as: UTF8.self)) == [])
    }
  }

  @Test(arguments: Tier.seeds([1, 2, 3], long: 100..<200))
  func `runs cover all bytes of tokens that are opened and never closed`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<60 {
      let tokens = (0..<random.below(40)).map { _ in hostile[random.below(hostile.count)] }
      #expect(faults(of: tokens.joined()) == [])
    }
  }

  @Test(arguments: Tier.seeds([1, 2], long: 100..<200))
  func `runs cover all bytes of program texts with random changes`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for drawing in Drawing.all {
      var bytes = Array(DrawnExampleTests.text(of: drawing).utf8)
      for _ in 0..<8 {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(9)))
        default: bytes.insert(contentsOf: hostile[random.below(hostile.count)].utf8, at: place)
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      #expect(faults(of: String(decoding: bytes, as: UTF8.self)) == [])
    }
  }

  @Test(arguments: hostile) func `scanning a repeated token takes linear time`(_ token: String) {
    let once = String(repeating: token, count: 4096 / token.utf8.count)

    for language in Language.all {
      let work = language.scanned(once).steps
      let twice = language.scanned(once + once).steps

      #expect(Double(twice) <= 2.2 * Double(work) + 4096, "\(language.name): \(work) steps, then \(twice)")
    }
  }

  @Test(arguments: Tier.seeds([1, 2], long: 100..<200))
  func `scanning repeated random tokens takes linear time`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<12 {
      let token = (0..<(1 + random.below(4))).map { _ in hostile[random.below(hostile.count)] }.joined()
      let once = String(repeating: token, count: 1 + 4096 / token.utf8.count)
      for language in Language.all {
        let work = language.scanned(once).steps
        let twice = language.scanned(once + once).steps

        #expect(
          Double(twice) <= 2.2 * Double(work) + 4096,
          "\(language.name): \(work) steps, then \(twice), of \(token.debugDescription)")
      }
    }
  }
}
