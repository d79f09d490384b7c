import TextCanvas

/// The bytes of a sequence that arrived too slowly, without its ESC.
///
/// The Escape key and the beginning of a sequence send the same byte, so ESC becomes the Escape key after
/// ``InputDecoder/escapePatience``. If the rest of a sequence arrives afterwards, its bytes would be read as typed
/// characters. This type recognises such a rest:
///
/// ```
/// ESC | [<65;20;10M     Escape, and no further key
/// ESC | [               Escape, and [ unless more of a sequence follows
/// ESC [<65; | 20;10M    no key
/// ```
struct CutSequence {
  /// All bytes after ESC so far.
  fileprivate var bytes: [UInt8]
  /// How many of the bytes were given up; the others are held back because they may belong to the sequence.
  fileprivate var settledCount: Int
  /// Whether the next byte may still arrive within ``InputDecoder/sequencePatience``. Later, a rest is recognised only
  /// if it cannot be a single typed character.
  fileprivate(set) var isWaiting: Bool

  init(_ bytes: [UInt8], isWaiting: Bool) {
    (self.bytes, settledCount, self.isWaiting) = (bytes, bytes.count, isWaiting)
  }

  fileprivate var held: ArraySlice<UInt8> { bytes[settledCount...] }
}

extension InputDecoder {
  /// The bytes after ESC of the unfinished sequence; `nil` between sequences, or if it is too long to be completed.
  var unfinishedSequence: [UInt8]? {
    switch state {
    case .ground, .character, .overlongSequence, .paste: nil
    case .escape: []
    case .sequence: [UInt8(ascii: "[")] + pending
    case .consoleKey: Array("[[".utf8)
    case .oldMouse: Array("[M".utf8) + pending
    case .singleShift: [UInt8(ascii: "O")] + pending
    case .string(let opener): [opener] + pending
    case .stringEscape(let opener): [opener] + pending + [0x1B]
    }
  }

  /// Removes the rest of a given-up sequence from the bytes of a read.
  ///
  /// A person presses one key at a time, so several bytes in one read after ESC are not typed characters. Neither is the
  /// last byte of a sequence of which at least two bytes arrived before.
  ///
  /// - Returns: The bytes to decode: all of the read if they do not continue the sequence, none if all of them do.
  mutating func withoutRest(of cut: CutSequence, _ read: [UInt8]) -> ArraySlice<UInt8> {
    var cut = cut
    let settledCount = cut.settledCount
    cut.bytes += read
    switch Self.extent(ofSequence: cut.bytes) {
    case .complete(let count, let outcome)
    where count > settledCount && (cut.isWaiting || count > settledCount + 1 || settledCount > 1):
      if outcome == .paste { state = .paste }
      // A key or a mouse report was meant for the page that Escape has left.
      if case .results(let all) = outcome { results += all.filter { !$0.isKeyOrMouse } }
      return cut.bytes[count...]
    case .incomplete(let decoder) where cut.bytes.count > Self.sequenceLimit && cut.isWaiting:
      (state, pending) = (decoder.state, decoder.pending)
      return []
    case .incomplete(let decoder) where cut.isWaiting || read.count > 1 && !decoder.isInString:
      cut.isWaiting = true
      cutSequence = cut
      return []
    default:
      return cut.held
    }
  }

  /// Ends the wait for the rest of a given-up sequence.
  mutating func settle(_ cut: CutSequence) {
    cutSequence = nil
    let isTyped = cut.settledCount == 0 && (cut.bytes.count == 1 || cut.bytes == Array("[[".utf8))
    if isTyped {
      for byte in cut.bytes { take(byte) }
    } else {
      cutSequence = CutSequence(cut.bytes, isWaiting: false)
    }
  }

  /// How far a sequence reaches.
  private enum Extent {
    case none
    /// The decoder is in the state after these bytes.
    case incomplete(InputDecoder)
    case complete(Int, Outcome)
  }

  private enum Outcome: Equatable {
    case paste
    case results([DecodedInput])
  }

  /// Returns how many bytes belong to the sequence that begins the bytes after an ESC.
  private static func extent(ofSequence bytes: [UInt8]) -> Extent {
    guard let opener = bytes.first, "[O]P_".utf8.contains(opener) else { return .none }
    if bytes.count > 1, !canFollow(opener, bytes[1]) { return .none }
    var decoder = InputDecoder()
    decoder.take(0x1B)
    for (index, byte) in bytes.enumerated() {
      let isString = decoder.isInString
      // Such a byte ends the sequence early, and begins something else.
      if index > 0, !isString, decoder.state != .oldMouse, byte < 0x20 || byte > 0x7E {
        return index == 1 ? .none : .complete(index, .results([]))
      }
      decoder.take(byte)
      switch decoder.state {
      case .paste: return .complete(index + 1, .paste)
      case .ground:
        // Typed characters: Alt and the opener, or a sequence that no terminal sends.
        let alt = KeyEvent(.character(Character(Unicode.Scalar(opener))), modifiers: .alt)
        let isUnknown = decoder.results.isEmpty && !isString && !(0x3C...0x3F).contains(bytes[1])
        return isUnknown || decoder.results.first == .event(.key(alt))
          ? .none : .complete(index + 1, .results(decoder.results))
      default: break
      }
    }
    return .incomplete(decoder)
  }

  private var isInString: Bool {
    switch state {
    case .string, .stringEscape: true
    default: false
    }
  }

  /// Whether a byte can follow the opener of a sequence that terminals send.
  private static func canFollow(_ opener: UInt8, _ byte: UInt8) -> Bool {
    switch opener {
    case UInt8(ascii: "]"): (0x30...0x39).contains(byte)
    case UInt8(ascii: "P"): (0x30...0x3F).contains(byte)
    case UInt8(ascii: "_"): byte == UInt8(ascii: "G")
    // The keypad sends other letters only in a mode that is never set.
    case UInt8(ascii: "O"): (0x30...0x3F).contains(byte) || InputTables.sequenceKeys[byte] != nil
    default: true
    }
  }
}

extension DecodedInput {
  fileprivate var isKeyOrMouse: Bool {
    switch self {
    case .event(.key), .event(.mouse): true
    default: false
    }
  }
}
