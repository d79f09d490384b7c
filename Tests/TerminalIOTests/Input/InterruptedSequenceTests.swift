import TextCanvas
import Testing

@testable import TerminalIO

/// Feeds reads to the decoder at given times, and expires unfinished sequences at their deadlines, as the thread that
/// reads the terminal does.
private struct Schedule {
  private var decoder = TimedInputDecoder()
  private(set) var now = 0.0
  /// The results, each with its time.
  private(set) var results: [(time: Double, input: DecodedInput)] = []

  /// Waits, then reads.
  mutating func read(_ bytes: some Sequence<UInt8>, after seconds: Double) {
    wait(seconds)
    results += decoder.feed(bytes, at: now).map { (now, $0) }
  }

  mutating func wait(_ seconds: Double) {
    let end = now + seconds
    while let deadline = decoder.deadline, deadline < end {
      now = deadline
      results += decoder.expire(at: now).map { (deadline, $0) }
    }
    now = end
  }

  var keys: [KeyEvent] { results.compactMap { if case .event(.key(let key)) = $0.input { key } else { nil } } }
  var inputs: [DecodedInput] { results.map(\.input) }
}

@Suite struct InterruptedSequenceTests {
  static let reports = [
    "\u{1B}[<65;20;10M", "\u{1B}[<35;20;12M", "\u{1B}[<0;20;10m", "\u{1B}[1;3D", "\u{1B}[13;1:3u", "\u{1B}[A",
    "\u{1B}[5~", "\u{1B}[O", "\u{1B}[I", "\u{1B}OA", "\u{1B}O5P", "\u{1B}[[C", "\u{1B}[M !!", "\u{1B}[97;5u",
    "\u{1B}[?62;22c", "\u{1B}[0n", "\u{1B}[?2026;2$y", "\u{1B}[2;3R", "\u{1B}[6;18;9t", "\u{1B}[?1;2;3x",
    "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}]11;rgb:f/f/f\u{7}", "\u{1B}P>|tmux 3.3a\u{1B}\\",
    "\u{1B}_Gi=31;OK\u{1B}\\",
  ]

  private static let delays = [0.02, 0.03, 0.08, 0.2, 0.24]
  private static let escape = KeyEvent(.escape)

  @Test(arguments: reports)
  func `a delayed sequence results in no bound key other than Escape`(report: String) {
    let bytes = Array(report.utf8)
    for delay in Self.delays + [0.6, 5] {
      for cut in 1..<bytes.count {
        var schedule = Schedule()
        schedule.read(bytes[..<cut], after: 0)
        schedule.read(bytes[cut...], after: delay)
        schedule.wait(10)
        schedule.read("k".utf8, after: 0)

        // A single byte after Alt and [ may be a typed character.
        if delay > 0.25, cut == 2, bytes.count == 3 { continue }
        let opener = Character(Unicode.Scalar(bytes[1]))
        let expected: [KeyEvent] =
          switch cut {
          case 1: delay < 0.025 ? InputDecoder.whole(report) : [Self.escape]
          case _ where delay < 0.25: InputDecoder.whole(report)
          // No action is bound to this key.
          case 2: [KeyEvent(.character(opener), modifiers: .alt)]
          default: []
          }
        #expect(schedule.keys == expected + [KeyEvent(.character("k"))], "cut \(cut), delay \(delay)")
      }
    }
  }

  @Test(arguments: reports, delays)
  func `a sequence that arrives byte by byte results only in Escape`(report: String, delay: Double) {
    var schedule = Schedule()
    for byte in report.utf8 { schedule.read([byte], after: delay) }
    schedule.wait(10)
    schedule.read("k".utf8, after: 0)

    let expected = delay < 0.025 ? InputDecoder.whole(report) : [Self.escape]
    #expect(schedule.keys == expected + [KeyEvent(.character("k"))])
  }

  @Test func `a delayed reply to a query of the program is recognised`() {
    var schedule = Schedule()
    schedule.read([0x1B], after: 0)
    schedule.read("[?62;22cj".utf8, after: 0.1)

    #expect(
      schedule.inputs == [
        .event(.key(Self.escape)), .answer(.attributes([62, 22])), .event(.key(KeyEvent(.character("j")))),
      ])
  }

  @Test func `a delayed sequence can still start a paste without typing its text`() {
    var schedule = Schedule()
    schedule.read([0x1B], after: 0)
    schedule.read("[200~qx".utf8, after: 0.1)
    schedule.read("q\u{1B}[201~".utf8, after: 0.1)

    #expect(schedule.inputs == [.event(.key(Self.escape)), .event(.paste("qxq"))])
  }

  @Test(arguments: [
    ["j"], ["[", "["], ["[", "j"], ["O", "z"], ["]"], ["P", "x"], ["é"], ["[1] See below"], ["Once"], ["]]"], ["[ab"],
  ])
  func `characters typed after Escape are keys of their own`(reads: [String]) {
    for delay in [0.03, 0.1, 0.3] {
      var schedule = Schedule()
      schedule.read([0x1B], after: 0)
      for text in reads { schedule.read(text.utf8, after: delay) }
      schedule.wait(10)

      let typed = reads.joined().map { KeyEvent(.character($0)) }
      #expect(schedule.keys == [Self.escape] + typed, "delay \(delay)")
    }
  }

  @Test func `neither the Escape key nor a key after it is delayed`() {
    var schedule = Schedule()
    schedule.read([0x1B], after: 0)
    schedule.read("j".utf8, after: 0.1)

    #expect(schedule.results.map(\.time) == [0.025, 0.1])
  }

  @Test func `a sequence whose rest is read before its expiry is decoded whole`() {
    var decoder = TimedInputDecoder()
    _ = decoder.feed([0x1B], at: 0)

    #expect(decoder.feed("[A".utf8, at: 3) == [.event(.key(KeyEvent(.up)))])
  }

  @Test func `later keys are decoded although a sequence never ended`() {
    var schedule = Schedule()
    schedule.read([0x1B], after: 0)
    schedule.read("]11;rgb:".utf8, after: 0.1)
    for key in "jjj" { schedule.read(String(key).utf8, after: 1) }

    #expect(schedule.keys == [Self.escape] + "jjj".map { KeyEvent(.character($0)) })
  }

  @Test func `an endless sequence is kept only up to a limit`() {
    var decoder = InputDecoder()
    _ = decoder.feed([0x1B]) + decoder.expire()
    for _ in 0..<64 { #expect(decoder.feed("]1".utf8 + [UInt8](repeating: 0x78, count: 4096)) == []) }

    #expect(decoder.pending.count <= InputDecoder.stringLimit && decoder.interruptedSequence == nil)
  }
}

extension InputDecoder {
  /// The keys of a text that arrives in one read.
  fileprivate static func whole(_ text: String) -> [KeyEvent] {
    var decoder = InputDecoder()
    return (decoder.feed(text.utf8) + decoder.expire()).compactMap {
      if case .event(.key(let key)) = $0 { key } else { nil }
    }
  }
}
