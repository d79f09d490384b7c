/// The capabilities that an emulated terminal reports, in addition to those of libvterm.
public struct Personality: Hashable, Sendable {
  /// Whether the terminal supports synchronised output (private mode 2026).
  public var hasSynchronizedOutput: Bool
  /// Whether the terminal supports the kitty keyboard protocol.
  public var hasKittyKeyboard: Bool
  /// The background colour with components 0…255, which OSC 11 reports. `nil` if the terminal does not answer this
  /// query.
  public var background: (red: Int, green: Int, blue: Int)? {
    get { backgroundCode.map { ($0 >> 16 & 255, $0 >> 8 & 255, $0 & 255) } }
    set { backgroundCode = newValue.map { $0.red << 16 | $0.green << 8 | $0.blue } }
  }
  private var backgroundCode: Int?
  /// Whether the terminal answers any query.
  public var answers: Bool

  /// A terminal with all capabilities and a dark background.
  public static let modern = Personality(
    hasSynchronizedOutput: true, hasKittyKeyboard: true, background: (16, 18, 24), answers: true)
  /// A terminal with the capabilities of xterm in 1999.
  public static let old = Personality(
    hasSynchronizedOutput: false, hasKittyKeyboard: false, background: nil, answers: true)
  /// A terminal that never answers, like some multiplexers and serial lines.
  public static let silent = Personality(
    hasSynchronizedOutput: false, hasKittyKeyboard: false, background: nil, answers: false)

  /// Creates a personality.
  public init(
    hasSynchronizedOutput: Bool, hasKittyKeyboard: Bool, background: (red: Int, green: Int, blue: Int)?, answers: Bool
  ) {
    self.hasSynchronizedOutput = hasSynchronizedOutput
    self.hasKittyKeyboard = hasKittyKeyboard
    self.answers = answers
    self.background = background
  }
}

/// Tracks the sequences that libvterm 0.1.4 does not support or does not report, and answers the queries among them.
///
/// The watcher only parses the syntax of ECMA-48 control sequences and strings, to find where each one ends.
struct ModeWatcher {
  /// Bytes for libvterm, and a response that follows after them.
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

  init(personality: Personality) { self.personality = personality }

  mutating func split(_ bytes: [UInt8]) -> [Piece] {
    var segments: [Piece] = []
    var current: [UInt8] = []
    for byte in bytes {
      current.append(byte)
      guard let ended = step(byte) else { continue }
      let (answer, isForUs) = respond(to: ended)
      // libvterm might answer a query that is answered here. Its last byte is replaced by CAN, which cancels the
      // sequence (ECMA-48, 8.3.6 CAN).
      if isForUs { current[current.count - 1] = 0x18 }
      if isForUs || !answer.isEmpty {
        segments.append(Piece(bytes: current, answer: answer))
        current = []
      }
    }
    segments.append(Piece(bytes: current, answer: []))
    return segments
  }

  /// Returns the whole sequence if the byte ends one.
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
      let components = [colour.red, colour.green, colour.blue].map { value in
        let hex = String(value, radix: 16)
        return String(repeating: hex.count == 1 ? "0" + hex : hex, count: 2)
      }
      return (Array("\u{1B}]11;rgb:\(components.joined(separator: "/"))\u{1B}\\".utf8), true)
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
