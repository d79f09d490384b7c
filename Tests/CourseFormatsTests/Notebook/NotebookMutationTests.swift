import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Testing

/// Tests with randomly damaged notebooks, which are either read or rejected with an error that names a file.
struct NotebookMutationTests {
  private static let names = ["notebooks/1-water", "notebooks/2-time", "notebooks/index", "book/rye", "old/crust"]

  /// Returns bytes with random modifications: flipped bits, removed, repeated and inserted bytes.
  private func damaged(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.below(4) where !bytes.isEmpty {
      let start = random.below(bytes.count)
      let end = min(bytes.count, start + 1 + random.below(200))
      switch random.below(7) {
      case 0: bytes[start] ^= 1 << UInt8(random.below(8))
      case 1: bytes.removeSubrange(start..<end)
      case 2: bytes.insert(contentsOf: bytes[start..<end], at: random.below(bytes.count))
      case 3: bytes.removeSubrange(start...)
      case 4:
        let marks = ["$$", "```", ":::", "{", "[", "\"", "\\u001b[", "<table>", "---\\n", "\\ud800", "`", "\\n"]
        bytes.insert(contentsOf: marks[random.below(marks.count)].utf8, at: start)
      case 5: bytes[start] = UInt8(random.below(256))
      default: bytes.insert(contentsOf: [UInt8](repeating: bytes[start], count: random.below(2_000)), at: start)
      }
    }
    return bytes
  }

  @Test(arguments: Tier.seeds(Array(1...40), long: 1..<301))
  func `a damaged notebook is either read or rejected with an error that names a file`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let name = Self.names[random.below(Self.names.count)]
    let whole = try Data(contentsOf: fixtures.appending(path: "jupyter/" + name + ".ipynb"))
    let bytes = damaged(Array(whole), &random)

    let draft = try FormatRegistry.read(CourseSource(name: "a.ipynb", bytes: bytes))

    if draft.isRefused {
      #expect(draft.diagnostics.contains { $0.severity == .error && !$0.file.isEmpty })
    } else {
      for content in try draft.allContents() {
        #expect(content.plainText == content.plainText.filter { $0 != "\u{1B}" && $0 != "\u{7}" })
        #expect(!String(describing: content).contains("iVBORw0KGgo"))
      }
    }
  }
}
