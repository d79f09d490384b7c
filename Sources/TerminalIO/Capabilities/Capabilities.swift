import CTerminal
public import Images
public import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The capabilities of a terminal: initially from the environment, then from the terminal's replies to queries.
public struct Capabilities: Hashable, Sendable {
  /// The colours that the terminal shows.
  public var colourDepth: ColourDepth
  /// Whether the encoding of the locale is UTF-8; otherwise only ASCII is sent.
  public var isUnicode: Bool
  /// The characters beyond ASCII that the terminal draws, or `nil` if it draws all.
  package var font: ConsoleFont?
  /// Whether the terminal supports synchronized output (private mode 2026).
  public var hasSynchronizedOutput = false
  /// Whether the terminal supports the kitty keyboard protocol, which distinguishes keys that otherwise send equal
  /// bytes.
  public var hasKittyKeyboard = false
  /// The background colour of the terminal, or `nil` if the terminal has not reported it yet.
  public var background: Colour?
  /// The width of ambiguous characters, such as box drawing, in columns: 1, or 2 on some East Asian terminals.
  public var ambiguousWidth = 1
  /// Whether erased and scrolled-in cells get the current background colour.
  package var erasesWithBackground: Bool
  /// Whether the terminal supports repeating a character (REP).
  package var repeatsCharacters = false
  /// Whether the terminal supports scrolling rows (SU, SD).
  package var scrollsOnDemand: Bool
  /// Whether the terminal is known to show links (OSC 8).
  public var hasLinks: Bool
  /// Whether mouse reports delay the Escape key until the next key press, as in GNU screen.
  package var mouseDelaysEscape: Bool
  /// The size of a cell in pixels, from the system or the terminal, or `nil` if unknown.
  public var cellPixels: CellPixels?
  /// Whether the terminal draws sixel images.
  public var hasSixels = false
  /// Whether the terminal supports the kitty graphics protocol.
  public var supportsKittyGraphics = false
  /// Whether the program runs in tmux, which passes on sequences that are wrapped for it.
  public var isWithinTmux: Bool
  /// Whether the terminal has replied to a query.
  package var responds = false
  /// Whether the terminal has replied to all initial queries, so that the capabilities no longer change.
  public var isSettled = false
  /// The name and version of the terminal, or `nil` if it has not reported any.
  public var version: String?

  /// Determines the capabilities from environment variables.
  ///
  /// | variable | effect |
  /// |---|---|
  /// | `NO_COLOR` | no colour (no-color.org) |
  /// | `CLICOLOR_FORCE`, `FORCE_COLOR` | colour, also if `TERM` has none (bixense.com/clicolors) |
  /// | `COLORTERM` | `truecolor` or `24bit`: all colours |
  /// | `TERM` | the colours and characters of that terminal; `…-direct` all colours, `…256color` the numbered ones, \
  ///   `…-m` and `…-mono` none |
  /// | `LC_ALL`, `LC_CTYPE`, `LANG` | the first one that is set: UTF-8 or not |
  /// | `TERM`, `TERM_PROGRAM`, `VTE_VERSION`, `WT_SESSION` | whether the terminal is known to show links |
  /// | `STY` | GNU screen, which waits after an Escape for the rest of a mouse report (seen in 4.9.0) |
  ///
  /// - Parameter environment: The variables; ``TerminalEnvironment/process`` for those of this process.
  public init(environment: TerminalEnvironment) {
    let term = environment["TERM"] ?? "dumb"
    let traits = TerminalTraits(term: term)
    colourDepth = Self.colourDepth(traits, environment)
    font = traits.font
    isUnicode = Self.isUnicode(environment)
    erasesWithBackground = traits.erasesWithBackground
    scrollsOnDemand = traits.scrollsOnDemand
    hasLinks = traits.hasLinks || Self.isKnownForLinks(traits, environment)
    mouseDelaysEscape = environment["STY"] != nil
    isWithinTmux = environment["TMUX"] != nil
  }

