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
      let tabs = try object.decode([Tab].self, forKey: .tabs)
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
extension Tab: Codable {
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
