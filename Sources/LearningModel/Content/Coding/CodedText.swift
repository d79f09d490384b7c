// How texts are coded, in files and in the database: short, and fit to be read. Each part is its plainest form:
//
//   pieces of a line   "plain", {"em": …}, {"strong": …}, {"del": …}, {"code": "x"}, {"math": "x^2"}, {"br": true},
//                      {"kbd": "Ctrl"}, {"link": "destination", "text": …}, {"image": "source", "alt": "words"}, with a picture
//                      that is kept also "picture": "digest", "size": [600, 400]
//   a line             one string where it is plain throughout, else the list of its pieces
//   blocks             {"h2": line, "id": "anchor"}, {"p": line}, {"ul": […]}, {"ol": […], "start": 3}, {"quote": …},
//                      {"code": "x", "language": "swift"}, {"table": [[line, …], …], "align": […]}, {"math": "x^2"}, {"hr": true},
//                      {"details": …, "summary": line}, {"admonition": …, "kind": "note", "title": line},
//                      {"dl": [{"term": line, "means": …}]}, {"tabs": [{"tab": line, "text": …}]};
//                      a string is a paragraph that is plain throughout
//   a text             one block alone, else the list of its blocks
//
// What has its usual value is left out: an anchor that follows from the heading, a list that begins at 1, columns at the
// left. The form is stored, so it may grow but what is written today stays readable.

/// A line of text: one string where it is plain throughout, else the list of its pieces.
struct CodedLine: Codable {
  let pieces: [Inline]

  init(_ pieces: [Inline]) {
    self.pieces = pieces
  }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      pieces = [.text(text)]
    } else {
      pieces = try [Inline](from: decoder)
    }
  }

  func encode(to encoder: any Encoder) throws {
    if pieces.count == 1, case .text(let text) = pieces[0] {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      try pieces.encode(to: encoder)
    }
  }
}

/// A text of several blocks: one block alone, else the list of them.
struct CodedBlocks: Codable {
  let blocks: [Block]

  init(_ blocks: [Block]) {
    self.blocks = blocks
  }

  init(from decoder: any Decoder) throws {
    // A block is a string or an object, so a list is never one.
    if var list = try? decoder.unkeyedContainer() {
      var blocks: [Block] = []
      while !list.isAtEnd { blocks.append(try list.decode(Block.self)) }
      self.blocks = blocks
    } else {
      blocks = [try Block(from: decoder)]
    }
  }

  func encode(to encoder: any Encoder) throws {
    if blocks.count == 1 {
      try blocks[0].encode(to: encoder)
    } else {
      try blocks.encode(to: encoder)
    }
  }
}

extension KeyedDecodingContainer {
  /// A line.
  func line(_ key: Key) throws -> [Inline] {
    try decode(CodedLine.self, forKey: key).pieces
  }

  /// A text; empty where it is left out.
  func blocks(_ key: Key) throws -> [Block] {
    try decodeIfPresent(CodedBlocks.self, forKey: key)?.blocks ?? []
  }
}

extension KeyedEncodingContainer {
  /// Writes a line.
  mutating func encode(line: [Inline], _ key: Key) throws {
    try encode(CodedLine(line), forKey: key)
  }

  /// Writes a text; leaves it out where it is empty.
  mutating func encode(blocks: [Block], _ key: Key) throws {
    if !blocks.isEmpty { try encode(CodedBlocks(blocks), forKey: key) }
  }
}
