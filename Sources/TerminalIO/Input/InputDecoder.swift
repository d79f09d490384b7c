import TextCanvas

/// Decodes the bytes of a terminal into input events and replies.
///
/// The results do not depend on how the bytes are divided into reads, as long as ``expire()`` is not called between
/// them. The caller checks ``timeout`` after each call, and calls ``expire()`` after that many seconds without a byte.
/// If a sequence continues after ``expire()``, the rest of it never becomes a key (see ``InterruptedSequence``).
/// Unknown sequences are dropped. Memory use is bounded.
///
/// The byte of Ctrl-C always becomes that key, because no character, sequence or string contains it: it ends what is
/// unfinished, as ``expire()`` does. In a paste, the byte can be text. There it is the key only at the end of a read,
/// and drops the paste, whose end may be lost.
///
/// Sources: ECMA-48 (control sequences, 5.4; the bytes of strings, 5.6), xterm's *XTerm Control Sequences* (keys,
/// mouse, paste, focus), the kitty keyboard protocol.
package struct InputDecoder: Sendable {
  enum State: Hashable {
    /// Between characters and sequences.
    case ground
    /// Inside a UTF-8 character, of which this many bytes are missing.
    case character(missing: Int)
    /// After ESC.
    case escape
    /// After `ESC [`, which may also be Alt and a bracket.
    case sequence
    /// Inside a sequence that is longer than any known one. It is dropped.
    case overlongSequence
    /// After `ESC [ [`: a function key of the Linux console.
    case consoleKey
    /// After `ESC [ M`: a mouse report, of which three more bytes follow.
    case oldMouse
    /// After `ESC O`, which may also be Alt and O.
    case singleShift
    /// Inside a string, after `ESC ]`, `ESC P` or `ESC _`.
    case string(UInt8)
    /// After ESC inside a string.
    case stringEscape(UInt8)
    /// Between the start and end of a paste.
    case paste
  }

  /// The maximum length of a sequence in bytes.
  static let sequenceLimit = 64
  /// The maximum length of a string in bytes.
  static let stringLimit = 1024
  /// The maximum length of a paste in bytes. The rest of a longer paste is dropped.
  package static let pasteLimit = 1 << 20

  var state = State.ground
  /// The bytes received since the state began: of a character, sequence, string or paste.
  var pending: [UInt8] = []
  /// Whether another ESC preceded the current ESC, `ESC [` or `ESC O`.
  var isAfterEscape = false
  /// The number of bytes of a paste's end that have been received.
  var pasteEndMatched = 0
  var results: [DecodedInput] = []
  /// The sequence that the last ``expire()`` gave up, until it is clear whether the next byte continues it.
  var interruptedSequence: InterruptedSequence?

  /// Creates a decoder in its initial state.
  package init() {}

  /// Decodes the bytes of one read.
  ///
  /// - Returns: The completed events and replies, oldest first.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [DecodedInput] {
    let bytes = Array(bytes)
    var remaining = bytes[...]
    while let index = remaining.firstIndex(of: Self.interrupt) {
      decode(remaining[..<index])
      remaining = remaining[(index + 1)...]
      if state != .paste || remaining.isEmpty { giveUp() }
      process(Self.interrupt)
    }
    decode(remaining)
    if state == .paste, bytes.suffix(Self.kittyInterrupt.count).elementsEqual(Self.kittyInterrupt) {
      giveUp()
      emit(.character("c"), .control)
    }
    defer { results.removeAll(keepingCapacity: true) }
    return results
  }

  /// Ctrl-C, and Ctrl-C in the kitty keyboard protocol.
  private static let (interrupt, kittyInterrupt) = (UInt8(0x03), Array("\u{1B}[99;5u".utf8))

  private mutating func decode(_ bytes: ArraySlice<UInt8>) {
    guard let cut = interruptedSequence, !bytes.isEmpty else {
      for byte in bytes { process(byte) }
      return
    }
    interruptedSequence = nil
    for byte in withoutRemainder(of: cut, Array(bytes)) { process(byte) }
  }

  /// Ends an unfinished sequence before Ctrl-C. The text of a paste is dropped.
  private mutating func giveUp() {
    if state == .paste { return reset() }
    finishUnfinished()
    interruptedSequence = nil
  }

  /// Seconds for which the Escape key waits for the rest of a sequence.
  static let escapeTimeout = 0.025
  /// Seconds for which an unfinished sequence waits for its next byte.
  static let sequenceTimeout = 0.25

  /// Seconds without a byte after which the caller must call ``expire()``, or `nil` if no sequence is unfinished.
  package var timeout: Double? {
    switch state {
    case .ground: interruptedSequence?.isWaiting == true ? Self.sequenceTimeout : nil
    case .escape: Self.escapeTimeout
    case .character, .sequence, .overlongSequence, .consoleKey, .oldMouse, .singleShift, .string, .stringEscape:
      Self.sequenceTimeout
    // The pasted text may come over a slow connection.
    case .paste: 3
    }
  }

  /// Stops waiting for the rest of an unfinished character, sequence or paste.
  ///
  /// - Returns: The events for the bytes received so far. Empty if they are only the beginning of a sequence.
  package mutating func expire() -> [DecodedInput] {
    finishUnfinished()
    defer { results.removeAll(keepingCapacity: true) }
    return results
  }

  private mutating func finishUnfinished() {
    let state = state
    let pending = pending
    let isAfterEscape = isAfterEscape
    let unfinished = unfinishedSequence
    reset()
    if let cut = interruptedSequence { finishInterrupted(cut) }
    if let unfinished { interruptedSequence = InterruptedSequence(unfinished, isWaiting: state == .escape) }
    switch state {
    case .ground: break
    case .character:
      emit(character: "\u{FFFD}", isAfterEscape ? .alt : [])
    case .escape:
      if isAfterEscape { emit(.escape) }
      emit(.escape)
    case .sequence where pending.isEmpty: emitAlt("[", isAfterEscape)
    case .singleShift where pending.isEmpty: emitAlt("O", isAfterEscape)
    case .string(let opener) where pending.isEmpty: emitAlt(Character(Unicode.Scalar(opener)), isAfterEscape)
    case .paste: emitPaste(pending)
    case .sequence, .overlongSequence, .consoleKey, .oldMouse, .singleShift, .string, .stringEscape:
      if isAfterEscape { emit(.escape) }
    }
  }

  // MARK: One byte

  mutating func process(_ byte: UInt8) {
    switch state {
    case .ground: begin(byte)
    case .character(let missing): continueCharacter(byte, missing: missing)
    case .escape: processAfterEscape(byte)
    case .sequence, .overlongSequence: processInSequence(byte)
    case .consoleKey:
      let alt: KeyModifiers = isAfterEscape ? .alt : []
      reset()
      if let key = InputTables.consoleKeys[byte] { emit(key, alt) }
    case .oldMouse:
      pending.append(byte)
      guard pending.count == 3 else { return }
      let report = pending
      resetAndEmitEscape()
      if let event = MouseEvent(oldReport: report) { results.append(.event(.mouse(event))) }
    case .singleShift: processAfterSingleShift(byte)
    case .string(let opener): processInString(byte, opener)
    case .stringEscape(let opener): processAfterEscapeInString(byte, opener)
    case .paste: processInPaste(byte)
    }
  }

  mutating func reset() {
    state = .ground
    pending.removeAll(keepingCapacity: true)
    isAfterEscape = false
    pasteEndMatched = 0
  }

  /// Drops a sequence that was not a key. An ESC before it was not Alt but the Escape key, pressed shortly before a
  /// reply arrived or before the incomplete sequence.
  mutating func resetAndEmitEscape() {
    let wasAfterEscape = isAfterEscape
    reset()
    if wasAfterEscape { emit(.escape) }
  }

  /// Handles the first byte of a character or sequence. `modifiers` is Alt after an ESC.
  mutating func begin(_ byte: UInt8, _ modifiers: KeyModifiers = []) {
    switch byte {
    case 0x1B: state = .escape
    case 0x00..<0x20, 0x7F:
      let (key, implied) = InputTables.control(byte)
      emit(key, implied.union(modifiers))
    case 0x20..<0x7F: emit(character: Character(Unicode.Scalar(byte)), modifiers)
    case 0xC2...0xF4:
      state = .character(missing: byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3)
      pending = [byte]
      isAfterEscape = !modifiers.isEmpty
    default: emit(character: "\u{FFFD}", modifiers)
    }
  }

  mutating func continueCharacter(_ byte: UInt8, missing: Int) {
    let modifiers: KeyModifiers = isAfterEscape ? .alt : []
    guard byte & 0xC0 == 0x80, pending.count > 1 || InputTables.isSecondByte(byte, after: pending[0]) else {
      reset()
      emit(character: "\u{FFFD}", modifiers)
      process(byte)
      return
    }
    pending.append(byte)
    if missing > 1 {
      state = .character(missing: missing - 1)
      return
    }
    let scalar = String(decoding: pending, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    reset()
    // C1 controls (U+0080…U+009F) are not text, and no key sends them.
    emit(character: scalar.value < 0xA0 ? "\u{FFFD}" : Character(scalar), modifiers)
  }

  mutating func processAfterEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "["): state = .sequence
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"): state = .string(byte)
    case 0x1B:
      // If three ESC arrive, the first one was the Escape key.
      if isAfterEscape { emit(.escape) }
      isAfterEscape = true
    default:
      let wasAfterEscape = isAfterEscape
      reset()
      if wasAfterEscape { emit(.escape) }
      begin(byte, .alt)
    }
  }

  mutating func processInSequence(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "[") where state == .sequence && pending.isEmpty: state = .consoleKey
    case UInt8(ascii: "M") where state == .sequence && pending.isEmpty: state = .oldMouse
    case 0x20...0x3F:
      if pending.count < Self.sequenceLimit { pending.append(byte) } else { state = .overlongSequence }
    case 0x40...0x7E:
      guard state == .sequence else { return resetAndEmitEscape() }
      finish(ControlSequence(pending, final: byte))
    default:
      // A control character or a character beyond ASCII ends the sequence and is handled by itself.
      resetAndEmitEscape()
      process(byte)
    }
  }

  mutating func processAfterSingleShift(_ byte: UInt8) {
    let wasAfterEscape = isAfterEscape
    switch byte {
    case 0x30...0x3F where pending.count < 8:
      // Old terminals send modifiers after SS3: `SS3 5 A`.
      pending.append(byte)
    default:
      let parameters = pending
      reset()
      guard let key = InputTables.singleShiftKeys[byte] else {
        if parameters.isEmpty {
          emitAlt("O", wasAfterEscape)
          process(byte)
        }
        return
      }
      let modifiers = KeyModifiers(parameter: Int(String(decoding: parameters, as: UTF8.self)) ?? 1)
      emit(key, modifiers.union(wasAfterEscape ? .alt : []))
    }
  }

  // MARK: Sequences

  mutating func finish(_ sequence: ControlSequence) {
    let answer = TerminalReply(sequence)
    let event = answer == nil ? InputEvent(sequence, isAfterEscape ? .alt : []) : nil
    if case .key? = event { reset() } else { resetAndEmitEscape() }
    if sequence.isPasteStart {
      state = .paste
    } else if let answer {
      results.append(.answer(answer))
    } else if let event {
      results.append(.event(event))
    }
  }

  mutating func emit(_ key: Key, _ modifiers: KeyModifiers = []) {
    results.append(.event(.key(KeyEvent(key, modifiers: modifiers))))
  }

  mutating func emit(character: Character, _ modifiers: KeyModifiers) {
    emit(.character(character), modifiers)
  }

  mutating func emitAlt(_ character: Character, _ isAfterEscape: Bool) {
    if isAfterEscape { emit(.escape) }
    emit(.character(character), .alt)
  }
}

