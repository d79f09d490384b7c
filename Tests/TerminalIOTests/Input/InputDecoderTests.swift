import TestSupport
import Images
import TextCanvas
import Testing

@testable import TerminalIO

@Suite struct InputDecoderTests {
  private func decode(_ text: String) -> [DecodedInput] { decode(Array(text.utf8)) }

  private func decode(_ bytes: [UInt8]) -> [DecodedInput] {
    var decoder = InputDecoder()
    return decoder.feed(bytes) + decoder.expire()
  }

  private static func key(_ key: Key, _ modifiers: KeyModifiers = [], _ phase: KeyEvent.Phase = .press) -> DecodedInput
  {
    .event(.key(KeyEvent(key, modifiers: modifiers, phase: phase)))
  }

  private static func mouse(
    _ action: MouseEvent.Action, _ column: Int, _ row: Int, _ modifiers: KeyModifiers = []
  ) -> DecodedInput {
    .event(.mouse(MouseEvent(action, at: CellPoint(column: column, row: row), modifiers: modifiers)))
  }

  static let examples: [(String, [DecodedInput])] = [
    ("a", [key(.character("a"))]),
    ("Å漢👍", [key(.character("Å")), key(.character("漢")), key(.character("👍"))]),
    ("\r\n\t\u{7F}\u{8}", [key(.enter), key(.enter), key(.tab), key(.backspace), key(.backspace)]),
    (
      "\u{1}\u{1A}\u{0}\u{1C}",
      [
        key(.character("a"), .control), key(.character("z"), .control), key(.character(" "), .control),
        key(.character("\\"), .control),
      ]
    ),
    ("\u{1B}", [key(.escape)]),
    ("\u{1B}\u{1B}", [key(.escape), key(.escape)]),
    ("\u{1B}\u{1B}\u{1B}", [key(.escape), key(.escape), key(.escape)]),
    ("\u{1B}a\u{1B}é\u{1B}\r", [key(.character("a"), .alt), key(.character("é"), .alt), key(.enter, .alt)]),
    ("\u{1B}[", [key(.character("["), .alt)]),
    ("\u{1B}O", [key(.character("O"), .alt)]),
    ("\u{1B}]", [key(.character("]"), .alt)]),
    ("\u{1B}P", [key(.character("P"), .alt)]),
    ("\u{1B}[A\u{1B}OA\u{1B}[1;5A\u{1B}\u{1B}[A", [key(.up), key(.up), key(.up, .control), key(.up, .alt)]),
    ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[7~", [key(.home), key(.end), key(.home), key(.end), key(.home)]),
    (
      "\u{1B}[5~\u{1B}[6;2~\u{1B}[3;3~\u{1B}[2~",
      [
        key(.pageUp), key(.pageDown, .shift), key(.delete, .alt), key(.insert),
      ]
    ),
    (
      "\u{1B}OP\u{1B}[15~\u{1B}[24;6~\u{1B}[[C\u{1B}[13;2~\u{1B}OR\u{1B}[R",
      [
        key(.function(1)), key(.function(5)), key(.function(12), [.shift, .control]), key(.function(3)),
        key(.function(3), .shift), key(.function(3)), key(.function(3)),
      ]
    ),
    ("\u{1B}[Z", [key(.tab, .shift)]),
    ("\u{1B}OM\u{1B}Oq", [key(.enter), key(.character("1"))]),
    // kitty keyboard protocol
    (
      "\u{1B}[27u\u{1B}[97;5u\u{1B}[97;6u\u{1B}[13;2u",
      [
        key(.escape), key(.character("a"), .control), key(.character("A"), .control), key(.enter, .shift),
      ]
    ),
    (
      "\u{1B}[49:33;2u\u{1B}[97;1:3u\u{1B}[1;1:2B",
      [
        key(.character("!")), key(.character("a"), [], .release), key(.down, [], .repeat),
      ]
    ),
    ("\u{1B}[57376u\u{1B}[57441;2u\u{1B}[57400u", [key(.function(13)), key(.character("1"))]),
    // modifyOtherKeys
    ("\u{1B}[27;5;105~", [key(.character("i"), .control)]),
    // mouse
    (
      "\u{1B}[<0;3;4M\u{1B}[<32;5;4M\u{1B}[<0;5;4m",
      [
        mouse(.press(.left), 2, 3), mouse(.drag(.left), 4, 3), mouse(.release(.left), 4, 3),
      ]
    ),
    (
      "\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<66;1;1M\u{1B}[<67;1;1M",
      [
        mouse(.scroll(columns: 0, rows: -1), 0, 0), mouse(.scroll(columns: 0, rows: 1), 0, 0),
        mouse(.scroll(columns: -1, rows: 0), 0, 0), mouse(.scroll(columns: 1, rows: 0), 0, 0),
      ]
    ),
    (
      "\u{1B}[<2;300;200M\u{1B}[<17;1;1M\u{1B}[<128;1;1M\u{1B}[<35;9;9M",
      [
        mouse(.press(.right), 299, 199), mouse(.press(.middle), 0, 0, .control), mouse(.press(.back), 0, 0),
        mouse(.move, 8, 8),
      ]
    ),
    ("\u{1B}[M !!\u{1B}[M#!!", [mouse(.press(.left), 0, 0), mouse(.release(.left), 0, 0)]),
    // paste and focus
    ("\u{1B}[200~a\u{1B}[Ab\u{1B}[201~c", [.event(.paste("a\u{1B}[Ab")), key(.character("c"))]),
    ("\u{1B}[200~\u{1B}\u{1B}[201~", [.event(.paste("\u{1B}"))]),
    ("\u{1B}[200~\u{1B}[201\u{1B}[201~", [.event(.paste("\u{1B}[201"))]),
    ("\u{1B}[I\u{1B}[O", [.event(.focus(true)), .event(.focus(false))]),
    // A cursor position is never a key, although xterm sends the one in row 1 for F3 with Shift.
    (
      "\u{1B}[1;1R\u{1B}[1;2R\u{1B}[1;80R\u{1B}[24;1R",
      [(0, 0), (1, 0), (79, 0), (0, 23)].map { .answer(.cursor(CellPoint(column: $0, row: $1))) }
    ),
    ("\u{1B}[5R\u{1B}[?1;1R\u{1B}[1;1;1R", []),
    // replies of the terminal
    (
      "\u{1B}[0n\u{1B}[?64;1;22c\u{1B}[2;3R\u{1B}[?2026;2$y\u{1B}[?1u",
      [
        .answer(.status), .answer(.attributes([64, 1, 22])), .answer(.cursor(CellPoint(column: 2, row: 1))),
        .answer(.mode(2026, .reset)), .answer(.keyboardFlags(1)),
      ]
    ),
    (
      "\u{1B}]11;rgb:1e1e/2020/ffff\u{1B}\\\u{1B}]11;rgb:f/0/8\u{7}\u{1B}]11;rgba:ff/80/00/ff\u{7}",
      [
        .answer(.background(.rgb(30, 32, 255))), .answer(.background(.rgb(255, 0, 136))),
        .answer(.background(.rgb(255, 128, 0))),
      ]
    ),
    ("\u{1B}P>|tmux 3.3a\u{1B}\\", [.answer(.version("tmux 3.3a"))]),
    ("\u{1B}_Gi=31;OK\u{1B}\\", [.answer(.image(31, isShown: true))]),
    ("\u{1B}_Gi=31;ENOTSUP:no\u{1B}\\", [.answer(.image(31, isShown: false))]),
    ("\u{1B}_Gp=31\u{1B}\\", []), ("\u{1B}_x\u{1B}\\", []),
    ("\u{1B}[6;18;9t", [.answer(.cell(CellPixels(width: 9, height: 18)))]), ("\u{1B}[6;0;9t", []),
    // Unknown sequences are dropped, and the input after them is kept.
    ("\u{1B}[999;;;~\u{1B}[?1;2;3x\u{1B}P1$r0m\u{1B}\\\u{1B}]52;c;YQ==\u{7}z", [key(.character("z"))]),
    ("\u{1B}[12\u{18}", [key(.character("x"), .control)]),
    ("\u{1B}[1;\u{1B}[B", [key(.down)]),
    ("\u{1B}[1;é", [key(.character("é"))]),
  ]

  @Test(arguments: examples.indices)
  func `bytes decode as the terminal's documentation specifies`(index: Int) {
    let (bytes, expected) = Self.examples[index]

    #expect(decode(bytes) == expected)
  }

  @Test(arguments: examples.indices)
  func `bytes decode the same wherever a read splits them`(index: Int) {
    let bytes = Array(Self.examples[index].0.utf8)
    let expected = decode(bytes)

    for cut in bytes.indices {
      var decoder = InputDecoder()
      #expect(decoder.feed(bytes[..<cut]) + decoder.feed(bytes[cut...]) + decoder.expire() == expected)
    }
    var decoder = InputDecoder()
    #expect(bytes.flatMap { decoder.feed([$0]) } + decoder.expire() == expected)
  }

  @Test func `invalid UTF-8 is decoded as replacement characters`() {
    let replacement = Self.key(.character("\u{FFFD}"))

    #expect(decode([0xFF]) == [replacement])
    #expect(decode([0xC3, 0x28]) == [replacement, Self.key(.character("("))])
    #expect(decode([0xED, 0xA0, 0x80]) == [replacement, replacement, replacement])
    #expect(decode([0xC2, 0x9B]) == [replacement])
    #expect(decode([0xE6, 0xBC]) == [replacement])
  }

  @Test(arguments: [
    "\u{1B}[0n", "\u{1B}[?62;4c", "\u{1B}[?2026;2$y", "\u{1B}[5;2R", "\u{1B}]11;rgb:10/12/18\u{1B}\\",
    "\u{1B}P>|XTerm(390)\u{1B}\\", "\u{1B}[I", "\u{1B}[<0;3;4M", "\u{1B}[200~words\u{1B}[201~", "\u{1B}[M !!",
    "\u{1B}[99;98;97w", "\u{1B}[1;\r",
  ])
  func `Escape is a key even if a sequence follows it immediately`(next: String) {
    #expect(decode("\u{1B}" + next) == [Self.key(.escape)] + decode(next))
  }

  @Test(arguments: ["[", "O", "]", "P", "_"])
  func `Escape alone waits 25 ms, and a longer sequence 250 ms`(opener: String) {
    var decoder = InputDecoder()

    #expect(decoder.timeout == nil)
    _ = decoder.feed([0x1B])
    #expect(decoder.timeout == 0.025)
    _ = decoder.feed(opener.utf8)
    #expect(decoder.timeout == 0.25)
    _ = decoder.feed("1".utf8)
    #expect(decoder.timeout == 0.25)
    _ = decoder.feed("\u{18}".utf8)
    #expect(decoder.timeout == nil)
  }

  private static let interrupt = key(.character("c"), .control)

  @Test(arguments: examples.indices)
  func `Ctrl-C is a key after each part of a sequence, with and without a pause`(index: Int) {
    let bytes = Array(Self.examples[index].0.utf8)

    for end in 0...bytes.count {
      for split in 0...end {
        // The pause before Ctrl-C, and a pause between two parts of the sequence.
        for (pauses, reads) in [(false, 1), (true, 1), (false, 2), (true, 2)] {
          var decoder = InputDecoder()
          _ = decoder.feed(bytes[..<split])
          if pauses { _ = decoder.expire() }
          var events = decoder.feed(bytes[split..<end] + (reads == 1 ? [0x03] : []))
          if reads == 2 { events = decoder.feed([0x03]) }

          #expect(events.last == Self.interrupt, "\(bytes[..<split]), \(bytes[split..<end])")
          #expect(decoder.timeout == nil)
          #expect(decoder.feed("q".utf8) == [Self.key(.character("q"))])
        }
      }
    }
  }

  @Test(arguments: ["\u{3}", "\u{1B}[99;5u"])
  func `Ctrl-C at the end of a read ends a paste that has no end sequence`(interrupt: String) {
    for reads in [["a\u{3}b", interrupt], ["a\u{3}b" + interrupt], ["a\u{1B}[20", interrupt + interrupt]] {
      var decoder = InputDecoder()
      _ = decoder.feed("\u{1B}[200~".utf8)

      let events = reads.flatMap { decoder.feed($0.utf8) }

      #expect(events == [Self.interrupt])
      #expect(decoder.feed("q".utf8) == [Self.key(.character("q"))])
    }
  }

  @Test func `the byte of Ctrl-C inside a paste is text`() {
    #expect(decode("\u{1B}[200~a\u{3}b\u{1B}[201~") == [.event(.paste("a\u{3}b"))])
  }

  @Test func `an unfinished paste is delivered on expiry, and an overlong one is cut`() {
    var decoder = InputDecoder()
    _ = decoder.feed("\u{1B}[200~abc".utf8)
    #expect(decoder.expire() == [.event(.paste("abc"))])

    let long = [UInt8](repeating: UInt8(ascii: "x"), count: InputDecoder.pasteLimit + 100)
    let results = decode(Array("\u{1B}[200~".utf8) + long + Array("\u{1B}[201~q".utf8))
    #expect(
      results == [
        .event(.paste(String(repeating: "x", count: InputDecoder.pasteLimit))), Self.key(.character("q")),
      ])
  }

