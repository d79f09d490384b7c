/// What a terminal answers beyond libvterm's own answers.
public struct Personality: Hashable, Sendable {
  /// Whether it knows synchronized output (private mode 2026).
  public var hasSynchronizedOutput: Bool
  /// Whether it knows the kitty keyboard protocol.
  public var hasKittyKeyboard: Bool
  /// Its background, each 0…255, for those who ask (OSC 11); nil when it does not answer.
  public var background: (red: Int, green: Int, blue: Int)? {
    get { backgroundCode.map { ($0 >> 16 & 255, $0 >> 8 & 255, $0 & 255) } }
    set { backgroundCode = newValue.map { $0.red << 16 | $0.green << 8 | $0.blue } }
  }
  private var backgroundCode: Int?
  /// Whether it answers anything at all.
  public var answers: Bool

  /// Knows everything that is asked of it; dark.
  public static let modern = Personality(
    hasSynchronizedOutput: true, hasKittyKeyboard: true, background: (16, 18, 24), answers: true)
  /// Knows what xterm knew in 1999, and answers nothing newer.
  public static let old = Personality(
    hasSynchronizedOutput: false, hasKittyKeyboard: false, background: nil, answers: true)
  /// Never answers, like some multiplexers and serial lines.
  public static let silent = Personality(
    hasSynchronizedOutput: false, hasKittyKeyboard: false, background: nil, answers: false)

  /// Makes a terminal's manners.
  public init(
    hasSynchronizedOutput: Bool, hasKittyKeyboard: Bool, background: (red: Int, green: Int, blue: Int)?, answers: Bool
  ) {
    self.hasSynchronizedOutput = hasSynchronizedOutput
    self.hasKittyKeyboard = hasKittyKeyboard
    self.answers = answers
    self.background = background
  }
}

/// Follows, beside libvterm, the sequences that libvterm 0.1.4 keeps to itself or does not know, and answers for it.
///
/// It knows the grammar of ECMA-48 control sequences and strings well enough to find where each ends, and nothing of
/// what they draw.
struct ModeWatcher {
  /// Bytes for libvterm, and then an answer that libvterm will not give.
  struct Piece {
    var bytes: [UInt8]
    var answer: [UInt8]
  }

  private enum State { case ground, escape, sequence, string, stringEscape }

  let personality: Personality
  private var state = State.ground
  private var sequence: [UInt8] = []
  private(set) var privateModes: Set<Int> = [7, 25]
  private(set) var keyboardFlags: [Int] = []
  /// The colour that the page was given last (OSC 11), as it was written; nil where it has the terminal's own.
  private(set) var paintedPage: String?

  init(personality: Personality) { self.personality = personality }

  mutating func split(_ bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var current: [UInt8] = []
    for byte in bytes {
      current.append(byte)
      guard let ended = step(byte) else { continue }
      let (answer, isForUs) = respond(to: ended)
      // libvterm may have its own opinion of a question that we answer: it does not get the last byte of it,
      // but a cancel, which ends the sequence without effect (ECMA-48, 8.3.6 CAN).
      if isForUs { current[current.count - 1] = 0x18 }
      if isForUs || !answer.isEmpty {
        pieces.append(Piece(bytes: current, answer: answer))
        current = []
      }
    }
    pieces.append(Piece(bytes: current, answer: []))
    return pieces
  }

  /// Returns the whole sequence when this byte ends one.
  private mutating func step(_ byte: UInt8) -> [UInt8]? {
    switch (state, byte) {
    case (.stringEscape, UInt8(ascii: "\\")), (.string, 0x07):
      state = .ground
      return sequence
    case (_, 0x1B):
      state = state == .string ? .stringEscape : .escape
      return nil
    case (_, 0x18), (_, 0x1A):
      state = .ground
      return nil
    case (.escape, UInt8(ascii: "[")):
      state = .sequence
      sequence = [byte]
      return nil
    case (.escape, UInt8(ascii: "]")), (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "_")):
      state = .string
      sequence = [byte]
      return nil
    case (.escape, _):
      state = .ground
      return nil
    case (.stringEscape, _):
      state = .ground
      return nil
    case (.sequence, 0x40...0x7E):
      sequence.append(byte)
      state = .ground
      return sequence
    case (.sequence, _), (.string, _):
      sequence.append(byte)
      return nil
    default:
      return nil
    }
  }

  private mutating func respond(to sequence: [UInt8]) -> (answer: [UInt8], isForUs: Bool) {
    let text = String(decoding: sequence, as: UTF8.self)
    if text == "]11;?" {
      guard let colour = personality.background else { return ([], true) }
      let words = [colour.red, colour.green, colour.blue].map { value in
        let hex = String(value, radix: 16)
        return String(repeating: hex.count == 1 ? "0" + hex : hex, count: 2)
      }
      return (Array("\u{1B}]11;rgb:\(words.joined(separator: "/"))\u{1B}\\".utf8), true)
    }
    if text.hasPrefix("]11;") {
      paintedPage = String(text.dropFirst(4))
      return ([], true)
    }
    guard text.hasPrefix("["), let final = text.last else { return ([], false) }
    let body = text.dropFirst().dropLast()
    if body.hasPrefix("?"), final == "h" || final == "l" {
      for mode in body.dropFirst().split(separator: ";").compactMap({ Int($0) }) {
        if final == "h" { privateModes.insert(mode) } else { privateModes.remove(mode) }
      }
      return ([], body == "?2026")
    }
    if text == "[?2026$p" {
      let value = personality.hasSynchronizedOutput ? (privateModes.contains(2026) ? 1 : 2) : 0
      return (Array("\u{1B}[?2026;\(value)$y".utf8), true)
    }
    if final == "u", let kind = body.first, "<>=?".contains(kind) {
      guard personality.hasKittyKeyboard else { return ([], true) }
      let flags = Int(body.dropFirst().prefix { $0 != ";" })
      switch kind {
      case ">": keyboardFlags.append(flags ?? 0)
      case "<": keyboardFlags.removeLast(min(keyboardFlags.count, flags ?? 1))
      case "=":
        if !keyboardFlags.isEmpty { keyboardFlags.removeLast() }
        keyboardFlags.append(flags ?? 0)
      default: return (Array("\u{1B}[?\(keyboardFlags.last ?? 0)u".utf8), true)
      }
      return ([], true)
    }
    return ([], false)
  }
}