  private static func colourDepth(_ traits: TerminalTraits, _ environment: TerminalEnvironment) -> ColourDepth {
    if environment["NO_COLOR"] != nil { return .none }
    if traits.colourDepth == .none {
      let isForced = [environment["CLICOLOR_FORCE"], environment["FORCE_COLOR"]].contains { $0 != nil && $0 != "0" }
      return isForced ? .ansi : .none
    }
    let colour = environment["COLORTERM"]?.lowercased()
    return colour == "truecolor" || colour == "24bit" ? .truecolor : traits.colourDepth
  }

  /// Whether the terminal draws all Unicode characters; a Linux console draws only those of its font.
  public var drawsAllCharacters: Bool { isUnicode && font == nil }

  /// Returns whether the encoding of the locale is UTF-8. Source: POSIX, 8.2, the order of the variables.
  static func isUnicode(_ environment: TerminalEnvironment) -> Bool {
    guard let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] else { return false }
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }

  /// Returns whether environment variables name a terminal that shows links. Inside a multiplexer they name the
  /// terminal in which the multiplexer was started, so they are ignored there.
  private static func isKnownForLinks(_ traits: TerminalTraits, _ environment: TerminalEnvironment) -> Bool {
    guard !traits.isMultiplexer, environment["TMUX"] == nil, environment["STY"] == nil else {
      return false
    }
    let programs = ["iTerm.app", "WezTerm", "ghostty", "vscode"]
    if environment["TERM_PROGRAM"].map(programs.contains) ?? false { return true }
    // VTE supports links since 0.50, Windows Terminal since 1.4.
    return environment["VTE_VERSION"].flatMap { Int($0) } ?? 0 >= 5000 || environment["WT_SESSION"] != nil
  }

  // MARK: Queries and replies

  /// Returns the queries that a session sends when it starts. The reply to the last one shows that the others have been
  /// handled.
  ///
  /// Sources: DEC VT510 reference (DECRQM, DA1); kitty keyboard protocol, "Detection of support"; xterm (OSC 11,
  /// XTVERSION).
  static func queries(environment: TerminalEnvironment) -> String {
    // The Linux console interprets OSC as a command that sets its own colours.
    let isConsole = environment["TERM"] == "linux"
    let background = isConsole ? "" : "\u{1B}]11;?\u{1B}\\"
    return "\u{1B}[?2026$p\u{1B}[?u\(background)\u{1B}[>q\u{1B}[c"
  }

  /// The image ID of the query, which is never shown.
  static let queryImageID: UInt32 = 4_211_087

  /// Returns the queries for the image protocols: an image of one pixel that is not shown, and the size of a cell in
  /// pixels.
  ///
  /// Sources: kitty, "Terminal graphics protocol", "Querying support and available transmission mediums" (`a=q`);
  /// xterm, "XTerm Control Sequences", XTWINOPS (`CSI 16 t`). Terminals that do not know an APC string skip it
  /// (ECMA-48, 8.3.2). The Linux console and GNU screen display it, so they are not queried.
  ///
  /// They must be sent before the screen is cleared, because an emulator that does not skip such a string displays it
  /// (libvterm 0.1.4).
  static func imageQueries(environment: TerminalEnvironment) -> String {
    // Terminal.app of macOS displays the query as text.
    guard environment["TERM"] != "linux", environment["STY"] == nil, environment["TERM_PROGRAM"] != "Apple_Terminal"
    else { return "" }
    let question = "\u{1B}_Gi=\(queryImageID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    let wrapped =
      environment["TMUX"] == nil
      ? question : String(decoding: KittyImage.throughTmux(Array(question.utf8)), as: UTF8.self)
    return wrapped + "\u{1B}[16t"
  }

  /// Updates the capabilities from a reply. Returns whether they have changed.
  mutating func update(_ answer: TerminalReply) -> Bool {
    let before = self
    responds = true
    switch answer {
    case .status: break
    case .attributes(let features):
      isSettled = true
      // DEC VT510 reference, DA1: 4 is sixel graphics. The first number is the class of the terminal.
      hasSixels = features.dropFirst().contains(4)
    case .image(Self.queryImageID, let isShown): supportsKittyGraphics = isShown
    case .image: break
    case .cell(let pixels): cellPixels = cellPixels ?? pixels
    case .mode(2026, let setting): hasSynchronizedOutput = setting == .set || setting == .reset
    case .mode: break
    case .keyboardFlags: hasKittyKeyboard = true
    case .background(let colour): background = colour
    case .version(let name):
      version = name
      if let traits = TerminalTraits(answer: name) {
        erasesWithBackground = traits.erasesWithBackground
        if colourDepth == .ansi, traits.hasNumberedColours { colourDepth = .indexed }
        if traits.hasLinks || Self.isTmux(name, since: (3, 4)) { hasLinks = true }
      }
    // The reply to the probe arrives before the one that settles the capabilities.
    case .cursor(let position) where position.row == Self.probeRow && !isSettled:
      ambiguousWidth = [2, 6].contains(position.column) ? 2 : 1
      repeatsCharacters = position.column == 3 * ambiguousWidth
    case .cursor: break
    }
    return self != before
  }

  /// Returns whether a name such as `tmux 3.3a` is that of tmux with at least the given version. tmux shows links since
  /// 3.4. Source: tmux, CHANGES, from 3.3a to 3.4.
  private static func isTmux(_ name: String, since version: (Int, Int)) -> Bool {
    let components = name.split(separator: " ")
    guard components.count == 2, components[0] == "tmux" else { return false }
    let numbers = components[1].split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count >= 2 && (numbers[0], numbers[1]) >= version
  }

  /// The zero-based row of the probe. Not row 0, because some keys look like a reply for that row.
  static let probeRow = 1

  /// Returns a probe that writes a character, repeats it twice, and requests the cursor position. The column shows
  /// whether the character is one or two columns wide, and whether it was repeated. The first frame overwrites the
  /// probe.
  ///
  /// Source: ECMA-48, 8.3.21 CUP, 8.3.103 REP, 8.3.35 DSR.
  static func probe(isUnicode: Bool) -> String {
    "\u{1B}[\(probeRow + 1)H\(isUnicode ? "\u{2500}" : "-")\u{1B}[2b\u{1B}[6n"
  }

  /// Whether the background of the terminal is dark, or `nil` if the terminal has not reported it.
  public var isDark: Bool? {
    guard case .rgb(let red, let green, let blue)? = background?.kind else { return nil }
    // Source: ITU-R BT.709, luma.
    return 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue) < 128
  }
}