  @Test(arguments: [
    ("\u{1B}[", "1;", InputDecoder.sequenceLimit, "m"), ("\u{1B}[<", "9", InputDecoder.sequenceLimit, "M"),
    ("\u{1B}]", "x", InputDecoder.stringLimit, "\u{7}"), ("\u{1B}P", "é", InputDecoder.stringLimit, "\u{1B}\\"),
    ("\u{1B}[200~", "word ", InputDecoder.pasteLimit, "\u{1B}[201~"),
    ("\u{1B}[200~", "\u{1B}[201", InputDecoder.pasteLimit, "\u{1B}[201~"),
  ])
  func `unfinished input is kept only up to its limit`(opener: String, text: String, limit: Int, end: String) {
    var decoder = InputDecoder()
    _ = decoder.feed(opener.utf8)
    let chunk = [UInt8](String(repeating: text, count: 64).utf8)
    var maximum = 0
    for _ in 0...2 * limit / chunk.count {
      #expect(decoder.feed(chunk) == [])
      maximum = max(maximum, decoder.pending.count)
    }

    #expect(maximum > limit / 2 && maximum <= limit)
    _ = decoder.feed(end.utf8)
    #expect(decoder.pending.isEmpty)
    #expect(decoder.feed("k".utf8) == [Self.key(.character("k"))])
  }

