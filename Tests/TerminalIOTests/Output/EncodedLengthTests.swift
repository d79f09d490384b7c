import FrameReference
import TerminalHarness
import TerminalIO
import TestSupport
import TextCanvas
import Testing

@Suite struct EncodedLengthTests {
  private let features = OutputFeatures(hasLinks: false)

  @Test(arguments: 0..<8)
  func `a frame with hints is never longer than the plain difference`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var shorter = 0
    for number in 0..<500 {
      let pair = FramePair(
        seed: UInt64(seed * 1000 + number), columns: Int.random(in: 1...100, using: &random),
        rows: Int.random(in: 1...20, using: &random))
      let encoder = FrameEncoder(size: pair.shown.size, features: features)
      var plain = PlainDifference(size: pair.shown.size)
      for surface in pair.begin {
        _ = encoder.encode(Frame(surface: surface))
        _ = plain.encode(surface)
      }

      let bytes = encoder.encode(pair.wanted)
      let plainBytes = plain.encode(pair.wanted.surface)

      #expect(
        bytes.count <= plainBytes.count,
        "\(String(decoding: bytes, as: UTF8.self).debugDescription) \(String(decoding: plainBytes, as: UTF8.self).debugDescription)"
      )
      if bytes.count < plainBytes.count { shorter += 1 }
    }
    #expect(shorter > 200)
  }

  @Test func `a frame is at most five percent longer than the optimum`() {
    var total = 0
    var minimum = 0
    for seed in 0..<40 {
      let pair = FramePair(seed: UInt64(seed), columns: 40, rows: 6)

      let length = pair.length(features)
      let shortest = ExactSearch(from: pair.shown, to: pair.wanted.surface).length()

      total += length
      minimum += shortest
    }
    #expect(Double(total) <= 1.05 * Double(minimum))
  }

  @Test func `rows of words in the same colours need only two style changes`() {
    let (dimmed, bright) = (Style(foreground: .hex(0x99A0AD)), Style(foreground: .hex(0xD6D9DF)))
    var surface = Surface(columns: 60, rows: 20, filledWith: .blank)
    for row in 0..<20 {
      surface.draw("Opening", at: CellPoint(column: 2, row: row), style: bright)
      surface.draw("0 of 4", at: CellPoint(column: 50, row: row), style: dimmed)
    }
    let encoder = FrameEncoder(size: surface.size, features: features)
    let bytes = encoder.encode(Frame(surface: surface))
    let emulator = Emulator(columns: 60, rows: 20)
    emulator.feed("\u{1B}[?7l")
    emulator.feed(bytes)

    #expect(bytes.count { $0 == UInt8(ascii: "m") } == 2)
    // The words, a cursor movement of at most six bytes for each of them, and two style changes.
    #expect(bytes.count <= 20 * (7 + 6 + 2 * 6) + 2 * 22)
    #expect(emulator.lines == surface.textRows)
  }
}

extension FramePair {
  /// Returns the number of bytes with which the encoder changes the first frame into the second.
  fileprivate func length(_ features: OutputFeatures) -> Int {
    let encoder = FrameEncoder(size: shown.size, features: features)
    for surface in begin { _ = encoder.encode(Frame(surface: surface)) }
    return encoder.encode(Frame(surface: wanted.surface)).count
  }
}
