/// The digest of a source: SHA-256 over everything that was read.
///
/// The digest of a single file equals the output of `sha256sum`. For a folder, the path and length of each file
/// precede its bytes.
///
/// Source: FIPS 180-4, sections 4.1.2, 4.2.2, 5.1.1 and 6.2.
package struct SourceDigest {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  package init() {}

  /// Returns the digest of bytes, as 64 hexadecimal digits.
  package static func digest(of bytes: [UInt8]) -> String {
    var digest = SourceDigest()
    digest.add(bytes)
    return digest.hexadecimal()
  }

  /// Adds a file of a folder, with its path and length.
  package mutating func add(_ bytes: [UInt8], of file: String) {
    add(Array("\(file)\0\(bytes.count)\0".utf8))
    add(bytes)
  }

  /// Adds bytes.
  package mutating func add(_ bytes: [UInt8]) {
    length += UInt64(bytes.count)
    var used = 0
    if !pending.isEmpty {
      used = min(64 - pending.count, bytes.count)
      pending += bytes[..<used]
      guard pending.count == 64 else { return }
      let block = pending
      pending.removeAll(keepingCapacity: true)
      block.withUnsafeBufferPointer { mix($0.baseAddress!) }
    }
    bytes.withUnsafeBufferPointer { all in
      while all.count - used >= 64 {
        mix(all.baseAddress! + used)
        used += 64
      }
    }
    pending += bytes[used...]
  }

  /// Returns the digest of all added bytes, as 64 hexadecimal digits.
  package func hexadecimal() -> String {
    var last = self
    let bits = length &* 8
    last.add([0x80] + [UInt8](repeating: 0, count: (119 - pending.count) % 64))
    last.add((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
    return last.state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Processes a block of 64 bytes.
  ///
  /// Uses plain loops, pointers and `&>>`, for which a debug build does not call generic functions. This halves the
  /// time for reading a book in a debug build.
  private mutating func mix(_ block: UnsafePointer<UInt8>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { buffer in
      let schedule = buffer.baseAddress!
      var index = 0
      while index < 16 {
        let at = block + index * 4
        schedule[index] = UInt32(at[0]) &<< 24 | UInt32(at[1]) &<< 16 | UInt32(at[2]) &<< 8 | UInt32(at[3])
        index += 1
      }
      while index < 64 {
        let a = schedule[index - 15]
        let b = schedule[index - 2]
        let s0 = rotated(a, 7) ^ rotated(a, 18) ^ (a &>> 3)
        let s1 = rotated(b, 17) ^ rotated(b, 19) ^ (b &>> 10)
        schedule[index] = schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1
        index += 1
      }

      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      Self.constants.withUnsafeBufferPointer { buffer in
        let constants = buffer.baseAddress!
        var index = 0
        while index < 64 {
          let s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
          let first = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ schedule[index]
          let s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
          let second = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
          (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
          index += 1
        }
      }
      state = [
        state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d, state[4] &+ e, state[5] &+ f, state[6] &+ g,
        state[7] &+ h,
      ]
    }
  }

  private func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word &>> bits | word &<< (32 - bits)
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
