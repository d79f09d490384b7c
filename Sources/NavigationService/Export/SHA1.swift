/// The hash that names of version 5 are made with. Nothing here is kept secret by it: no package that the project has
/// offers one, and a cryptographic one would be much for this.
///
/// Source: RFC 3174, "US Secure Hash Algorithm 1 (SHA1)", section 6.1.
enum SHA1 {
  /// Returns the twenty bytes of a message's hash.
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(message.count * 8) >> UInt64(56 - 8 * $0)) }

    for start in stride(from: 0, to: padded.count, by: 64) {
      var words = (0..<16).map { word in
        padded[(start + word * 4)..<(start + word * 4 + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      }
      for t in 16..<80 {
        words.append(rotate(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], by: 1))
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
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
      for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
  }

  private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
