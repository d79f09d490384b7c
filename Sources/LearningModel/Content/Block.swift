/// A block of a text, as in CommonMark with extensions such as tables and task lists.
public indirect enum Block: Hashable, Sendable {
  /// A heading of level 1 to 6. The anchor identifies the heading in links, and is unique in the activity.
  case heading(level: Int, text: [Inline], anchor: String)
  /// A paragraph of text.
  case paragraph([Inline])
  /// A bulleted list. Each item is a sequence of blocks.
  case bulletList(items: [ListItem])
  /// A numbered list that begins at `start`.
  case orderedList(start: Int, items: [ListItem])
  /// A block quotation.
  case quote([Block])
  /// Preformatted text. `language` is the author's name of its language, or `nil` if the author gives none.
  case code(language: String?, text: String)
  /// A table with an alignment for each column, the cells of the header, and the rows, which have as many cells as the
  /// header.
  case table(alignments: [ColumnAlignment], header: [[Inline]], rows: [[[Inline]]])
  /// A formula on lines of its own, in LaTeX.
  case math(String)
  /// A horizontal rule.
  case rule
  /// A collapsed section, such as the solution of an exercise. The summary is always visible.
  case details(summary: [Inline], blocks: [Block])
  /// A box with a title, such as a note or a warning.
  case admonition(Admonition)
  /// A list of terms with their definitions.
  case definitions([Definition])
  /// Alternative texts, one of which is displayed, such as a program in several languages. There is at least one.
  case tabs([ContentTab])
}

/// A term with its definition.
public struct Definition: Hashable, Sendable {
  /// The defined term.
  public let term: [Inline]
  /// The definition. Empty if the next term has the same definition.
  public let blocks: [Block]

  /// Creates a definition.
  public init(term: [Inline], blocks: [Block]) {
    self.term = term
    self.blocks = blocks
  }
}

/// One of several alternative texts.
public struct ContentTab: Hashable, Sendable {
  /// The label with which the text is selected.
  public let label: [Inline]
  /// The text that is displayed while the tab is selected.
  public let blocks: [Block]

  /// Creates a tab.
  public init(label: [Inline], blocks: [Block]) {
    self.label = label
    self.blocks = blocks
  }
}

/// An item of a list.
public struct ListItem: Hashable, Sendable {
  /// Whether an item of a task list is ticked. `nil` for items of other lists.
  public let isTicked: Bool?
  /// The number or letter of an item in a numbered list, such as `7`, `b` or `iv`. `nil` if the item has the number
  /// that follows from its position.
  public let number: String?
  /// The content of the item.
  public let blocks: [Block]

  /// Creates an item.
  public init(isTicked: Bool? = nil, number: String? = nil, blocks: [Block]) {
    self.isTicked = isTicked
    self.number = number
    self.blocks = blocks
  }
}

extension [ListItem] {
  /// Returns the numbers of the items of a numbered list.
  ///
  /// - Parameter start: The number of the first item, unless the item has a number of its own.
  public func numbers(from start: Int) -> [String] {
    enumerated().map { $0.element.number ?? String(start + $0.offset) }
  }
}

/// The alignment of the cells in a column of a table.
public enum ColumnAlignment: String, Hashable, Codable, Sendable {
  /// Aligned with the left edge. This is the default.
  case left
  /// Centred.
  case centre
  /// Aligned with the right edge.
  case right
}

/// A part of a line of text.
public indirect enum Inline: Hashable, Sendable {
  /// Plain text.
  case text(String)
  /// Emphasised text.
  case emphasis([Inline])
  /// Strongly emphasised text.
  case strong([Inline])
  /// Struck-through text.
  case strikethrough([Inline])
  /// Code.
  case code(String)
  /// A key of the keyboard, such as `Ctrl`.
  case key(String)
  /// A formula, in LaTeX.
  case math(String)
  /// A link. A destination that begins with `waymark:` leads to a node of a course, given by its key and optionally `#`
  /// and an anchor. See `CourseLink`.
  case link(destination: String, text: [Inline])
  /// An image with its alternative text, and the stored image if the course contains it. `source` is the author's
  /// address of the image, or empty if the image was embedded in the text.
  case image(source: String, alternative: String, stored: StoredImage? = nil)
  /// A line break that the author has requested.
  case lineBreak
  /// An invisible target of links, by its name. The target is the block whose line contains the element or, if the
  /// paragraph contains nothing else, the next block.
  case target(String)
}

extension Inline {
  /// Whether the element is an invisible target of links.
  package var isTarget: Bool { if case .target = self { true } else { false } }
}