/// The colours, characters and functions of a terminal, by its name. To add a terminal, add a row to the table.
///
/// Sources: the terminfo entries of ncurses (`colors`, `bce`, `indn`) and the programs' release notes; for links, the
/// list of terminals in the specification "Hyperlinks in terminal emulators".
struct TerminalTraits: Hashable, Sendable {
  /// The values of `TERM`. A name also matches itself followed by a digit or punctuation: `vt` matches `vt100`, and
  /// `screen` matches `screen.linux`.
  let names: [String]
  /// A lower-case part of the name that the terminal reports, or `nil` if it is not known to report one.
  var answer: String?
  /// The colours, unless the value of `TERM` specifies the number of colours or none.
  var colourDepth = ColourDepth.ansi
  /// Whether the terminal supports 256 colours although the value of `TERM` specifies sixteen. tmux converts them for
  /// the outer terminal.
  ///
  /// xterm shows bold text in the bright half of the sixteen colours, which is not readable on a light background. It
  /// does not change the numbered colours. Source: xterm(1), `boldColors`.
  var hasNumberedColours = false
  /// Whether erased and scrolled-in cells get the current background colour (back colour erase).
  var erasesWithBackground = true
  /// Whether the terminal supports SU and SD.
  var scrollsOnDemand = true
  /// Whether the terminal shows links (OSC 8).
  var hasLinks = false
  /// Whether the terminal is a multiplexer, which is shown in another terminal.
  var isMultiplexer = false
  /// The characters that the terminal draws, or `nil` if it draws all.
  var font: ConsoleFont?