/// The bytes after ESC of a sequence that arrived too slowly.
///
/// The Escape key and the beginning of a sequence send the same byte, so ESC becomes the Escape key after
/// ``InputDecoder/escapeTimeout``. If the rest of a sequence arrives afterwards, its bytes would be interpreted as
/// typed characters. This type recognises such a rest:
///
/// ```
/// ESC | [<65;20;10M     Escape, and no further key
/// ESC | [               Escape, and [ unless more of a sequence follows
/// ESC [<65; | 20;10M    no key
/// ```
struct InterruptedSequence {
  /// All bytes received after ESC.
  fileprivate var bytes: [UInt8]
  /// The number of bytes that were given up. The others are held back because they may belong to the sequence.
  fileprivate var finishedCount: Int
  /// Whether the next byte may still arrive within ``InputDecoder/sequenceTimeout``. Later, a rest is recognised only
  /// if it cannot be a single typed character.
  fileprivate(set) var isWaiting: Bool

  init(_ bytes: [UInt8], isWaiting: Bool) {
    (self.bytes, finishedCount, self.isWaiting) = (bytes, bytes.count, isWaiting)
  }

  fileprivate var pending: ArraySlice<UInt8> { bytes[finishedCount...] }
}

extension InputDecoder {
  /// The bytes after ESC of the unfinished sequence, or `nil` between sequences or if the sequence is too long.
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
  /// A person presses one key at a time, so several bytes in one read after ESC are not typed characters. The last byte
  /// of a sequence is not a typed character either if at least two of its bytes arrived before.
  ///
  /// - Returns: The bytes to decode: all bytes if they do not continue the sequence, none if all of them do.
  mutating func withoutRemainder(of cut: InterruptedSequence, _ read: [UInt8]) -> ArraySlice<UInt8> {
    var cut = cut
    let settledCount = cut.finishedCount
    cut.bytes += read
    switch Self.extent(ofSequence: cut.bytes) {
    case .complete(let count, let outcome)
    where count > settledCount && (cut.isWaiting || count > settledCount + 1 || settledCount > 1):
      if outcome == .paste { state = .paste }
      // A key or mouse report is dropped: it was meant for the page that the Escape key has left.
      if case .results(let all) = outcome { results += all.filter { !$0.isKeyOrMouse } }
      return cut.bytes[count...]
    case .incomplete(let decoder) where cut.bytes.count > Self.sequenceLimit && cut.isWaiting:
      (state, pending) = (decoder.state, decoder.pending)
      return []
    case .incomplete(let decoder) where cut.isWaiting || read.count > 1 && !decoder.isInString:
      cut.isWaiting = true
      interruptedSequence = cut
      return []
    default:
      return cut.pending
    }
  }

