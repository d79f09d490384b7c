public import Pictures
public import TextCanvas

/// What is known about the terminal: first from the environment, then from what it answers.
public struct Capabilities: Hashable, Sendable {
  /// How many colours it shows.
  public var colourDepth: ColourDepth
  /// Whether the locale's characters are UTF-8; otherwise only ASCII is sent.
  public var isUnicode: Bool
  /// The characters beyond ASCII that the terminal draws; `nil` for all.
  public var font: ConsoleFont?
  /// Whether it can hold a picture back until it is whole (private mode 2026).
  public var hasSynchronizedOutput = false
  /// Whether it tells keys apart that share bytes (kitty keyboard protocol).
  public var hasKittyKeyboard = false
  /// The colour of its page, once it has answered.
  public var background: Colour?
  /// Columns of characters that Unicode calls ambiguous, such as lines and boxes: 1, or 2 on some East Asian terminals.
  public var ambiguousWidth = 1
  /// Whether erasing and scrolling fill with the pen's background.
  public var erasesWithBackground: Bool
  /// Whether it repeats a character on demand (REP), which its answer shows.
  public var repeatsCharacters = false
  /// Whether it scrolls rows on demand (SU, SD).
  public var scrollsOnDemand: Bool
  /// Whether it is known to show links (OSC 8).
  public var hasLinks: Bool
  /// Whether the Escape key arrives only along with the next key while the mouse is taken, as within GNU screen.
  public var mouseDelaysEscape: Bool
  /// The pixels of a cell, as the system or the terminal says; `nil` where neither does.
  public var cellPixels: CellPixels?
  /// Whether it draws sixels.
  public var hasSixels = false
  /// Whether it speaks kitty's protocol for pictures.
  public var hasKittyPictures = false
  /// Whether a multiplexer stands between, which lets through what is wrapped for it.
  public var isWithinTmux: Bool
  /// Whether it answers at all.
  public var answers = false
  /// Whether everything that was asked has been answered.
  public var isSettled = false
  /// Its name and version, where it says.
  public var version: String?

  /// Reads what the environment says.
  ///
  /// | variable | says |
  /// |---|---|
  /// | `NO_COLOR` | no colour (no-color.org) |
  /// | `CLICOLOR_FORCE`, `FORCE_COLOR` | colour although `TERM` knows none (bixense.com/clicolors) |
  /// | `COLORTERM` | `truecolor` or `24bit` |
  /// | `TERM` | the colours and characters that ``TerminalTraits`` lists for it; `…-direct` all colours, `…256color` the \
  ///   numbered ones, `…-m` and `…-mono` none |
  /// | `LC_ALL`, `LC_CTYPE`, `LANG` | the first that is set: UTF-8 or not |
  /// | `TERM`, `TERM_PROGRAM`, `VTE_VERSION`, `WT_SESSION` | a terminal that is known to show links; a multiplexer hides it |
  /// | `STY` | GNU screen, which waits after an Escape for the rest of a mouse's report (seen in 4.9.0) |
  public init(environment: Environment) {
    let term = environment["TERM"] ?? "dumb"
    let known = TerminalTraits(term: term)
    colourDepth = Self.depth(known, environment)
    font = known.font
    isUnicode = Self.isUnicode(environment)
    erasesWithBackground = known.erasesWithBackground
    scrollsOnDemand = known.scrollsOnDemand
    hasLinks = known.hasLinks || Self.isKnownForLinks(known, environment)
    mouseDelaysEscape = environment["STY"] != nil
    isWithinTmux = environment["TMUX"] != nil
  }

  private static func depth(_ known: TerminalTraits, _ environment: Environment) -> ColourDepth {
    if environment["NO_COLOR"] != nil { return .none }
    if known.depth == .none {
      let isForced = [environment["CLICOLOR_FORCE"], environment["FORCE_COLOR"]].contains { $0 != nil && $0 != "0" }
      return isForced ? .ansi : .none
    }
    let colour = environment["COLORTERM"]?.lowercased()
    return colour == "truecolor" || colour == "24bit" ? .truecolor : known.depth
  }

  /// Whether characters beyond ASCII can be drawn without regard to the font.
  public var drawsAllCharacters: Bool { isUnicode && font == nil }

