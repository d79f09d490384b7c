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
  case tabs([ContentTab])
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
public struct ContentTab: Hashable, Sendable {
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

/// A text in a frame that says what it is: a note, a warning, an exercise.
public struct Admonition: Hashable, Sendable {
  /// What it is.
  public let kind: Kind
  /// What its author calls it; may be empty.
  public let title: [Inline]
  /// What it says.
  public let blocks: [Block]

  /// The kinds that have a word and a colour of their own.
  ///
  /// Source: GitHub, "Basic writing and formatting syntax", "Alerts".
  public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
    /// What is good to know.
    case note
    /// How something is done better.
    case tip
    /// What must be known.
    case important
    /// What may go wrong.
    case warning
    /// What does harm.
    case caution
    /// Anything else: its title alone says what it is, such as an exercise.
    case box

    /// What a reader calls it; empty for a ``box``.
    public var word: String { self == .box ? "" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The words for it, in lower case, its own first; a title that begins with one says what it is.
    ///
    /// Sources: Docusaurus, "Admonitions"; Docutils, "Admonitions"; Material for MkDocs, "Supported types".
    public var names: [String] {
      switch self {
      case .note: ["note", "info"]
      case .tip: ["tip", "hint"]
      case .important: ["important"]
      case .warning: ["warning", "attention"]
      case .caution: ["caution", "danger", "error"]
      case .box: []
      }
    }
  }

  /// Makes an admonition.
  public init(kind: Kind, title: [Inline] = [], blocks: [Block]) {
    self.kind = kind
    self.title = title
    self.blocks = blocks
  }

  /// The line above it: its kind's word, and its title where that says more. Empty for a box without a title.
  public var heading: [Inline] {
    if title.isEmpty { return kind == .box ? [] : [.text(kind.word)] }
    let word = String(title.plainText.lowercased().prefix { $0.isLetter })
    return kind == .box || kind.names.contains(word) ? title : [.text(kind.word + ": ")] + title
  }
}

extension Block {
  /// A piece of a block.
  package enum Part: Hashable, Sendable {
    /// A line of its own, such as a cell of a table.
    case line([Inline])
    /// A text in it, such as an item of a list.
    case blocks([Block])
  }

  /// What it is made of, in reading order. Code, a formula and a rule are made of nothing else.
  ///
  /// Law: `block.mapParts(line: { $0 }, blocks: { $0 }) == block`, which asks for the same parts in the same order.
  package var parts: [Part] {
    var parts: [Part] = []
    _ = mapParts {
      parts.append(.line($0))
      return $0
    } blocks: {
      parts.append(.blocks($0))
      return $0
    }
    return parts
  }

  /// Returns the block with each of its lines and each of its nested texts replaced. The functions handle deeper texts.
  ///
  /// - Throws: The first error of a function.
  package func mapParts(
    line: ([Inline]) throws -> [Inline], blocks: ([Block]) throws -> [Block]
  ) rethrows -> Block {
    switch self {
    case .heading(let level, let text, let anchor): return .heading(level: level, text: try line(text), anchor: anchor)
    case .paragraph(let text): return .paragraph(try line(text))
    case .bulletList(let items): return .bulletList(items: try Self.mapped(items, blocks))
    case .orderedList(let start, let items): return .orderedList(start: start, items: try Self.mapped(items, blocks))
    case .quote(let inner): return .quote(try blocks(inner))
    case .table(let alignments, let header, let rows):
      return .table(alignments: alignments, header: try header.map(line), rows: try rows.map { try $0.map(line) })
    case .details(let summary, let inner): return .details(summary: try line(summary), blocks: try blocks(inner))
    case .admonition(let box):
      return .admonition(Admonition(kind: box.kind, title: try line(box.title), blocks: try blocks(box.blocks)))
    case .definitions(let all):
      return .definitions(try all.map { Definition(term: try line($0.term), blocks: try blocks($0.blocks)) })
    case .tabs(let all):
      return .tabs(try all.map { ContentTab(label: try line($0.label), blocks: try blocks($0.blocks)) })
    case .code, .math, .rule: return self
    }
  }

