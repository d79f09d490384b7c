import TextCanvas

extension InputDecoder {
  mutating func takeInString(_ byte: UInt8, _ opener: UInt8) {
    switch byte {
    case 0x1B: state = .stringEscape(opener)
    case 0x07: finishString(opener)
    case 0x18, 0x1A: resetAndSettleEscape()
    case 0x0D where pending.isEmpty:
      // No string begins with a line end: it was Alt and a key, and then Enter.
      let wasAfterEscape = isAfterEscape
      reset()
      emitAlt(Character(Unicode.Scalar(opener)), wasAfterEscape)
      take(byte)
    default: if pending.count < Self.stringLimit { pending.append(byte) }
    }
  }

  mutating func takeAfterEscapeInString(_ byte: UInt8, _ opener: UInt8) {
    if byte == UInt8(ascii: "\\") {
      finishString(opener)
      return
    }
    // The string broke off, and a new sequence begins.
    let wasEmpty = pending.isEmpty
    resetAndSettleEscape()
    if wasEmpty { emitAlt(Character(Unicode.Scalar(opener)), false) }
    state = .escape
    take(byte)
  }

  mutating func finishString(_ opener: UInt8) {
    let content = pending
    resetAndSettleEscape()
    if let answer = TerminalAnswer(string: content, opener: opener) { results.append(.answer(answer)) }
  }

  // MARK: Paste

  /// `CSI 201 ~`. Source: xterm, "Bracketed Paste Mode".
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  mutating func takeInPaste(_ byte: UInt8) {
    if byte == Self.pasteEnd[pasteEndSeen] {
      pasteEndSeen += 1
      guard pasteEndSeen == Self.pasteEnd.count else { return }
      let content = pending
      reset()
      emitPaste(content)
      return
    }
    // What looked like the end was text. ESC stands only at the end's beginning, so only it can begin the end anew.
    keep(Self.pasteEnd.prefix(pasteEndSeen))
    pasteEndSeen = byte == 0x1B ? 1 : 0
    if byte != 0x1B { keep(CollectionOfOne(byte)) }
  }

  mutating func keep(_ bytes: some Collection<UInt8>) {
    if pending.count + bytes.count <= Self.pasteLimit { pending.append(contentsOf: bytes) }
  }

  mutating func emitPaste(_ bytes: [UInt8]) {
    results.append(.event(.paste(String(decoding: bytes, as: UTF8.self))))
  }
}