  @Test(arguments: 0..<4)
  func `random bytes neither crash nor hang the decoder, however they are split into chunks`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let alphabet = Array("\u{1B}\u{1B}\u{1B}[[]OP_?<>=;:0123456789~MmuRnctyABIZ $!|\u{7}\u{18}\\é漢\r\u{0}ab".utf8)
    for _ in 0..<Tier.count(25_000, long: 2_500_000) {
      var bytes = Array(Self.examples.randomElement(using: &random)!.0.utf8)
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let byte = random.oneIn(3) ? UInt8.random(in: 0...255, using: &random) : alphabet.randomElement(using: &random)!
        let index = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.insert(byte, at: index)
        case 1 where index < bytes.count: bytes[index] = byte
        default: if index < bytes.count { bytes.remove(at: index) }
        }
      }
      let expected = decode(bytes)
      let cut = Int.random(in: 0...bytes.count, using: &random)
      var decoder = InputDecoder()
      let events = decoder.feed(bytes[..<cut]) + decoder.feed(bytes[cut...]) + decoder.expire()

      #expect(events == expected, "\(bytes)")
      // The wait for the rest of a cut sequence ends without a key.
      if decoder.timeout != nil { #expect(decoder.expire() == []) }
      #expect(decoder.timeout == nil)
      // The last byte of an abandoned sequence is no key, so the decoder may drop this one.
      #expect([[Self.key(.character("k"))], []].contains(decoder.feed("k".utf8)))
      #expect(decoder.feed("k".utf8) == [Self.key(.character("k"))])
    }
  }
}
