import Foundation
import FrameReference
import TerminalHarness
import TerminalIO
import TestSupport
import TextCanvas
import Testing

@Suite struct FrameEncoderTests {
  /// Returns an emulator in the state in which a session starts to use the encoder.
  private func emulator(_ size: CellSize) -> Emulator {
    let emulator = Emulator(columns: size.columns, rows: size.rows)
    emulator.feed("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[H\u{1B}[2J")
    return emulator
  }

  private static let depths: [ColourDepth] = [.truecolor, .indexed, .ansi, .none]

  private static func features(_ seed: Int) -> OutputFeatures {
    OutputFeatures(
      colourDepth: depths[seed % 4], hasSynchronizedOutput: seed % 2 == 0, repeatsCharacters: seed % 3 == 1,
      scrollsOnDemand: seed % 4 != 2, erasesWithBackground: seed % 7 != 3, hasLinks: seed % 3 != 0,
      ambiguousIsWide: seed % 10 == 7)
  }

  private static func size(_ frames: inout RandomFrames) -> CellSize {
    CellSize(
      columns: Int.random(in: 1...60, using: &frames.random), rows: Int.random(in: 1...12, using: &frames.random))
  }

  /// The number of frame pairs to test.
  private static let pairs = Tier.count(10_000, long: 1_000_000)

  @Test(arguments: 0..<10)
  func `the emulator shows each frame after a series of changes`(seed: Int) {
    var frames = RandomFrames(seed: UInt64(seed))
    frames.usesDisputed = seed % 5 == 4
    let features = Self.features(seed)
    var pairs = 0
    while pairs < Self.pairs / 10 {
      let size = Self.size(&frames)
      let encoder = FrameEncoder(size: size, features: features)
      let judge = emulator(size)
      var frame = frames.first(columns: size.columns, rows: size.rows)
      for step in 0..<25 {
        if step == 12 {
          // The content of the terminal is unknown after a change of size. The next frame repairs it.
          let other = Self.size(&frames)
          judge.resize(columns: other.columns, rows: other.rows)
          encoder.resize(to: other)
          frame = frames.first(columns: other.columns, rows: other.rows)
        }
        let bytes = encoder.encode(frame)
        judge.feed(bytes)
        if let difference = ExpectedScreen(frame.surface, features: features).difference(from: judge) {
          let written = String(decoding: bytes, as: UTF8.self).debugDescription
          Issue.record("seed \(seed), pair \(pairs): \(difference)\n\(written)\nshifts \(frame.shifts)")
          return
        }
        #expect(encoder.encode(frame) == [], "an unchanged frame")
        frame = frames.next(after: frame)
        pairs += 1
      }
    }
  }

  @Test(arguments: 0..<8)
  func `a frame repairs a terminal on which earlier frames were interrupted`(seed: Int) {
    var frames = RandomFrames(seed: UInt64(1000 + seed))
    let features = Self.features(seed)
    for _ in 0..<40 {
      let size = Self.size(&frames)
      let encoder = FrameEncoder(size: size, features: features)
      encoder.sliceLimit = 256
      let judge = emulator(size)
      var frame = frames.first(columns: size.columns, rows: size.rows)
      for _ in 0..<15 {
        encoder.begin(frame)
        var remaining = Int.random(in: 0...6, using: &frames.random)
        while remaining > 0, let slice = encoder.nextSlice {
          #expect(slice.count <= 256)
          judge.feed(slice)
          encoder.commitSlice()
          remaining -= 1
        }
        frame = frames.next(after: frame)
      }
      judge.feed(encoder.encode(frame))

      #expect(ExpectedScreen(frame.surface, features: features).difference(from: judge) == nil)
      #expect(!judge.privateModes.contains(2026), "the picture is not held back")
    }
  }

  @Test(arguments: 0..<4)
  func `a hint never lengthens a frame, and often shortens it`(seed: Int) {
    var frames = RandomFrames(seed: UInt64(2000 + seed))
    var shorter = 0
    for _ in 0..<500 {
      let size = Self.size(&frames)
      let first = frames.first(columns: size.columns, rows: size.rows)
      let second = frames.next(after: first)
      let hinted = FrameEncoder(size: size, features: Self.features(seed))
      let plain = FrameEncoder(size: size, features: Self.features(seed))
      _ = hinted.encode(first)
      _ = plain.encode(first)

      let length = hinted.encode(second).count
      let plainLength = plain.encode(Frame(surface: second.surface)).count

      #expect(length <= plainLength)
      if length < plainLength { shorter += 1 }
    }
    #expect(shorter > 50)
  }

  @Test func `a vertical slide writes only the exposed rows and a few more bytes`() {
    var frames = RandomFrames(seed: 7)
    var surface = Surface(columns: 120, rows: 40, filledWith: .blank)
    frames.scribble(on: &surface, times: 400)
    var moved = Surface(columns: 120, rows: 40, filledWith: .blank)
    moved.copy(surface, at: CellPoint(column: 0, row: -1))
    let encoder = FrameEncoder(size: surface.size, features: OutputFeatures(hasSynchronizedOutput: true))
    _ = encoder.encode(Frame(surface: surface))

    let bytes = encoder.encode(
      Frame(surface: moved, shifts: [RegionShift(rect: surface.bounds, columns: 0, rows: -1)]))

    #expect(bytes.count <= 40)
  }