  /// Whether the locale is one of UTF-8. Source: POSIX, 8.2, the order of the variables.
  static func isUnicode(_ environment: Environment) -> Bool {
    guard let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] else { return false }
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }

  /// Whether variables name a terminal that shows links. Within a multiplexer they name the one it was started in.
  private static func isKnownForLinks(_ known: TerminalTraits, _ environment: Environment) -> Bool {
    guard !known.isMultiplexer, environment["TMUX"] == nil, environment["STY"] == nil else {
      return false
    }
    let programs = ["iTerm.app", "WezTerm", "ghostty", "vscode"]
    if environment["TERM_PROGRAM"].map(programs.contains) ?? false { return true }
    // VTE has them from 0.50 on, Windows Terminal from 1.4 on.
    return environment["VTE_VERSION"].flatMap { Int($0) } ?? 0 >= 5000 || environment["WT_SESSION"] != nil
  }

  // MARK: Answers

  /// The questions a session asks when it starts; the answer to the last one settles the others.
  ///
  /// Sources: DEC VT510 reference (DECRQM, DA1); kitty keyboard protocol, "Detection of support"; xterm (OSC 11,
  /// XTVERSION).
  static func questions(environment: Environment) -> String {
    // The Linux console takes OSC for colours of its own.
    let isConsole = environment["TERM"] == "linux"
    let background = isConsole ? "" : "\u{1B}]11;?\u{1B}\\"
    return "\u{1B}[?2026$p\u{1B}[?u\(background)\u{1B}[>q\u{1B}[c"
  }

  /// The number that the picture of the question has, which is never shown.
  static let askedPicture: UInt32 = 4_211_087

  /// Asks whether pictures can be shown: a picture of one pixel that is only looked at, and the pixels of a cell.
  ///
  /// Sources: kitty, "Terminal graphics protocol", "Querying support and available transmission mediums" (`a=q`); xterm,
  /// "XTerm Control Sequences", XTWINOPS (`CSI 16 t`). Terminals that do not know an APC string pass over it (ECMA-48,
  /// 8.3.2); the console of Linux and GNU screen show it, and are not asked.
  ///
  /// To be sent before the screen is cleared: an emulator that passes over no such string shows it (libvterm 0.1.4).
  static func pictureQuestions(environment: Environment) -> String {
    // The terminal of macOS writes the string onto the page.
    guard environment["TERM"] != "linux", environment["STY"] == nil, environment["TERM_PROGRAM"] != "Apple_Terminal"
    else { return "" }
    let question = "\u{1B}_Gi=\(askedPicture),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    let wrapped =
      environment["TMUX"] == nil
      ? question : String(decoding: KittyForm.throughTmux(Array(question.utf8)), as: UTF8.self)
    return wrapped + "\u{1B}[16t"
  }

  /// Takes an answer in; says whether it changed what is known.
  mutating func learn(_ answer: TerminalAnswer) -> Bool {
    let before = self
    answers = true
    switch answer {
    case .status: break
    case .attributes(let features):
      isSettled = true
      // DEC VT510 reference, DA1: 4 is sixel graphics; the first number is the terminal's class.
      hasSixels = features.dropFirst().contains(4)
    case .picture(Self.askedPicture, let isShown): hasKittyPictures = isShown
    case .picture: break
    case .cell(let pixels): cellPixels = cellPixels ?? pixels
    case .mode(2026, let setting): hasSynchronizedOutput = setting == .set || setting == .reset
    case .mode: break
    case .keyboardFlags: hasKittyKeyboard = true
    case .background(let colour): background = colour
    case .version(let name):
      version = name
      if let known = TerminalTraits(answer: name) {
        erasesWithBackground = known.erasesWithBackground
        if colourDepth == .ansi, known.hasNumberedColours { colourDepth = .indexed }
        if known.hasLinks || Self.isTmux(name, since: (3, 4)) { hasLinks = true }
      }
    case .cursor(let place) where place.row == Self.probeRow:
      ambiguousWidth = [2, 6].contains(place.column) ? 2 : 1
      repeatsCharacters = place.column == 3 * ambiguousWidth
    case .cursor: break
    }
    return self != before
  }

  /// Whether the colour of its page can be changed and given back: it says which one it has, or takes back what was changed.
  ///
  /// tmux says it only where it knows the terminal around it, and takes back in any case (seen in 3.3a).
  public var givesPageBack: Bool { background != nil || version.map { Self.isTmux($0, since: (3, 3)) } ?? false }

  /// Whether a name is that of tmux, such as `tmux 3.3a`, from a version on. It has links since 3.4. Source: tmux, CHANGES,
  /// from 3.3a to 3.4.
  private static func isTmux(_ name: String, since version: (Int, Int)) -> Bool {
    let words = name.split(separator: " ")
    guard words.count == 2, words[0] == "tmux" else { return false }
    let numbers = words[1].split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count >= 2 && (numbers[0], numbers[1]) >= version
  }

  /// The row, from 0, where a character is written to see how far the cursor goes. Not 0, whose answer looks like a key.
  static let probeRow = 1

  /// Writes a character, has it repeated twice, and asks where the cursor is now: a column on for each where a line is
  /// narrow, two where it is wide; of three characters where they are repeated, else of one. What it draws is drawn over
  /// by the first frame.
  ///
  /// Source: ECMA-48, 8.3.21 CUP, 8.3.103 REP, 8.3.35 DSR.
  static func probe(isUnicode: Bool) -> String {
    "\u{1B}[\(probeRow + 1)H\(isUnicode ? "\u{2500}" : "-")\u{1B}[2b\u{1B}[6n"
  }

  /// Whether the page is dark, as far as is known: the terminal's answer, else nil.
  public var isDark: Bool? {
    guard case .rgb(let red, let green, let blue)? = background?.kind else { return nil }
    // Source: ITU-R BT.709, luma.
    return 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue) < 128
  }
}
