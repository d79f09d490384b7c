import Foundation

extension UUID {
  /// The namespace of UUIDs that are derived from URLs.
  ///
  /// Source: RFC 9562, section 6.6.
  static let addresses = UUID(uuidString: "6ba7b811-9dad-11d1-80b4-00c04fd430c8")!

  /// Creates a UUID of version 5 from a name in a namespace. Equal names and namespaces yield equal UUIDs.
  ///
  /// Source: RFC 9562, section 5.5.
  init(_ name: String, in namespace: UUID) {
    let hash = SHA1.hash(withUnsafeBytes(of: namespace.uuid) { Array($0) } + Array(name.utf8))
    self.init(
      uuid: (
        hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6] & 0x0F | 0x50, hash[7], hash[8] & 0x3F | 0x80,
        hash[9], hash[10], hash[11], hash[12], hash[13], hash[14], hash[15]
      ))
  }
}

/// The SHA-1 hash, which UUIDs of version 5 use. It is not used for security. The project's dependencies do not offer
/// it, and a cryptographic library would be large for this purpose.
///
/// Source: RFC 3174, "US Secure Hash Algorithm 1 (SHA1)", section 6.1.
enum SHA1 {
  /// Returns the 20 bytes of a message's hash.
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
      0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )
    var padded = message
    padded.reserveCapacity(message.count + 72)
    padded.append(0x80)
    padded.append(contentsOf: repeatElement(0, count: (120 - padded.count % 64) % 64))
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: UInt64(message.count * 8) >> UInt64(shift)))
    }

    // An export computes one or two hashes per statement, so the words of a block are allocated on the stack.
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
      for start in stride(from: 0, to: padded.count, by: 64) {
        for t in 0..<16 {
          var word: UInt32 = 0
          for offset in 0..<4 { word = word << 8 | UInt32(padded[start + 4 * t + offset]) }
          words[t] = word
        }
        for t in 16..<80 { words[t] = rotate(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], by: 1) }
        add(words, to: &state)
      }
    }
    var hash: [UInt8] = []
    hash.reserveCapacity(20)
    for word in [state.0, state.1, state.2, state.3, state.4] {
      for shift in [24, 16, 8, 0] as [UInt32] { hash.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    return hash
  }

  private static func add(
    _ words: UnsafeMutableBufferPointer<UInt32>, to state: inout (UInt32, UInt32, UInt32, UInt32, UInt32)
  ) {
    var (a, b, c, d, e) = state
    for t in 0..<80 {
      let (f, k): (UInt32, UInt32) =
        switch t {
        case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotate(a, by: 5) &+ f &+ e &+ words[t] &+ k
      (e, d, c, b, a) = (d, c, rotate(b, by: 30), a, next)
    }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
  }

  private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
