/// The few signs that are not letters.
public struct Symbols: Sendable {
  /// A frame's corners: top left, top right, bottom left, bottom right.
  public let corners: [Character]
  /// A horizontal line.
  public let horizontal: Character
  /// A vertical line.
  public let vertical: Character
  /// The heavy part of a horizontal line: what is done.
  public let heavy: Character
  /// Between two crumbs of the trail.
  public let crumb: String
  /// For what is left out: crumbs, and the end of a line that is too long.
  public let ellipsis: String
  /// Done.
  public let done: String
  /// Begun.
  public let begun: String
  /// Right: of an answer, where the sign of what is done would cross it out.
  public let right: String
  /// Not right.
  public let wrong: String
  /// Not begun, in a list.
  public let open: String
  /// Marked by the learner.
  public let mark: String
  /// The bar of a quotation, and the chosen row in a small terminal.
  public let bar: String
  /// The same, heavier.
  public let marker: String
  /// Before a list's items, by depth.
  public let bullets: [String]
  /// The arrow keys, in the order up, down, left, right, and Enter.
  public let arrows: [String]
  /// Enter.
  public let enter: String
  /// A place on the path through a sitting.
  public let place: String
  /// Bars from none to a whole row, for amounts side by side.
  public let bars: [String]
  /// Before the summary of what can be opened: while it is closed, and while it is open.
  let details: (closed: String, open: String)
  /// Quotation marks, opening and closing.
  public let quotes: (open: String, close: String)

  /// The two keys that choose.
  var upDown: String { arrows[0] + (arrows[0].count > 1 ? "/" : "") + arrows[1] }

  /// For terminals that draw box lines and small signs one cell wide.
  public static let unicode = Symbols(
    corners: ["╭", "╮", "╰", "╯"], horizontal: "─", vertical: "│", heavy: "━", crumb: "›", ellipsis: "…", done: "✓",
    begun: "◐", right: "✓", wrong: "✗", open: "·", mark: "✦", bar: "▎", marker: "▌", bullets: ["•", "◦", "▪"],
    arrows: ["↑", "↓", "←", "→"],
    enter: "↵",
    place: "●", bars: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], details: ("▸", "▾"),
    quotes: ("“", "”"))

  /// For every other terminal; the same layout.
  public static let ascii = Symbols(
    corners: ["+", "+", "+", "+"], horizontal: "-", vertical: "|", heavy: "=", crumb: ">", ellipsis: "~", done: "x",
    begun: "~", right: "+", wrong: "!", open: ".", mark: "*", bar: "|", marker: ">", bullets: ["*", "-", "+"],
    arrows: ["Up", "Down", "Left", "Right"],
    enter: "Enter", place: "o", bars: [" ", ".", ".", ":", ":", "|", "|", "#", "#"],
    details: ("+", "-"), quotes: ("\"", "\""))
}
