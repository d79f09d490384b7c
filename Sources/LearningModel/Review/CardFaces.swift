package import Foundation

/// The two sides of a card: the question and the answer.
public struct CardFaces: Hashable, Sendable {
  /// The question, which is shown first.
  public var question: [Block]
  /// The answer, which is shown after the card was turned.
  public var answer: [Block]
  /// The choices in the order in which they are shown. Empty for a card without choices.
  public var choices: [QuizQuestion.Choice]
  /// Whether the learner types the answer: a quiz question without choices, or a flashcard with a text to type.
  public var isTyped: Bool
  /// The text that is right if the learner types the answer. If `nil`, the answer or one of its blocks.
  public var expected: String?

  /// Creates the faces of a card.
  public init(
    question: [Block], answer: [Block], choices: [QuizQuestion.Choice] = [], isTyped: Bool = false,
    expected: String? = nil
  ) {
    self.question = question
    self.answer = answer
    self.choices = choices
    self.isTyped = isTyped
    self.expected = expected
  }

  /// Returns the faces with the choices in an order that depends on a seed.
  ///
  /// Source: Fisher–Yates shuffle with SplitMix64.
  public func shuffled(seed: UInt64) -> CardFaces {
    var faces = self
    var state = seed
    for index in faces.choices.indices.dropFirst().reversed() {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      faces.choices.swapAt(index, Int((mixed ^ (mixed >> 31)) % UInt64(index + 1)))
    }
    return faces
  }
}

/// Which of the cards of a flashcard or question a card is.
package enum CardVariant: Hashable, Sendable {
  /// Front to back, or a question of a quiz.
  case forward
  /// Back to front.
  case reversed
  /// A gap of a cloze text.
  case gap(Int)

  /// The word in the database and at the end of a card's key: empty, `r`, or `c` and a number.
  package var word: String {
    switch self {
    case .forward: ""
    case .reversed: "r"
    case .gap(let number): "c\(number)"
    }
  }

  /// Creates a variant from its word. Unknown words are ``forward``.
  package init(word: String) {
    if word == "r" {
      self = .reversed
    } else if word.hasPrefix("c"), let number = Int(word.dropFirst()) {
      self = .gap(number)
    } else {
      self = .forward
    }
  }
}

/// The identity of one flashcard or question, independent of its position.
package struct CardOutline: Hashable, Sendable {
  /// The author's key, or `nil` for a card without a key.
  package let authorKey: String?
  /// A digest of the question's text, 16 hexadecimal digits.
  package let front: String
  /// A digest of the answer's text, 16 hexadecimal digits.
  package let back: String
  package let variants: [CardVariant]

  package init(authorKey: String?, front: String, back: String, variants: [CardVariant]) {
    self.authorKey = authorKey
    self.front = front
    self.back = back
    self.variants = variants
  }
}

extension ActivityContent {
  /// The identities of the flashcards or questions of the activity, in order. Empty for activities without either.
  package var cardOutlines: [CardOutline] {
    switch self {
    case .flashcards(_, let cards): cards.map(\.outline)
    case .quiz(_, let questions, _): questions.map(\.outline)
    default: []
    }
  }
}

extension ActivityType {
  /// Decodes a flashcard or question, and returns what one of its cards asks.
  ///
  /// - Throws: `DecodingError` if the item is not one of the activity's type.
  package func faces(ofItem json: Data, _ variant: CardVariant) throws -> CardFaces {
    self == .quiz
      ? try JSONDecoder().decode(QuizQuestion.self, from: json).faces
      : try JSONDecoder().decode(Flashcard.self, from: json).faces(variant)
  }
}

extension Flashcard {
  /// The cards that are shown to a learner: one for each gap, or one for each direction.
  package var variants: [CardVariant] {
    let gaps = isLiteral ? [] : ClozeText.numbers(in: front)
    if !gaps.isEmpty { return gaps.map(CardVariant.gap) }
    return isReversed ? [.forward, .reversed] : [.forward]
  }

  /// Whether the front contains gaps: `{{c1::Paris}}`.
  package var hasGaps: Bool { !isLiteral && !ClozeText.numbers(in: front).isEmpty }

  fileprivate var outline: CardOutline {
    CardOutline(
      authorKey: key, front: CardDigest.digest(front.plainText), back: CardDigest.digest(back.plainText),
      variants: variants)
  }

  /// Returns what a card of the flashcard asks.
  package func faces(_ variant: CardVariant) -> CardFaces {
    switch variant {
    case .forward:
      CardFaces(
        question: [.paragraph(isLiteral ? front : ClozeText.plain(front))], answer: back, isTyped: typed != nil,
        expected: typed)
    case .reversed: CardFaces(question: back, answer: [.paragraph(front)])
    case .gap(let number):
      CardFaces(
        question: [.paragraph(ClozeText.question(front, gap: number))],
        answer: [.paragraph(ClozeText.answer(front, gap: number))] + back)
    }
  }
}

extension QuizQuestion {
  fileprivate var outline: CardOutline {
    let answer = choices.filter(\.isRight).map(\.text.plainText) + [explanation.plainText]
    return CardOutline(
      authorKey: nil, front: CardDigest.digest(([question.plainText] + [details.plainText]).joined(separator: "\n")),
      back: CardDigest.digest(answer.joined(separator: "\n")), variants: [.forward])
  }

  /// The two sides of the question's card. The answer contains the right choices and the explanation.
  package var faces: CardFaces {
    let right = choices.filter(\.isRight).map(\.text)
    let answer: [Block] = right.map { .paragraph($0) } + explanation
    return CardFaces(
      question: [.paragraph(question)] + details, answer: answer, choices: choices, isTyped: choices.isEmpty)
  }
}

/// The digests that recognise cards after an edit.
package enum CardDigest {
  /// Returns the FNV-1a digest of a text in 16 hexadecimal digits. Spaces at the ends are ignored.
  ///
  /// Source: Fowler, Noll and Vo, FNV-1a with 64 bits.
  package static func digest(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let words = text.split(whereSeparator: \.isWhitespace)
    for byte in words.joined(separator: " ").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
