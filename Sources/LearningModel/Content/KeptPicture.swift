/// Which picture an image of a text shows, where the picture is kept with the course: the name that its bytes give it,
/// and what has to be known of it before it is decoded.
public struct KeptPicture: Hashable, Sendable {
  /// SHA-256 of its bytes, as 64 hexadecimal digits in lower case. Equal pictures have equal ones.
  public let digest: String
  /// Its columns and rows of pixels; `nil` where it has none of its own, as a drawing in SVG.
  public let size: PixelSize?

  /// How many pixels a picture has.
  public struct PixelSize: Hashable, Sendable {
    /// Pixels side by side, from 1.
    public let width: Int
    /// Pixels one below the other, from 1.
    public let height: Int

    /// Makes a size; `nil` where one of both is below 1.
    public init?(width: Int, height: Int) {
      guard width > 0, height > 0 else { return nil }
      self.width = width
      self.height = height
    }
  }

  /// Names the picture of that digest.
  ///
  /// - Parameters:
  ///   - digest: 64 hexadecimal digits in lower case.
  ///   - size: Its pixels; `nil` where it has none of its own.
  /// - Returns: `nil` where the digest is none.
  public init?(digest: String, size: PixelSize?) {
    guard digest.utf8.count == 64, digest.utf8.allSatisfy(Self.isDigit) else { return nil }
    self.digest = digest
    self.size = size
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

extension ActivityContent {
  /// The pictures that are kept for it, in reading order, as often as it shows them.
  package var keptPictures: [KeptPicture] {
    switch self {
    case .reading(let blocks): blocks.keptPictures
    case .flashcards(let introduction, let cards):
      introduction.keptPictures + cards.flatMap { $0.front.keptPictures + $0.back.keptPictures }
    case .quiz(let introduction, let questions, _):
      introduction.keptPictures
        + questions.flatMap { question in
          question.question.keptPictures + question.details.keptPictures
            + question.choices.flatMap(\.text.keptPictures) + question.explanation.keptPictures
        }
    case .link(_, let text): text.keptPictures
    }
  }
}

extension [Block] {
  /// The pictures that are kept for them, in reading order.
  package var keptPictures: [KeptPicture] {
    flatMap { block in
      block.parts.flatMap { part in
        switch part {
        case .line(let line): line.keptPictures
        case .blocks(let blocks): blocks.keptPictures
        }
      }
    }
  }
}

extension [Inline] {
  /// The pictures that are kept for them, in reading order.
  package var keptPictures: [KeptPicture] {
    flatMap { inline -> [KeptPicture] in
      switch inline {
      case .image(_, _, let picture): picture.map { [$0] } ?? []
      case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, let inner):
        inner.keptPictures
      case .text, .code, .key, .math, .lineBreak: []
      }
    }
  }
}