extension Inline {
  /// The line inside the element. Empty for elements without a nested line.
  package var children: [Inline] {
    switch self {
    case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, let inner): inner
    case .text, .code, .key, .math, .image, .lineBreak, .target: []
    }
  }

  /// Returns the element with the line inside it replaced. Elements without a nested line are unchanged.
  ///
  /// - Throws: The error of the function.
  package func mapChildren(_ replace: ([Inline]) throws -> [Inline]) rethrows -> Inline {
    switch self {
    case .emphasis(let inner): .emphasis(try replace(inner))
    case .strong(let inner): .strong(try replace(inner))
    case .strikethrough(let inner): .strikethrough(try replace(inner))
    case .link(let destination, let inner): .link(destination: destination, text: try replace(inner))
    case .text, .code, .key, .math, .image, .lineBreak, .target: self
    }
  }
}

extension [Inline] {
  /// Calls a function for each element at every nesting depth in reading order, for an element before the line inside
  /// it.
  package func visit(_ body: (Inline) -> Void) {
    for element in self {
      body(element)
      element.children.visit(body)
    }
  }

  /// The names of the targets in the line at every nesting depth, in order.
  package var targetNames: [String] {
    var names: [String] = []
    visit { if case .target(let name) = $0 { names.append(name) } }
    return names
  }
}

/// A box with a title that describes its content, such as a note, a warning or an exercise.
public struct Admonition: Hashable, Sendable {
  /// The kind of the box.
  public let kind: Kind
  /// The author's title, which may be empty.
  public let title: [Inline]
  /// The content of the box.
  public let blocks: [Block]

  /// The kinds of boxes, most of which have a standard title and a colour.
  ///
  /// Source: GitHub, "Basic writing and formatting syntax", "Alerts".
  public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
    /// Useful information.
    case note
    /// Advice on how to do something better.
    case tip
    /// Information that readers must know.
    case important
    /// Something that can go wrong.
    case warning
    /// Something that can cause harm.
    case caution
    /// Any other box, such as an exercise. It has no standard title.
    case box

    /// The standard title, or empty for a ``box``.
    public var word: String { self == .box ? "" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The names of the kind in lower case, its standard title first. If the first word of a title is one of these
    /// names, the title already contains the kind.
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

  /// Creates a box.
  public init(kind: Kind, title: [Inline] = [], blocks: [Block]) {
    self.kind = kind
    self.title = title
    self.blocks = blocks
  }

  /// The line above the content: the standard title, followed by the author's title unless that already contains the
  /// kind. Empty for a ``Kind/box`` without a title.
  public var heading: [Inline] {
    if title.isEmpty { return kind == .box ? [] : [.text(kind.word)] }
    let word = String(title.plainText.lowercased().prefix { $0.isLetter })
    return kind == .box || kind.names.contains(word) ? title : [.text(kind.word + ": ")] + title
  }
}

extension [Block] {
  /// Calls functions for each block and each element of a line, at every depth in reading order, and for each value
  /// before its components.
  package func visit(block: (Block) -> Void = { _ in }, inline: (Inline) -> Void) {
    for element in self {
      block(element)
      switch element {
      // The most frequent blocks, without an array of their children.
      case .paragraph(let line), .heading(_, let line, _): line.visit(inline)
      default: element.children.visit(block: block, inline: inline)
      }
    }
  }

  /// Returns the blocks with each of their lines replaced, at every depth.
  package func mapLines(_ replace: ([Inline]) throws -> [Inline]) rethrows -> [Block] {
    try map { try $0.mapChildren(line: replace, blocks: { try $0.mapLines(replace) }) }
  }
}

extension [Block.Child] {
  /// Collects the components of a value.
  ///
  /// - Parameter map: Calls the first function for each line and the second one for each text, in reading order.
  init(_ map: (_ line: ([Inline]) -> [Inline], _ blocks: ([Block]) -> [Block]) -> Void) {
    var children: [Block.Child] = []
    map(
      {
        children.append(.line($0))
        return $0
      },
      {
        children.append(.blocks($0))
        return $0
      })
    self = children
  }

  /// Calls functions for each block and each element of a line in the components, as for `[Block]`.
  package func visit(block: (Block) -> Void = { _ in }, inline: (Inline) -> Void) {
    for child in self {
      switch child {
      case .line(let line): line.visit(inline)
      case .blocks(let blocks): blocks.visit(block: block, inline: inline)
      }
    }
  }
}

extension Block {
  /// Whether the block is a paragraph that contains only targets of links. Such a block is invisible; its targets lead
  /// to the next block.
  package var isTarget: Bool {
    if case .paragraph(let line) = self { !line.isEmpty && line.allSatisfy(\.isTarget) } else { false }
  }

