/// A parsed control sequence: `CSI`, a private marker, numbers, intermediate bytes and a final byte.
///
/// Source: ECMA-48, 5.4; sub-parameters after colons as in the kitty keyboard protocol.
struct ControlSequence {
  /// The private marker `<`, `=`, `>` or `?` before the numbers, or 0.
  private(set) var privateMarker: UInt8 = 0
  /// The parameters, each with its sub-parameters. Missing values are -1.
  private(set) var numbers: [[Int]] = []
  /// The intermediate bytes, 0x20…0x2F.
  private(set) var intermediates: [UInt8] = []
  /// The final byte, which determines the function.
  let final: UInt8

  /// Parses the bytes between `CSI` and the final byte.
  init(_ bytes: [UInt8], final: UInt8) {
    self.final = final
    var remaining = bytes[...]
    if let first = remaining.first, (0x3C...0x3F).contains(first) {
      privateMarker = first
      remaining = remaining.dropFirst()
    }
    var current = [-1]
    var isEmpty = true
    for byte in remaining {
      switch byte {
      case 0x30...0x39:
        let digit = Int(byte) - 0x30
        let value = max(0, current[current.count - 1])
        // Larger than any known number, and small enough to avoid overflow.
        current[current.count - 1] = min(value * 10 + digit, 9_999_999)
        isEmpty = false
      case UInt8(ascii: ":"):
        current.append(-1)
        isEmpty = false
      case UInt8(ascii: ";"):
        numbers.append(current)
        current = [-1]
        isEmpty = false
      case 0x20...0x2F: intermediates.append(byte)
      default: break
      }
    }
    if !isEmpty { numbers.append(current) }
  }

  /// Returns a parameter, or the default value if it is missing.
  func number(_ index: Int, default missing: Int) -> Int {
    guard numbers.indices.contains(index), numbers[index][0] >= 0 else { return missing }
    return numbers[index][0]
  }

  /// Returns a sub-parameter, or `nil` if it is missing.
  func subnumber(_ index: Int, _ position: Int) -> Int? {
    guard numbers.indices.contains(index), numbers[index].indices.contains(position), numbers[index][position] >= 0
    else {
      return nil
    }
    return numbers[index][position]
  }

  /// Whether the sequence is `CSI 200 ~`, which starts a paste. Source: xterm, "Bracketed Paste Mode".
  var isPasteStart: Bool { privateMarker == 0 && final == UInt8(ascii: "~") && number(0, default: 0) == 200 }
}