  private static func mapped(
    _ items: [ListItem], _ blocks: ([Block]) throws -> [Block]
  ) rethrows -> [ListItem] {
    try items.map { ListItem(isTicked: $0.isTicked, blocks: try blocks($0.blocks)) }
  }
}

/// The coded form is short, fit to be read, and stored: see ``ActivityContent``.
extension Block: Codable {
  private enum Key: String, CodingKey {
    case h1, h2, h3, h4, h5, h6, id, p, ul, ol, start, quote, code, language, math, table, align, hr, details, summary
    case admonition, kind, title, dl, tabs

    static let headings: [Key] = [.h1, .h2, .h3, .h4, .h5, .h6]
  }

  /// Reads a string as a plain paragraph, an object as what its key says.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self = .paragraph([.text(text)])
      return
    }
    let object = try decoder.container(keyedBy: Key.self)
    if object.contains(.p) {
      self = .paragraph(try object.line(.p))
    } else if object.contains(.code) {
      self = .code(
        language: try object.decodeIfPresent(String.self, forKey: .language),
        text: try object.decode(String.self, forKey: .code))
    } else if object.contains(.math) {
      self = .math(try object.decode(String.self, forKey: .math))
    } else if object.contains(.ul) {
      self = .bulletList(items: try object.decode([ListItem].self, forKey: .ul))
    } else if object.contains(.ol) {
      self = .orderedList(
        start: try object.decodeIfPresent(Int.self, forKey: .start) ?? 1,
        items: try object.decode([ListItem].self, forKey: .ol))
    } else if object.contains(.quote) {
      self = .quote(try object.blocks(.quote))
    } else if object.contains(.table) {
      self = try Self.table(from: object)
    } else if object.contains(.hr) {
      self = .rule
    } else if object.contains(.details) {
      self = .details(summary: try object.line(.summary), blocks: try object.blocks(.details))
    } else if object.contains(.admonition) {
      self = .admonition(
        Admonition(
          kind: try object.decode(Admonition.Kind.self, forKey: .kind),
          title: object.contains(.title) ? try object.line(.title) : [], blocks: try object.blocks(.admonition)))
    } else if object.contains(.dl) {
      self = .definitions(try object.decode([Definition].self, forKey: .dl))
    } else if object.contains(.tabs) {
      let tabs = try object.decode([ContentTab].self, forKey: .tabs)
      guard !tabs.isEmpty else {
        throw DecodingError.dataCorruptedError(
          forKey: .tabs, in: object, debugDescription: "there is at least one of 'tabs'")
      }
      self = .tabs(tabs)
    } else if let level = Key.headings.firstIndex(where: object.contains) {
      let text = try object.line(Key.headings[level])
      let anchor = try object.decodeIfPresent(String.self, forKey: .id)
      self = .heading(level: level + 1, text: text, anchor: anchor ?? Anchor.make(from: text.plainText))
    } else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription:
            "a block is a string, or has one of: h1 to h6, p, ul, ol, quote, code, math, table, hr, details, admonition, dl, "
            + "tabs"))
    }
  }

  private static func table(from object: KeyedDecodingContainer<Key>) throws -> Block {
    let lines = try object.decode([[CodedLine]].self, forKey: .table).map { $0.map(\.pieces) }
    guard let header = lines.first, lines.allSatisfy({ $0.count == header.count }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .table, in: object, debugDescription: "a table has a header, and in each row as many cells as in it")
    }
    let alignments = try object.decodeIfPresent([ColumnAlignment].self, forKey: .align)
    guard alignments == nil || alignments?.count == header.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .align, in: object, debugDescription: "a table has one alignment for each column, or none at all")
    }
    return .table(
      alignments: alignments ?? Array(repeating: .left, count: header.count), header: header,
      rows: Array(lines.dropFirst()))
  }

  /// Writes a plain paragraph as a string, everything else as an object.
  public func encode(to encoder: any Encoder) throws {
    if case .paragraph(let line) = self, line.count == 1, case .text(let text) = line[0] {
      var value = encoder.singleValueContainer()
      try value.encode(text)
      return
    }
    var object = encoder.container(keyedBy: Key.self)
    switch self {
    case .heading(let level, let text, let anchor):
      guard (1...6).contains(level) else {
        throw EncodingError.invalidValue(
          self, .init(codingPath: encoder.codingPath, debugDescription: "a heading has a level from 1 to 6"))
      }
      try object.encode(line: text, Key.headings[level - 1])
      if anchor != Anchor.make(from: text.plainText) { try object.encode(anchor, forKey: .id) }
    case .paragraph(let line): try object.encode(line: line, .p)
    case .bulletList(let items): try object.encode(items, forKey: .ul)
    case .orderedList(let start, let items):
      try object.encode(items, forKey: .ol)
      if start != 1 { try object.encode(start, forKey: .start) }
    case .quote(let blocks): try object.encode(CodedBlocks(blocks), forKey: .quote)
    case .code(let language, let text):
      try object.encode(text, forKey: .code)
      try object.encodeIfPresent(language, forKey: .language)
    case .table(let alignments, let header, let rows):
      try object.encode(([header] + rows).map { $0.map(CodedLine.init) }, forKey: .table)
      if alignments.contains(where: { $0 != .left }) { try object.encode(alignments, forKey: .align) }
    case .math(let source): try object.encode(source, forKey: .math)
    case .rule: try object.encode(true, forKey: .hr)
    case .details(let summary, let blocks):
      try object.encode(CodedBlocks(blocks), forKey: .details)
      try object.encode(line: summary, .summary)
    case .admonition(let box):
      try object.encode(CodedBlocks(box.blocks), forKey: .admonition)
      try object.encode(box.kind, forKey: .kind)
      if !box.title.isEmpty { try object.encode(line: box.title, .title) }
    case .definitions(let all): try object.encode(all, forKey: .dl)
    case .tabs(let all): try object.encode(all, forKey: .tabs)
    }
  }
}