  /// A box on the left moves down next to text that stays.
  @Test func `rows of a shifted region are moved only if that saves bytes`() {
    let line = String(repeating: "─", count: 30)
    func screen(boxAt row: Int) -> Surface {
      var surface = Surface(columns: 110, rows: 12, filledWith: .blank)
      for (index, text) in ["┌\(line)┐", "│ moves", "│", "│", "└\(line)┘"].enumerated() {
        surface.draw(text, at: CellPoint(column: 0, row: row + index))
      }
      for (index, text) in ["Words that stand still", "beside a box", "while it goes", "down."].enumerated() {
        surface.draw(String(repeating: text + " ", count: 3), at: CellPoint(column: 36, row: 2 + index))
      }
      return surface
    }
    let features = OutputFeatures()
    let encoder = FrameEncoder(size: CellSize(columns: 110, rows: 12), features: features)
    let judge = emulator(CellSize(columns: 110, rows: 12))
    judge.feed(encoder.encode(Frame(surface: screen(boxAt: 1))))
    let shift = RegionShift(rect: CellRect(column: 0, row: 1, columns: 32, rows: 6), columns: 0, rows: 1)

    let bytes = encoder.encode(Frame(surface: screen(boxAt: 2), shifts: [shift]))
    judge.feed(bytes)

    // The two bands with the horizontal lines are moved. This also moves the text next to them, so it is written again
    // in rows 2 and 5. The rows between the bands are not moved.
    #expect(
      String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^")
        == "\r\n^[M^M^[L^[;3r^[T^[r\n\n^[36CWords that stand still Words that stand still Words that stand still"
        + "\n^[3Gmoves\r\n\n│^[35Cdown. down. down.\n^[17D^[K")
    #expect(ExpectedScreen(screen(boxAt: 2), features: features).difference(from: judge) == nil)
  }

  /// The region of the hint contains text that does not move, such as that of a pane above the moving text.
  @Test(arguments: [-2, 2]) func `only the columns of a shifted region that have moved are moved`(columns: Int) {
    func screen(textAt column: Int) -> Surface {
      var surface = Surface(columns: 60, rows: 1, filledWith: .blank)
      surface.draw("Some words that move a little", at: CellPoint(column: column, row: 0))
      surface.draw("stays", at: CellPoint(column: 44, row: 0))
      return surface
    }
    let features = OutputFeatures()
    let encoder = FrameEncoder(size: CellSize(columns: 60, rows: 1), features: features)
    let judge = emulator(CellSize(columns: 60, rows: 1))
    judge.feed(encoder.encode(Frame(surface: screen(textAt: 6))))
    let shift = RegionShift(rect: CellRect(column: 4, row: 0, columns: 50, rows: 1), columns: columns, rows: 0)

    let bytes = encoder.encode(Frame(surface: screen(textAt: 6 + columns), shifts: [shift]))
    judge.feed(bytes)

    #expect(bytes.count <= 16, "\(String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^"))")
    #expect(ExpectedScreen(screen(textAt: 6 + columns), features: features).difference(from: judge) == nil)
  }

  @Test func `only text with links is written again when links become supported`() throws {
    let link = try #require(Hyperlink("https://a.example/"))
    var surface = Surface(columns: 80, rows: 24, filledWith: .blank)
    surface.draw(String(repeating: "Learn ", count: 12), at: .zero)
    surface.draw("more", at: CellPoint(column: 10, row: 5), style: Style(link: link))
    let without = OutputFeatures(hasLinks: false)
    let encoder = FrameEncoder(size: surface.size, features: without)
    // The cursor is still after the word, so the encoder moves back four columns.
    let written = "\u{8}\u{8}\u{8}\u{8}\u{1B}]8;id=\(number(of: link));https://a.example/\u{1B}\\more"
    _ = encoder.encode(Frame(surface: surface))

    #expect(encoder.setFeatures(OutputFeatures(hasLinks: true)))
    #expect(String(decoding: encoder.encode(Frame(surface: surface)), as: UTF8.self) == written)
    #expect(encoder.setFeatures(without))
    #expect(
      String(decoding: encoder.encode(Frame(surface: surface)), as: UTF8.self).hasSuffix("\u{1B}]8;;\u{1B}\\more"))

    let other = FrameEncoder(size: surface.size, features: without)
    other.begin(Frame(surface: surface))
    #expect(other.setFeatures(OutputFeatures(hasLinks: true)))
    #expect(other.nextSlice == nil)
    #expect(String(decoding: other.encode(Frame(surface: surface)), as: UTF8.self).hasSuffix(written.dropFirst(4)))
  }

  @Test func `a link ends before the blank that follows it`() throws {
    let link = try #require(Hyperlink("https://a.example/"))
    var surface = Surface(columns: 20, rows: 1, filledWith: Cell(Glyph("x"), style: .plain))
    let encoder = FrameEncoder(size: surface.size, features: OutputFeatures(hasLinks: true))
    _ = encoder.encode(Frame(surface: surface))
    surface.draw("more", at: .zero, style: Style(link: link))
    surface.draw(" or less", at: CellPoint(column: 4, row: 0))

    let written = String(decoding: encoder.encode(Frame(surface: surface)), as: UTF8.self)

    #expect(written.contains("more\u{1B}]8;;\u{1B}\\ or less"), "\(written.debugDescription)")
  }

  /// The number of a link in the cells of a surface.
  private func number(of link: Hyperlink) -> UInt16 {
    Cell(Glyph("x"), style: Style(link: link)).linkNumber
  }

  @Test func `rows are deleted and inserted on the Linux console, which cannot scroll`() {
    var frames = RandomFrames(seed: 7)
    var surface = Surface(columns: 60, rows: 20, filledWith: .blank)
    frames.scribble(on: &surface, times: 200)
    var features = OutputFeatures(Capabilities(environment: TerminalEnvironment(["TERM": "linux", "LANG": "C.UTF-8"])))
    // The console font is tested elsewhere. Without it, the expected screen equals the surface.
    (features.font, features.isUnicode) = (nil, true)
    for (rect, rows) in [(surface.bounds, -2), (CellRect(column: 0, row: 3, columns: 60, rows: 12), 3)] {
      var moved = surface
      moved.fill(rect, with: .blank)
      moved.copy(surface.cropped(rect), at: CellPoint(column: 0, row: rect.row + rows), clippedTo: rect)
      let encoder = FrameEncoder(size: surface.size, features: features)
      let judge = emulator(surface.size)
      judge.feed(encoder.encode(Frame(surface: surface)))

      let bytes = encoder.encode(Frame(surface: moved, shifts: [RegionShift(rect: rect, columns: 0, rows: rows)]))
      judge.feed(bytes)

      #expect(bytes.count <= 40)
      #expect(!String(decoding: bytes, as: UTF8.self).contains(/[ST]/))
      #expect(ExpectedScreen(moved, features: features).difference(from: judge) == nil)
    }
  }

  @Test func `a change of one cell writes a cursor movement and one character`() {
    var surface = Surface(columns: 80, rows: 24, filledWith: .blank)
    let encoder = FrameEncoder(size: surface.size, features: OutputFeatures(hasSynchronizedOutput: true))
    _ = encoder.encode(Frame(surface: surface))
    surface.draw("x", at: CellPoint(column: 10, row: 5))

    #expect(String(decoding: encoder.encode(Frame(surface: surface)), as: UTF8.self) == "\u{1B}[6;11Hx")
  }

  @Test func `a cleared terminal receives the same bytes as a new one`() {
    var frames = RandomFrames(seed: 11)
    let features = OutputFeatures(hasSynchronizedOutput: true)
    let frame = frames.first(columns: 40, rows: 10)
    let new = FrameEncoder(size: frame.surface.size, features: features).encode(frame)
    let used = FrameEncoder(size: frame.surface.size, features: features)
    _ = used.encode(frames.first(columns: 40, rows: 10))
    used.begin(frames.next(after: frame))

    used.terminalWasCleared()
    let afterFrames = used.encode(frame)
    used.invalidateScreen()
    used.terminalWasCleared()
    let afterNothing = used.encode(frame)

    #expect(String(decoding: afterFrames, as: UTF8.self) == String(decoding: new, as: UTF8.self))
    #expect(String(decoding: afterNothing, as: UTF8.self) == String(decoding: new, as: UTF8.self))
  }

  @Test func `a terminal without UTF-8 receives only ASCII`() {
    var frames = RandomFrames(seed: 9)
    frames.usesDisputed = true
    let encoder = FrameEncoder(
      size: CellSize(columns: 50, rows: 10), features: OutputFeatures(isUnicode: false, repeatsCharacters: true))

    for _ in 0..<50 {
      let bytes = encoder.encode(frames.first(columns: 50, rows: 10))
      #expect(bytes.allSatisfy { $0 < 0x80 })
    }
  }

  @Test func `control sequences in text reach the terminal as text`() {
    var surface = Surface(columns: 60, rows: 2, filledWith: .blank)
    let hostile = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{202E}abc\u{200B}\r\n\u{0}\u{85}é\u{7F}"
    surface.draw(hostile + String(repeating: "\u{301}", count: 10_000), at: .zero)
    let judge = emulator(surface.size)
    let features = OutputFeatures()

    judge.feed(FrameEncoder(size: surface.size, features: features).encode(Frame(surface: surface)))

    #expect(judge.title == "")
    #expect(ExpectedScreen(surface, features: features).difference(from: judge) == nil)
  }
}
