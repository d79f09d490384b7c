extension Block {
  /// A piece of a block.
  public enum Part: Hashable, Sendable {
    /// A line of its own, such as a cell of a table.
    case line([Inline])
    /// A text in it, such as an item of a list.
    case blocks([Block])
  }

  /// What it is made of, in reading order. Code, a formula and a rule are made of nothing else.
  ///
  /// Law: `block.mapParts(line: { $0 }, blocks: { $0 }) == block`, which asks for the same parts in the same order.
  public var parts: [Part] {
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

  /// The block with each of its own lines and each of the texts in it replaced; those inside of these are the functions'
  /// own matter.
  public func mapParts(
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
      return .tabs(try all.map { Tab(label: try line($0.label), blocks: try blocks($0.blocks)) })
    case .code, .math, .rule: return self
    }
  }

  private static func mapped(
    _ items: [ListItem], _ blocks: ([Block]) throws -> [Block]
  ) rethrows -> [ListItem] {
    try items.map { ListItem(isTicked: $0.isTicked, blocks: try blocks($0.blocks)) }
  }
}