/// A definition is an object with `term` and what it `means`.
extension Definition: Codable {
  private enum Key: String, CodingKey {
    case term, means
  }

  /// Reads an object with `term` and, where there is more, `means`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(term: try object.line(.term), blocks: try object.blocks(.means))
  }

  /// Writes an object with `term` and, where there is more, `means`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(line: term, .term)
    try object.encode(blocks: blocks, .means)
  }
}

/// A tab is an object with its label, `tab`, and its `text`.
extension ContentTab: Codable {
  private enum Key: String, CodingKey {
    case tab, text
  }

  /// Reads an object with `tab` and `text`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(label: try object.line(.tab), blocks: try object.blocks(.text))
  }

  /// Writes an object with `tab` and `text`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(line: label, .tab)
    try object.encode(blocks: blocks, .text)
  }
}

/// An item is the text that it says; where it is to be ticked, an object with `done` and `item`.
extension ListItem: Codable {
  private enum Key: String, CodingKey {
    case done, item
  }

  /// Reads a text, or an object with `done` and `item`.
  public init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self), object.contains(.done) {
      self.init(isTicked: try object.decode(Bool.self, forKey: .done), blocks: try object.blocks(.item))
    } else {
      self.init(blocks: try CodedBlocks(from: decoder).blocks)
    }
  }

  /// Writes a text, or an object with `done` and `item`.
  public func encode(to encoder: any Encoder) throws {
    guard let isTicked else { return try CodedBlocks(blocks).encode(to: encoder) }
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(isTicked, forKey: .done)
    try object.encode(blocks: blocks, .item)
  }
}