  /// Ends the wait for the rest of a given-up sequence.
  mutating func finishInterrupted(_ cut: InterruptedSequence) {
    interruptedSequence = nil
    let isTyped = cut.finishedCount == 0 && (cut.bytes.count == 1 || cut.bytes == Array("[[".utf8))
    if isTyped {
      for byte in cut.bytes { process(byte) }
    } else {
      interruptedSequence = InterruptedSequence(cut.bytes, isWaiting: false)
    }
  }

  /// The extent of a sequence at the beginning of some bytes.
  private enum Extent {
    case none
    /// The sequence is incomplete. The decoder is in the state after these bytes.
    case incomplete(InputDecoder)
    case complete(Int, Outcome)
  }

  private enum Outcome: Equatable {
    case paste
    case results([DecodedInput])
  }

  /// Returns the extent of the sequence at the beginning of the bytes after an ESC.
  private static func extent(ofSequence bytes: [UInt8]) -> Extent {
    guard let opener = bytes.first, "[O]P_".utf8.contains(opener) else { return .none }
    if bytes.count > 1, !canFollow(opener, bytes[1]) { return .none }
    var decoder = InputDecoder()
    decoder.process(0x1B)
    for (index, byte) in bytes.enumerated() {
      let isString = decoder.isInString
      // A control character or a byte beyond ASCII ends the sequence early and is handled by itself.
      if index > 0, !isString, decoder.state != .oldMouse, byte < 0x20 || byte > 0x7E {
        return index == 1 ? .none : .complete(index, .results([]))
      }
      decoder.process(byte)
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

  /// Returns whether a byte can follow the second byte of a sequence that terminals send.
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

extension InputDecoder {
  mutating func processInString(_ byte: UInt8, _ opener: UInt8) {
    switch byte {
    case 0x1B: state = .stringEscape(opener)
    case 0x07: finishString(opener)
    case 0x18, 0x1A: resetAndEmitEscape()
    case 0x0D where pending.isEmpty:
      // No string begins with a line end, so this was Alt and a key, followed by Enter.
      let wasAfterEscape = isAfterEscape
      reset()
      emitAlt(Character(Unicode.Scalar(opener)), wasAfterEscape)
      process(byte)
    default: if pending.count < Self.stringLimit { pending.append(byte) }
    }
  }

  mutating func processAfterEscapeInString(_ byte: UInt8, _ opener: UInt8) {
    if byte == UInt8(ascii: "\\") {
      finishString(opener)
      return
    }
    // The string is incomplete, and a new sequence begins.
    let wasEmpty = pending.isEmpty
    resetAndEmitEscape()
    if wasEmpty { emitAlt(Character(Unicode.Scalar(opener)), false) }
    state = .escape
    process(byte)
  }

  mutating func finishString(_ opener: UInt8) {
    let content = pending
    resetAndEmitEscape()
    if let answer = TerminalReply(string: content, opener: opener) { results.append(.answer(answer)) }
  }

  // MARK: Paste

  /// `CSI 201 ~`, the end of a paste. Source: xterm, "Bracketed Paste Mode".
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  mutating func processInPaste(_ byte: UInt8) {
    if byte == Self.pasteEnd[pasteEndMatched] {
      pasteEndMatched += 1
      guard pasteEndMatched == Self.pasteEnd.count else { return }
      let content = pending
      reset()
      emitPaste(content)
      return
    }
    // The bytes that looked like the end were text. ESC is only the first byte of the end, so no other byte can start
    // it again.
    append(Self.pasteEnd.prefix(pasteEndMatched))
    pasteEndMatched = byte == 0x1B ? 1 : 0
    if byte != 0x1B { append(CollectionOfOne(byte)) }
  }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if pending.count + bytes.count <= Self.pasteLimit { pending.append(contentsOf: bytes) }
  }

  mutating func emitPaste(_ bytes: [UInt8]) {
    results.append(.event(.paste(String(decoding: bytes, as: UTF8.self))))
  }
}