  /// A component of a block or of an activity.
  package enum Child: Hashable, Sendable {
    /// A line, such as a cell of a table.
    case line([Inline])
    /// A nested text, such as an item of a list.
    case blocks([Block])
  }

  /// The components of the block in reading order. Code, formulas and rules have none.
  ///
  /// Law: `block.mapChildren(line: { $0 }, blocks: { $0 }) == block`. The functions are called for the same components
  /// in the same order.
  package var children: [Child] { .init { _ = mapChildren(line: $0, blocks: $1) } }

  /// Returns the block with each of its lines and each of its nested texts replaced. Components of nested texts are not
  /// replaced; `blocks` can do that.
  ///
  /// - Parameters:
  ///   - line: Returns the replacement of a line.
  ///   - blocks: Returns the replacement of a nested text.
  /// - Throws: The first error of a function.
  package func mapChildren(
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
    try items.map { ListItem(isTicked: $0.isTicked, number: $0.number, blocks: try blocks($0.blocks)) }
  }
}

/// The coded form is short, readable and stored: see ``ActivityContent``.
extension Block: Codable {
  private enum Key: String, CodingKey {
    case h1, h2, h3, h4, h5, h6, id, p, ul, ol, start, quote, code, language, math, table, align, hr, details, summary
    case admonition, kind, title, dl, tabs

    static let headings: [Key] = [.h1, .h2, .h3, .h4, .h5, .h6]
  }

  /// Decodes a string as a plain paragraph, and an object as the block that its key names.
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
          forKey: .tabs, in: object, debugDescription: "'tabs' must not be empty")
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
            "a block must be a string, or have one of: h1 to h6, p, ul, ol, quote, code, math, table, hr, details, "
            + "admonition, dl, tabs"))
    }
  }

  private static func table(from object: KeyedDecodingContainer<Key>) throws -> Block {
    let lines = try object.decode([[CodedLine]].self, forKey: .table).map { $0.map(\.inlines) }
    guard let header = lines.first, lines.allSatisfy({ $0.count == header.count }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .table, in: object,
        debugDescription: "a table must have a header, and each row must have as many cells as the header")
    }
    let alignments = try object.decodeIfPresent([ColumnAlignment].self, forKey: .align)
    guard alignments == nil || alignments?.count == header.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .align, in: object,
        debugDescription: "a table must have one alignment for each column, or no alignments")
    }
    return .table(
      alignments: alignments ?? Array(repeating: .left, count: header.count), header: header,
      rows: Array(lines.dropFirst()))
  }

  /// Encodes a plain paragraph as a string, and every other block as an object.
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
          self, .init(codingPath: encoder.codingPath, debugDescription: "the level of a heading must be from 1 to 6"))
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

/// A definition is coded as an object with `term` and `means`.
extension Definition: Codable {
  private enum Key: String, CodingKey {
    case term, means
  }

  /// Decodes an object with `term` and, unless the definition is empty, `means`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(term: try object.line(.term), blocks: try object.blocks(.means))
  }

  /// Encodes an object with `term` and, unless the definition is empty, `means`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(line: term, .term)
    try object.encode(blocks: blocks, .means)
  }
}

/// A tab is coded as an object with its label, `tab`, and its `text`.
extension ContentTab: Codable {
  private enum Key: String, CodingKey {
    case tab, text
  }

  /// Decodes an object with `tab` and `text`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(label: try object.line(.tab), blocks: try object.blocks(.text))
  }

  /// Encodes an object with `tab` and `text`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(line: label, .tab)
    try object.encode(blocks: blocks, .text)
  }
}

/// An item is coded as its text. In a task list, and if it has a number of its own, it is coded as an object with `item`
/// and `done` or `number`.
extension ListItem: Codable {
  private enum Key: String, CodingKey {
    case done, number, item
  }

  /// Decodes a text, or an object with `item` and `done` or `number`.
  public init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self), object.contains(.done) || object.contains(.number) {
      self.init(
        isTicked: try object.decodeIfPresent(Bool.self, forKey: .done),
        number: try object.decodeIfPresent(String.self, forKey: .number), blocks: try object.blocks(.item))
    } else {
      self.init(blocks: try CodedBlocks(from: decoder).blocks)
    }
  }

  /// Encodes a text, or an object with `item` and `done` or `number`.
  public func encode(to encoder: any Encoder) throws {
    guard isTicked != nil || number != nil else { return try CodedBlocks(blocks).encode(to: encoder) }
    var object = encoder.container(keyedBy: Key.self)
    try object.encodeIfPresent(isTicked, forKey: .done)
    try object.encodeIfPresent(number, forKey: .number)
    try object.encode(blocks: blocks, .item)
  }
}
