/// The few signs that are not letters.
package struct Symbols: Sendable {
  /// Whether they are signs of every terminal.
  package let isAscii: Bool
  /// A frame's corners: top left, top right, bottom left, bottom right.
  package let corners: [Character]
  /// Where a line across meets a frame's left and right edge.
  package let joins: [Character]
  /// A horizontal line.
  package let horizontal: Character
  /// A horizontal line of dots.
  package let dotted: Character
  /// A vertical line.
  package let vertical: Character
  /// The heavy part of a horizontal line: what is done.
  package let heavy: Character
  /// Between two crumbs of the trail.
  package let crumb: String
  /// For what is left out: crumbs, and the end of a line that is too long.
  package let ellipsis: String
  /// Done.
  package let done: String
  /// Begun.
  package let begun: String
  /// Right: of an answer, where the sign of what is done would cross it out.
  package let right: String
  /// Not right.
  package let wrong: String
  /// Not begun, in a list.
  package let open: String
  /// Marked by the learner.
  package let mark: String
  /// A note that the learner wrote.
  package let note: String
  /// The bar of a quotation, and the chosen row in a small terminal.
  package let bar: String
  /// The same, heavier.
  package let marker: String
  /// Before a list's items, by depth.
  package let bullets: [String]
  /// Before the rest of a line of code.
  package let rest: String
  /// The arrow keys, in the order up, down, left, right, and Enter.
  package let arrows: [String]
  /// Enter.
  package let enter: String
  /// A place on the path through a sitting.
  package let place: String
  /// Bars from none to a whole row, for amounts side by side.
  package let bars: [String]
  /// Before the summary of what can be opened: while it is closed, and while it is open.
  package let details: (closed: String, open: String)
  /// Quotation marks, opening and closing.
  package let quotes: Quotes

  /// The two keys that choose.
  package var upDown: String { arrows[0] + (arrows[0].count > 1 ? "/" : "") + arrows[1] }

  /// For terminals that draw box lines and small signs one cell wide.
  package static let unicode = Symbols(
    isAscii: false, corners: ["╭", "╮", "╰", "╯"], joins: ["├", "┤"], horizontal: "─", dotted: "┄", vertical: "│",
    heavy: "━", crumb: "›",
    ellipsis: "…", done: "✓",
    begun: "◐", right: "✓", wrong: "✗", open: "·", mark: "✦", note: "✎", bar: "▎", marker: "▌",
    bullets: ["•", "◦", "▪"],
    rest: "↪",
    arrows: ["↑", "↓", "←", "→"],
    enter: "↵",
    place: "●", bars: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], details: ("▸", "▾"),
    quotes: Quotes(open: "“", close: "”", innerOpen: "‘", innerClose: "’"))

  /// For every other terminal; the same layout.
  package static let ascii = Symbols(
    isAscii: true, corners: ["+", "+", "+", "+"], joins: ["+", "+"], horizontal: "-", dotted: ".", vertical: "|",
    heavy: "=", crumb: ">",
    ellipsis: "~",
    done: "x",
    begun: "~", right: "+", wrong: "!", open: ".", mark: "*", note: "#", bar: "|", marker: ">",
    bullets: ["*", "-", "+"],
    rest: "\\",
    arrows: ["Up", "Down", "Left", "Right"],
    enter: "Enter", place: "o", bars: [" ", ".", ".", ":", ":", "|", "|", "#", "#"],
    details: ("+", "-"), quotes: Quotes(open: "\"", close: "\"", innerOpen: "'", innerClose: "'"))
}

/// Quotation marks around a title or words of a text.
package struct Quotes: Hashable, Sendable {
  /// Before and behind what is quoted.
  package let open: String, close: String
  /// Before and behind what is quoted in it.
  let innerOpen: String, innerClose: String

  /// Quotes a text. What is one quotation already is not quoted again; quotations in it get inner marks.
  package func around(_ text: some StringProtocol) -> String {
    let content = text.dropFirst().dropLast()
    if text.first == "“", text.last == "”", !content.contains(where: { $0 == "“" || $0 == "”" }) {
      return open + content + close
    }
    let words = text.map { character in
      switch character {
      case "“": innerOpen
      case "”": innerClose
      default: String(character)
      }
    }
    return open + words.joined() + close
  }
}
