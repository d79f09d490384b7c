// The JSON form of texts in files and in the database: short and readable. Each element has the simplest possible form:
//
//   parts of a line    "plain", {"em": …}, {"strong": …}, {"del": …}, {"code": "x"}, {"math": "x^2"}, {"br": true},
//                      {"target": "name"}, {"kbd": "Ctrl"}, {"link": "destination", "text": …},
//                      {"image": "source", "alt": "text"}; for a stored image also
//                      "picture": "digest", "size": [600, 400]
//   a line             a string if it is plain text, otherwise an array of its parts
//   blocks             {"h2": line, "id": "anchor"}, {"p": line}, {"ul": […]}, {"ol": […], "start": 3}, {"quote": …},
//                      {"code": "x", "language": "swift"}, {"table": [[line, …], …], "align": […]}, {"math": "x^2"}, {"hr": true},
//                      {"details": …, "summary": line}, {"admonition": …, "kind": "note", "title": line},
//                      {"dl": [{"term": line, "means": …}]}, {"tabs": [{"tab": line, "text": …}]};
//                      a string is a paragraph of plain text
//   a text             a single block, or an array of blocks
//
// Default values are omitted: an anchor that is derived from the heading, a list that starts at 1, left-aligned
// columns. The form is stored, so it can be extended, but existing data must remain readable.

/// A line of text: a string if it is plain text, otherwise an array of its parts.
struct CodedLine: Codable {
  let inlines: [Inline]

  init(_ inlines: [Inline]) {
    self.inlines = inlines
  }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      inlines = [.text(text)]
    } else {
      inlines = try [Inline](from: decoder)
    }
  }

  func encode(to encoder: any Encoder) throws {
    if inlines.count == 1, case .text(let text) = inlines[0] {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      try inlines.encode(to: encoder)
    }
  }
}

/// A text of several blocks: a single block, or an array of blocks.
struct CodedBlocks: Codable {
  let blocks: [Block]

  init(_ blocks: [Block]) {
    self.blocks = blocks
  }

  init(from decoder: any Decoder) throws {
    // A block is a string or an object, so an array always contains several blocks or none.
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
  func line(_ key: Key) throws -> [Inline] {
    try decode(CodedLine.self, forKey: key).inlines
  }

  /// Decodes a text. A missing text is empty.
  func blocks(_ key: Key) throws -> [Block] {
    try decodeIfPresent(CodedBlocks.self, forKey: key)?.blocks ?? []
  }
}

extension KeyedEncodingContainer {
  mutating func encode(line: [Inline], _ key: Key) throws {
    try encode(CodedLine(line), forKey: key)
  }

  /// Encodes a text, unless it is empty.
  mutating func encode(blocks: [Block], _ key: Key) throws {
    if !blocks.isEmpty { try encode(CodedBlocks(blocks), forKey: key) }
  }
}

/// The coded form is short, readable and stored: see ``ActivityContent``.
extension Inline: Codable {
  fileprivate enum Key: String, CodingKey {
    case em, strong, del, code, kbd, math, link, text, image, alt, picture, size, br, target
  }

  /// Decodes a string as plain text, and an object as the part that its key names.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self = .text(text)
      return
    }
    let object = try decoder.container(keyedBy: Key.self)
    if object.contains(.em) {
      self = .emphasis(try object.line(.em))
    } else if object.contains(.strong) {
      self = .strong(try object.line(.strong))
    } else if object.contains(.code) {
      self = .code(try object.decode(String.self, forKey: .code))
    } else if object.contains(.kbd) {
      self = .key(try object.decode(String.self, forKey: .kbd))
    } else if object.contains(.math) {
      self = .math(try object.decode(String.self, forKey: .math))
    } else if object.contains(.link) {
      self = .link(destination: try object.decode(String.self, forKey: .link), text: try object.line(.text))
    } else if object.contains(.image) {
      self = .image(
        source: try object.decode(String.self, forKey: .image),
        alternative: try object.decodeIfPresent(String.self, forKey: .alt) ?? "",
        stored: try object.storedImage())
    } else if object.contains(.del) {
      self = .strikethrough(try object.line(.del))
    } else if object.contains(.br) {
      self = .lineBreak
    } else if object.contains(.target) {
      self = .target(try object.decode(String.self, forKey: .target))
    } else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription:
            "an element of a line must be a string, or have one of: em, strong, del, code, kbd, math, link, image, br, "
            + "target"))
    }
  }

  /// Encodes plain text as a string, and every other part as an object.
  public func encode(to encoder: any Encoder) throws {
    if case .text(let text) = self {
      var value = encoder.singleValueContainer()
      try value.encode(text)
      return
    }
    var object = encoder.container(keyedBy: Key.self)
    switch self {
    case .text: break
    case .emphasis(let line): try object.encode(line: line, .em)
    case .strong(let line): try object.encode(line: line, .strong)
    case .strikethrough(let line): try object.encode(line: line, .del)
    case .code(let text): try object.encode(text, forKey: .code)
    case .key(let name): try object.encode(name, forKey: .kbd)
    case .math(let source): try object.encode(source, forKey: .math)
    case .link(let destination, let text):
      try object.encode(destination, forKey: .link)
      try object.encode(line: text, .text)
    case .image(let source, let alternative, let image):
      try object.encode(source, forKey: .image)
      if !alternative.isEmpty { try object.encode(alternative, forKey: .alt) }
      try object.encodeIfPresent(image?.digest, forKey: .picture)
      try object.encodeIfPresent(image?.size.map { [$0.width, $0.height] }, forKey: .size)
    case .lineBreak: try object.encode(true, forKey: .br)
    case .target(let name): try object.encode(name, forKey: .target)
    }
  }
}

extension KeyedDecodingContainer<Inline.Key> {
  /// Decodes the stored image, or returns `nil` if the course does not contain it.
  fileprivate func storedImage() throws -> StoredImage? {
    guard let digest = try decodeIfPresent(String.self, forKey: .picture) else { return nil }
    let dimensions = try decodeIfPresent([Int].self, forKey: .size)
    let size = dimensions.flatMap { $0.count == 2 ? StoredImage.PixelSize(width: $0[0], height: $0[1]) : nil }
    guard (dimensions == nil) == (size == nil) else {
      throw DecodingError.dataCorruptedError(
        forKey: .size, in: self,
        debugDescription: "'size' must be the width and height of an image in pixels, such as [600, 400]")
    }
    guard let image = StoredImage(digest: digest, size: size) else {
      throw DecodingError.dataCorruptedError(
        forKey: .picture, in: self,
        debugDescription: "'picture' must be the SHA-256 digest of an image file, with 64 lower-case hexadecimal "
          + "digits")
    }
    return image
  }
}
