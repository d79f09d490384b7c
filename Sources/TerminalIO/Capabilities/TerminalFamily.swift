/// What terminals are known to do that they cannot be asked about. To add one, add a case and its row.
///
/// Sources: each program's terminfo entry (`bce`) and release notes; for links, the list of terminals beside the
/// specification "Hyperlinks in terminal emulators".
enum TerminalFamily: String, CaseIterable {
  case kitty, ghostty, alacritty, foot, wezterm, contour, konsole, vte, iterm, mintty, tmux, screen, linux, xterm
  case unknown

  /// Finds the family by `TERM`, or by the name that a terminal gives itself.
  ///
  /// A `TERM` that begins with `xterm` names xterm's manners, which many terminals claim; only xterm's own answer
  /// (`XTerm(…)`) names xterm.
  init(_ name: String) {
    let name = name.hasPrefix("xterm-") && !["xterm-kitty", "xterm-ghostty"].contains(name) ? "" : name
    self = Self.allCases.first { name.contains($0.rawValue) && name != "xterm" } ?? .unknown
  }

  /// SU and SD, which the console of Linux takes for nothing; it inserts and deletes rows. Source: console_codes(4).
  var scrollsOnDemand: Bool { self != .linux }

  /// Back colour erase.
  var erasesWithBackground: Bool { self != .screen }

  /// The 256 numbered colours, also where `TERM` claims sixteen. tmux makes them fit the terminal around it.
  ///
  /// xterm shows bold text in the bright half of the sixteen, which nobody can read on a light page; the numbered ones
  /// stay as they are. Source: xterm(1), `boldColors`.
  var hasNumberedColours: Bool {
    switch self {
    case .kitty, .ghostty, .alacritty, .foot, .wezterm, .contour, .konsole, .vte, .iterm, .mintty, .tmux, .xterm: true
    case .screen, .linux, .unknown: false
    }
  }

  /// OSC 8. tmux has it from 3.4 on, which only its answer tells.
  var hasLinks: Bool {
    switch self {
    case .kitty, .ghostty, .alacritty, .foot, .wezterm, .contour, .konsole, .vte, .iterm, .mintty: true
    case .tmux, .screen, .linux, .xterm, .unknown: false
    }
  }
}
