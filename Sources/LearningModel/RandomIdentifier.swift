#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Random identifiers of sessions, steps and activity events, with which the logs of several databases can be merged.
package enum RandomIdentifier {
  /// Returns a random UUID in lower case.
  ///
  /// Source: RFC 9562, section 5.4, version 4.
  package static func make() -> String {
    var (high, low) = random()
    high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    // All 36 bytes are written below, so they do not have to be initialised.
    return String(unsafeUninitializedCapacity: 36) { text in
      var position = 0
      for digit in 0..<32 {
        if [8, 12, 16, 20].contains(digit) {
          text[position] = UInt8(ascii: "-")
          position += 1
        }
        let value = UInt8(truncatingIfNeeded: (digit < 16 ? high : low) >> (60 - 4 * (digit % 16)) & 0xF)
        text[position] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        position += 1
      }
      return position
    }
  }

  /// Requests both halves in one system call, which takes half the time of two calls.
  private static func random() -> (UInt64, UInt64) {
    var halves: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &halves) { bytes in
      #if canImport(Darwin)
      arc4random_buf(bytes.baseAddress!, bytes.count)
      #else
      let code = getentropy(bytes.baseAddress!, bytes.count)
      precondition(code == 0, "the system gives up to 256 random bytes at a time")
      #endif
    }
    return halves
  }
}
