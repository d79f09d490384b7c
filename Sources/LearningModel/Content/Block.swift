/// A block of a text, in the manner of CommonMark with tables and task lists.
public indirect enum Block: Hashable, Sendable {
  /// A heading of level 1 to 6; the anchor is what a link inside the course names, unique in the activity.
  case heading(level: Int, text: [Inline], anchor: String)
  /// A paragraph.
  case paragraph([Inline])
  /// A list with bullets; each item is a sequence of blocks.
  case bulletList(items: [ListItem])
  /// A numbered list that begins at `start`.
  case orderedList(start: Int, items: [ListItem])
  /// A quotation.
  case quote([Block])
  /// Text to be shown as it stands; the language is the author's word for it.
  case code(language: String?, text: String)
  /// A table: one alignment a column, the header's cells, then the rows, each with as many cells as the header.
  case table(alignments: [ColumnAlignment], header: [[Inline]], rows: [[[Inline]]])
  /// A formula that stands by itself, in LaTeX.
  case math(String)
  /// A line between parts.
  case rule
  /// What is closed until it is asked for, such as the solution of an exercise; the summary is always seen.
  case details(summary: [Inline], blocks: [Block])
  /// A text in a frame, below what it is.
  case admonition(Admonition)
  /// Words and what each of them means.
  case definitions([Definition])
  /// Texts of which one is chosen to be read, such as the same program in several languages. It has at least one.
  case tabs([Tab])
}

/// A word and what it means.
public struct Definition: Hashable, Sendable {
  /// The word, or the words.
  public let term: [Inline]
  /// What it means; empty where the next word means the same.
  public let blocks: [Block]

  /// Makes a definition.
  public init(term: [Inline], blocks: [Block]) {
    self.term = term
    self.blocks = blocks
  }
}

/// One of several texts to choose from.
public struct Tab: Hashable, Sendable {
  /// What it is chosen by.
  public let label: [Inline]
  /// What it says.
  public let blocks: [Block]

  /// Makes a tab.
  public init(label: [Inline], blocks: [Block]) {
    self.label = label
    self.blocks = blocks
  }
}

/// One item of a list.
public struct ListItem: Hashable, Sendable {
  /// Whether it is ticked, where it is an item of a task list.
  public let isTicked: Bool?
  /// What it says.
  public let blocks: [Block]

  /// Makes an item.
  public init(isTicked: Bool? = nil, blocks: [Block]) {
    self.isTicked = isTicked
    self.blocks = blocks
  }
}

/// How the cells of a table's column stand.
public enum ColumnAlignment: String, Hashable, Codable, Sendable {
  /// At the left edge; the default.
  case left
  /// In the middle.
  case centre
  /// At the right edge.
  case right
}

/// A piece of a line of text.
public indirect enum Inline: Hashable, Sendable {
  /// Plain text.
  case text(String)
  /// Stressed text.
  case emphasis([Inline])
  /// Strongly stressed text.
  case strong([Inline])
  /// Text that no longer holds.
  case strikethrough([Inline])
  /// Text of a program.
  case code(String)
  /// A key of the keyboard, such as `Ctrl`.
  case key(String)
  /// A formula, in LaTeX.
  case math(String)
  /// A link; a destination that begins with `waymark:` is the key of a node in the same course, with `#` and an anchor
  /// behind it where one is meant.
  case link(destination: String, text: [Inline])
  /// An image, its alternative text, and the picture itself where one is kept with the course. The source is what the
  /// author wrote; empty where the picture stood in the text itself.
  case image(source: String, alternative: String, picture: KeptPicture? = nil)
  /// A line break that the author asked for.
  case lineBreak
}
