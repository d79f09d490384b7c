import TextCanvas

/// The colours, characters and functions of a terminal, found by its name. To add a terminal, add a row to the table.
///
/// Sources: the terminfo entries of ncurses (`colors`, `bce`, `indn`) and the programs' release notes; for links, the list
/// of terminals in the specification "Hyperlinks in terminal emulators".
struct TerminalTraits: Hashable, Sendable {
  /// The values of `TERM`. A name also stands for itself followed by a digit or a sign: `vt` for `vt100`, `screen` for
  /// `screen.linux`.
  let names: [String]
  /// A part of the name that the terminal answers with, in lower case; `nil` if it is not known to answer.
  var answer: String?
  /// The colours, unless `TERM` ends in a number of colours or asks for none.
  var depth = ColourDepth.ansi
  /// Whether it has the 256 numbered colours although `TERM` promises sixteen. tmux adapts them to the terminal that
  /// it runs in.
  ///
  /// xterm shows bold text in the bright half of the sixteen, which cannot be read on a light page; the numbered ones
  /// are unchanged. Source: xterm(1), `boldColors`.
  var hasNumberedColours = false
  /// Whether erasing and scrolling fill with the pen's background (back colour erase).
  var erasesWithBackground = true
  /// Whether it knows SU and SD.
  var scrollsOnDemand = true
  /// Whether it shows links (OSC 8).
  var hasLinks = false
  /// Whether it draws on another terminal.
  var isMultiplexer = false
  /// The characters that it draws; `nil` for all.
  var font: ConsoleFont?

  /// The first row whose name fits counts.
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
      names: ["xterm-kitty", "kitty"], answer: "kitty", depth: .truecolor, hasNumberedColours: true, hasLinks: true),
    Self(
      names: ["xterm-ghostty", "ghostty"], answer: "ghostty", depth: .truecolor, hasNumberedColours: true,
      hasLinks: true),
    Self(names: ["alacritty"], answer: "alacritty", depth: .truecolor, hasNumberedColours: true, hasLinks: true),
    Self(names: ["foot"], answer: "foot", depth: .truecolor, hasNumberedColours: true, hasLinks: true),
    Self(names: ["wezterm"], answer: "wezterm", depth: .truecolor, hasNumberedColours: true, hasLinks: true),
    Self(names: ["contour"], answer: "contour", hasNumberedColours: true, hasLinks: true),
    Self(names: ["konsole"], answer: "konsole", hasNumberedColours: true, hasLinks: true),
    Self(names: ["vte"], answer: "vte", hasNumberedColours: true, hasLinks: true),
    Self(names: ["iterm"], answer: "iterm", depth: .indexed, hasNumberedColours: true, hasLinks: true),
    Self(names: ["mintty"], answer: "mintty", depth: .indexed, hasNumberedColours: true, hasLinks: true),
    // tmux shows links from 3.4 on; the version is in its answer.
    Self(names: ["tmux"], answer: "tmux", hasNumberedColours: true, isMultiplexer: true),
    Self(names: ["screen"], answer: "screen", erasesWithBackground: false, isMultiplexer: true),
    // The console ignores SU and SD, but inserts and deletes rows. Source: console_codes(4).
    Self(names: ["linux"], answer: "linux", scrollsOnDemand: false, font: .builtIn),
    Self(names: ["Eterm", "rxvt-16color", "rxvt-cygwin", "wsvt"], scrollsOnDemand: false),
    Self(names: ["rxvt-unicode"]),
    Self(names: ["rxvt"], scrollsOnDemand: false),
    Self(names: ["cygwin", "pcansi", "xterm-color"], erasesWithBackground: false, scrollsOnDemand: false),
    Self(names: ["ansi"], erasesWithBackground: false),
    Self(names: ["xterm.js"], depth: .indexed),
    // Many terminals set TERM to a name of xterm; only xterm answers with it.
    Self(names: ["xterm"], answer: "xterm", hasNumberedColours: true),
    Self(names: ["cons", "hurd"]),
  ]

  private static func colourless(_ names: [String]) -> Self {
    Self(names: names, depth: .none, erasesWithBackground: false, scrollsOnDemand: false)
  }
}

extension TerminalTraits {
  /// Finds a terminal by `TERM`. One that is not in the table counts as a terminal of today with sixteen colours.
  init(term: String) {
    self = Self.row(of: term) ?? Self(names: [])
    let variants = term.split(separator: "-").dropFirst()
    // Source: the naming conventions in term(7): `-m` and `-mono` have no colours.
    if variants.contains(where: { ["m", "mono", "m1b", "m2"].contains($0) }) { depth = .none }
    guard depth != .none else { return }
    if variants.contains(where: { $0.hasPrefix("direct") }) {
      depth = .truecolor
    } else if depth == .ansi, term.contains("256color") {
      depth = .indexed
    }
  }

  /// The row of a value of `TERM`; `nil` if it is not in the table.
  static func row(of term: String) -> Self? {
    table.first { row in
      row.names.contains { term.hasPrefix($0) && term.dropFirst($0.count).first?.isLetter != true }
    }
  }

  /// Finds a terminal by the name and version that it answers with; `nil` if it is not in the table.
  init?(answer: String) {
    let answer = answer.lowercased()
    guard let row = Self.table.first(where: { $0.answer.map(answer.contains) ?? false }) else { return nil }
    self = row
  }
}