  /// The known terminals. The first row with a matching name is used.
  fileprivate static let table: [TerminalTraits] = [
    .colourless(["dumb", "vt1", "vt2", "vt3", "vt4", "vt5", "vt6"]),
    .colourless(["xterm-24", "xterm-bold", "xterm-mono", "xterm-old", "xterm-pcolor", "xterm-r5", "xterm-r6"]),
    .colourless(["ansi-generic", "ansi-mini", "ansi-mtabs", "ansi-nt", "ansi43m", "ansi77", "pcansi25m", "pcansi33m"]),
    .colourless(["rxvt-basic", "screen2", "screen3", "screen.xterm-r6"]),
    Self(names: ["mach-color"], erasesWithBackground: false, scrollsOnDemand: false),
    Self(names: ["mach-gnu-color"], erasesWithBackground: false),
    Self(names: ["sun-color"], erasesWithBackground: false, scrollsOnDemand: false),
    .colourless(["mach", "sun"]),
    Self(
      names: ["xterm-kitty", "kitty"], answer: "kitty", colourDepth: .truecolor, hasNumberedColours: true,
      hasLinks: true),
    Self(
      names: ["xterm-ghostty", "ghostty"], answer: "ghostty", colourDepth: .truecolor, hasNumberedColours: true,
      hasLinks: true),
    Self(names: ["alacritty"], answer: "alacritty", colourDepth: .truecolor, hasNumberedColours: true, hasLinks: true),
    Self(names: ["foot"], answer: "foot", colourDepth: .truecolor, hasNumberedColours: true, hasLinks: true),
    Self(names: ["wezterm"], answer: "wezterm", colourDepth: .truecolor, hasNumberedColours: true, hasLinks: true),
    Self(names: ["contour"], answer: "contour", hasNumberedColours: true, hasLinks: true),
    Self(names: ["konsole"], answer: "konsole", hasNumberedColours: true, hasLinks: true),
    Self(names: ["vte"], answer: "vte", hasNumberedColours: true, hasLinks: true),
    Self(names: ["iterm"], answer: "iterm", colourDepth: .indexed, hasNumberedColours: true, hasLinks: true),
    Self(names: ["mintty"], answer: "mintty", colourDepth: .indexed, hasNumberedColours: true, hasLinks: true),
    // tmux shows links since 3.4. Its reply contains the version.
    Self(names: ["tmux"], answer: "tmux", hasNumberedColours: true, isMultiplexer: true),
    Self(names: ["screen"], answer: "screen", erasesWithBackground: false, isMultiplexer: true),
    // The console ignores SU and SD, but inserts and deletes rows. Source: console_codes(4).
    Self(names: ["linux"], answer: "linux", scrollsOnDemand: false, font: .builtIn),
    Self(names: ["Eterm", "rxvt-16color", "rxvt-cygwin", "wsvt"], scrollsOnDemand: false),
    Self(names: ["rxvt-unicode"]),
    Self(names: ["rxvt"], scrollsOnDemand: false),
    Self(names: ["cygwin", "pcansi", "xterm-color"], erasesWithBackground: false, scrollsOnDemand: false),
    Self(names: ["ansi"], erasesWithBackground: false),
    Self(names: ["xterm.js"], colourDepth: .indexed),
    // Many terminals use a name of xterm for TERM. Only xterm itself reports it.
    Self(names: ["xterm"], answer: "xterm", hasNumberedColours: true),
    Self(names: ["cons", "hurd"]),
  ]

  private static func colourless(_ names: [String]) -> Self {
    Self(names: names, colourDepth: .none, erasesWithBackground: false, scrollsOnDemand: false)
  }
}

