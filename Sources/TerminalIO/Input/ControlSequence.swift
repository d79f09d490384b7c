/// A control sequence taken apart: `CSI`, a private mark, numbers, intermediate bytes, a final byte.
///
/// Source: ECMA-48, 5.4; sub-parameters after colons as in the kitty keyboard protocol.
struct ControlSequence {
  /// `<`, `=`, `>` or `?` before the numbers; 0 for none.
  private(set) var mark: UInt8 = 0
  /// The numbers, each with its sub-numbers; a missing one is -1.
  private(set) var numbers: [[Int]] = []
  /// Bytes 0x20…0x2F between the numbers and the end.
  private(set) var intermediates: [UInt8] = []
  /// The byte that says what it is.
  let final: UInt8

  /// Takes the bytes between `CSI` and the final byte apart.
  init(_ bytes: [UInt8], final: UInt8) {
    self.final = final
    var rest = bytes[...]
    if let first = rest.first, (0x3C...0x3F).contains(first) {
      mark = first
      rest = rest.dropFirst()
    }
    var current = [-1]
    var isEmpty = true
    for byte in rest {
      switch byte {
      case 0x30...0x39:
        let digit = Int(byte) - 0x30
        let known = max(0, current[current.count - 1])
        // Far beyond every number we know, and far from overflow.
        current[current.count - 1] = min(known * 10 + digit, 9_999_999)
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

  /// A number by its place, or another where it is missing.
  func number(_ index: Int, default missing: Int) -> Int {
    guard numbers.indices.contains(index), numbers[index][0] >= 0 else { return missing }
    return numbers[index][0]
  }

  /// A sub-number by its places, where it is there.
  func subnumber(_ index: Int, _ place: Int) -> Int? {
    guard numbers.indices.contains(index), numbers[index].indices.contains(place), numbers[index][place] >= 0 else {
      return nil
    }
    return numbers[index][place]
  }

  /// `CSI 200 ~`: what follows is pasted. Source: xterm, "Bracketed Paste Mode".
  var isPasteStart: Bool { mark == 0 && final == UInt8(ascii: "~") && number(0, default: 0) == 200 }
}
