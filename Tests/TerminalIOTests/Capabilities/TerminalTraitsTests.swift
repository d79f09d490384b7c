import Foundation
import FrameReference
import TestSupport
import TextCanvas
import Testing

@testable import TerminalIO

@Suite struct TerminalTraitsTests {
  /// An entry of Debian's terminfo database.
  struct Entry: CustomTestStringConvertible {
    let isBase: Bool
    let name: String
    let colours: Int
    let erasesWithBackground: Bool
    let scrolls: Bool

    var testDescription: String { name }
  }

  private static let entries: [Entry] = {
    let project = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let file = project.appending(path: "Fixtures/terminfo/debian-12.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: " ")
      return Entry(
        isBase: fields[0] == "base", name: String(fields[1]), colours: Int(fields[2]) ?? -1,
        erasesWithBackground: fields.contains("bce"), scrolls: fields.contains("indn"))
    }
  }()

  private static func capabilities(_ name: String) -> Capabilities {
    Capabilities(environment: TerminalEnvironment(["TERM": name, "LANG": "C.UTF-8"]))
  }

  /// The depths that fit a terminfo entry. Current terminals with 256 indexed colours can also show RGB colours.
  private static func depths(colours: Int) -> [ColourDepth] {
    switch colours {
    case 0: [.none]
    case 1..<256: [.ansi]
    case 256: [.indexed, .truecolor]
    default: [.truecolor]
    }
  }

  @Test func `the table agrees with each terminfo entry of Debian's base system`() {
    let base = Self.entries.filter(\.isBase)
    #expect(base.count == 45)

    for entry in base {
      let capabilities = Self.capabilities(entry.name)

      #expect(Self.depths(colours: entry.colours).contains(capabilities.colourDepth), "\(entry.name)")
      // tmux erases with the current background, although its entry does not declare it.
      let erases = entry.erasesWithBackground || entry.name.hasPrefix("tmux")
      if capabilities.colourDepth != .none { #expect(!capabilities.erasesWithBackground || erases, "\(entry.name)") }
      #expect(!capabilities.scrollsOnDemand || entry.scrolls, "\(entry.name)")
      #expect((capabilities.font != nil) == (entry.name == "linux"), "\(entry.name)")
    }
  }

  @Test func `the table's colours agree with each further Debian entry that it covers`() {
    // The entries for GNU screen on a Minitel are left out, because no row describes that terminal.
    let others = Self.entries.filter { entry in
      !entry.isBase && TerminalTraits.row(of: entry.name) != nil && !entry.name.hasPrefix("screen.minitel")
    }
    #expect(others.count > 200)

    for entry in others {
      #expect(Self.depths(colours: entry.colours).contains(Self.capabilities(entry.name).colourDepth), "\(entry.name)")
    }
  }

  @Test func `a terminal whose name ends in -m or -mono has no colours`() {
    let colourless = Self.entries.filter { $0.name.hasSuffix("-m") || $0.name.hasSuffix("-mono") }
    #expect(colourless.count > 40)

    for entry in colourless where entry.colours == 0 {
      #expect(Self.capabilities(entry.name).colourDepth == .none, "\(entry.name)")
    }
  }

  @Test(arguments: [
    ("xterm", "xterm"), ("xterm-256color", "xterm"), ("xterm-kitty", "xterm-kitty"), ("vt220", "dumb"), ("vte", "vte"),
    ("screen.linux", "screen"), ("linux3.0", "linux"), ("iterm2", "iterm"), ("linuxish", nil), ("", nil),
    ("xtermish", nil),
  ])
  func `a terminal is found only by a complete name`(term: String, first: String?) {
    #expect(TerminalTraits.row(of: term)?.names.first == first)
  }

  @Test(arguments: ["linux", "linux-16color", "linux3.0"])
  func `the Linux console draws only characters of its font`(term: String) {
    let capabilities = Self.capabilities(term)

    #expect(capabilities.isUnicode && !capabilities.drawsAllCharacters)
    #expect(capabilities.font == .builtIn)
    #expect(OutputFeatures(capabilities).font == .builtIn && !OutputFeatures(capabilities).isUnicode)
  }

  @Test func `a Linux console with an ASCII locale gets only ASCII`() {
    let features = OutputFeatures(Capabilities(environment: TerminalEnvironment(["TERM": "linux", "LANG": "C"])))

    #expect(features.font == nil && !features.isUnicode)
  }
}

@Suite struct ConsoleFontTests {
  @Test func `the built-in font contains only letters and lines of the kernel's font`() {
    let font = ConsoleFont.builtIn

    #expect("éßñ─│┌█▒•√→".unicodeScalars.allSatisfy { font.contains($0.value) })
    #expect(!"ax łŁ✓…“”—╭漢👍\u{FFFD}".unicodeScalars.contains { font.contains($0.value) })
  }

  @Test(.enabled(if: consoleFont != nil))
  func `the font is read from a console`() throws {
    #expect(try #require(consoleFont).contains(0x2500))
  }

  @Test func `a device that is not a console has no font`() throws {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }

    #expect(ConsoleFont(of: null) == nil)
  }

  @Test func `a frame replaces characters that the font lacks`() {
    var surface = Surface(columns: 12, rows: 1, filledWith: .blank)
    surface.draw("é─“✓”漢ł…x", at: .zero)
    let encoder = FrameEncoder(
      size: surface.size,
      features: OutputFeatures(isUnicode: false, font: .builtIn, repeatsCharacters: true, scrollsOnDemand: false))

    let text = String(decoding: encoder.encode(Frame(surface: surface)), as: UTF8.self)

    #expect(text.contains("é─\"x\"???.x"))
  }
}

@Suite struct ConsoleFrameTests {
  @Test func `frames for a Linux console contain only characters of its font`() {
    let features = OutputFeatures(Capabilities(environment: TerminalEnvironment(["TERM": "linux", "LANG": "C.UTF-8"])))
    var frames = RandomFrames(seed: 9)
    frames.usesDisputed = true
    let encoder = FrameEncoder(size: CellSize(columns: 50, rows: 10), features: features)
    for _ in 0..<50 {
      let text = String(decoding: encoder.encode(frames.first(columns: 50, rows: 10)), as: UTF8.self)

      #expect(text.unicodeScalars.allSatisfy { $0.isASCII || ConsoleFont.builtIn.contains($0.value) })
    }
  }
}

/// The font of the console of this system, if the tests may read one.
private let consoleFont: ConsoleFont? = {
  let console = open("/dev/tty0", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
  guard console >= 0 else { return nil }
  defer { close(console) }
  return ConsoleFont(of: console)
}()