extension TerminalTraits {
  /// Finds a terminal by the value of `TERM`. A terminal that is not in the table is assumed to be a current one with
  /// sixteen colours.
  init(term: String) {
    self = Self.row(of: term) ?? Self(names: [])
    let variants = term.split(separator: "-").dropFirst()
    // Source: the naming conventions in term(7): `-m` and `-mono` have no colours.
    if variants.contains(where: { ["m", "mono", "m1b", "m2"].contains($0) }) { colourDepth = .none }
    guard colourDepth != .none else { return }
    if variants.contains(where: { $0.hasPrefix("direct") }) {
      colourDepth = .truecolor
    } else if colourDepth == .ansi, term.contains("256color") {
      colourDepth = .indexed
    }
  }

  /// Returns the row for a value of `TERM`, or `nil` if it is not in the table.
  static func row(of term: String) -> Self? {
    table.first { row in
      row.names.contains { term.hasPrefix($0) && term.dropFirst($0.count).first?.isLetter != true }
    }
  }

  /// Finds a terminal by the name and version that it reports. Returns `nil` if it is not in the table.
  init?(answer: String) {
    let answer = answer.lowercased()
    guard let row = Self.table.first(where: { $0.answer.map(answer.contains) ?? false }) else { return nil }
    self = row
  }
}

/// The characters beyond ASCII that the font of a Linux console has.
///
/// A console font has 256 or 512 glyphs; the kernel draws a replacement character for all other characters.
package struct ConsoleFont: Hashable, Sendable {
  /// The characters in ascending order.
  private let scalars: [UInt16]

  /// Creates a font with the given characters.
  init(_ scalars: some Sequence<UInt16>) {
    self.scalars = Set(scalars.filter { $0 >= 0xA0 && $0 != 0xFFFD }).sorted()
  }

  /// Reads the font of a Linux console. Returns `nil` if the terminal is not a Linux console.
  init?(of descriptor: Int32) {
    var buffer = [UInt16](repeating: 0, count: 1 << 16)
    let count = cterminal_console_font(descriptor, &buffer, Int32(buffer.count))
    guard count > 0 else { return nil }
    self.init(buffer.prefix(Int(count)))
  }

  /// Returns whether the font has a character. `false` for ASCII.
  package func contains(_ scalar: UInt32) -> Bool {
    guard let scalar = UInt16(exactly: scalar) else { return false }
    var (low, high) = (0, scalars.count)
    while low < high {
      let middle = (low + high) / 2
      if scalars[middle] < scalar { low = middle + 1 } else { high = middle }
    }
    return low < scalars.count && scalars[low] == scalar
  }

  /// The font that is compiled into the kernel. A console uses it until another font is loaded.
  ///
  /// Source: Linux, drivers/tty/vt/cp437.uni.
  package static let builtIn = ConsoleFont(
    """
    ¡¢£¤¥¦§¨©ª«¬\u{AD}®°±²´µ¶·¸º»¼½¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýÿƒ\u{A0}
    ΓΘΣΦΩαβδεμπστφ•‼ⁿ₧\u{2126}\u{212A}\u{212B}←↑→↓↔↕↨∈∙√∞∟∩≈≡≤≥⌂⌐⌠⌡⎽
    ─│┌┐└┘├┤┬┴┼═║╒╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡╢╣╤╥╦╧╨╩╪╫╬▀▄█▌▐░▒▓■▬▲▶►▼◀◄◆○◘◙☺☻☼♀♂♠♣♥♦♪♫
    """.utf16)
}

/// Environment variables that describe a terminal.
public struct TerminalEnvironment: Sendable {
  private let lookup: @Sendable (String) -> String?

  /// The environment of this process.
  public static let process = TerminalEnvironment { name in getenv(name).map { String(cString: $0) } }

  /// Creates an environment of the given variables only, for example for tests.
  public init(_ variables: [String: String]) {
    self.init { variables[$0] }
  }

  init(_ lookup: @escaping @Sendable (String) -> String?) {
    self.lookup = lookup
  }

  /// The value of a variable, or `nil` if it is missing or empty.
  public subscript(name: String) -> String? {
    lookup(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
