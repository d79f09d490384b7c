/// The symbols on screen that are not letters.
package struct Symbols: Sendable {
  /// Whether all symbols are ASCII characters.
  package let isAscii: Bool
  /// The corners of a frame: top left, top right, bottom left, bottom right.
  package let corners: [Character]
  /// The junctions of a horizontal line with the left and the right edge of a frame.
  package let joins: [Character]
  package let horizontal: Character
  /// A dotted horizontal line.
  package let dotted: Character
  package let vertical: Character
  /// The heavy part of a horizontal line. It shows progress.
  package let heavy: Character
  /// The separator of two breadcrumbs.
  package let breadcrumbSeparator: String
  /// Replaces omitted breadcrumbs and the end of a truncated line.
  package let ellipsis: String
  /// Precedes a place that is done.
  package let done: String
  /// Precedes a place that the learner has started but not finished.
  package let started: String
  /// Precedes a correct answer. In ASCII, the symbol of ``done`` is not used, because a crossed box looks like a wrong
  /// answer.
  package let right: String
  /// Precedes a wrong answer.
  package let wrong: String
  /// Precedes a list entry whose place the learner has not started.
  package let open: String
  /// Marks a place with a bookmark.
  package let bookmark: String
  /// Marks a note of the learner.
  package let note: String
  /// Marks a passage of which the learner has made a card.
  package let card: String
  /// Precedes the name of a sound or video.
  package let sound: String
  /// The bar at the left of a quotation, and the caret of an input field.
  package let bar: String
  /// The line at the left of the output of a program, in the column of the line at its text.
  package let outputLine: String
  /// Precedes the selected row of a list in a small terminal, and the selected choice of a quiz.
  package let marker: String
  /// The bullets of list items, by nesting depth.
  package let bullets: [String]
  /// Precedes the second and each further line of a wrapped line of code.
  package let continuation: String
  /// The arrow keys: up, down, left, right.
  package let arrows: [String]
  /// The Enter key.
  package let enter: String
  /// A place in the graph of a session.
  package let place: String
  /// Bars of increasing height, from empty to a full row, for bar charts.
  package let bars: [String]
  /// Cells of increasing density, from nothing to the highest of four levels, for maps of numbers.
  package let shades: [String]
  /// Precede the summary of a collapsible section: collapsed and expanded.
  package let details: (closed: String, open: String)
  package let quotes: Quotes

  /// The two keys that move the selection, for a hint: `↑↓` or `Up/Down`.
  package var upDown: String { arrows[0] + (arrows[0].count > 1 ? "/" : "") + arrows[1] }

  /// The symbols for terminals that draw box lines and small symbols one cell wide.
  package static let unicode = Symbols(
    isAscii: false, corners: ["╭", "╮", "╰", "╯"], joins: ["├", "┤"], horizontal: "─", dotted: "┄", vertical: "│",
    heavy: "━", breadcrumbSeparator: "›",
    ellipsis: "…", done: "✓",
    started: "◐", right: "✓", wrong: "✗", open: "·", bookmark: "✦", note: "✎", card: "▢", sound: "♪", bar: "▎",
    outputLine: "┊",
    marker: "▌",
    bullets: ["•", "◦", "▪"],
    continuation: "↪",
    arrows: ["↑", "↓", "←", "→"],
    enter: "↵",
    place: "●", bars: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], shades: ["·", "░", "▒", "▓", "█"],
    details: ("▸", "▾"),
    quotes: Quotes(open: "“", close: "”", innerOpen: "‘", innerClose: "’"))

  /// The symbols for all other terminals. The layout is the same.
  package static let ascii = Symbols(
    isAscii: true, corners: ["+", "+", "+", "+"], joins: ["+", "+"], horizontal: "-", dotted: ".", vertical: "|",
    heavy: "=", breadcrumbSeparator: ">",
    ellipsis: "~",
    done: "x",
    started: "~", right: "+", wrong: "!", open: ".", bookmark: "*", note: "#", card: "=", sound: "Sound:", bar: "|",
    outputLine: ":",
    marker: ">",
    bullets: ["*", "-", "+"],
    continuation: "\\",
    arrows: ["Up", "Down", "Left", "Right"],
    enter: "Enter", place: "o", bars: [" ", ".", ".", ":", ":", "|", "|", "#", "#"],
    shades: [".", ":", "+", "*", "#"], details: ("+", "-"),
    quotes: Quotes(open: "\"", close: "\"", innerOpen: "'", innerClose: "'"))
}

/// Quotation marks for titles and excerpts.
package struct Quotes: Hashable, Sendable {
  /// Enclose the quoted text.
  package let open: String, close: String
  /// Enclose a quotation inside the quoted text.
  let innerOpen: String, innerClose: String

  /// Returns the text in quotation marks, with ``innerOpen`` and ``innerClose`` for quotations inside it.
  ///
  /// A text that consists of one quotation gets no second pair of marks.
  package func around(_ text: some StringProtocol) -> String {
    let content = text.dropFirst().dropLast()
    if text.first == "“", text.last == "”", !content.contains(where: { $0 == "“" || $0 == "”" }) {
      return open + content + close
    }
    let characters = text.map { character in
      switch character {
      case "“": innerOpen
      case "”": innerClose
      default: String(character)
      }
    }
    return open + characters.joined() + close
  }
}
