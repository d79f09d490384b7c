/// Collects JSON as UTF-8 text.
package final class JSONTextSink: JSONSink {
  /// The text so far.
  package var bytes: [UInt8] = []
  /// The number of spaces before each line of the outermost value. If `nil`, everything is written on one line.
  private let indentation: Int?
  private let isSorted: Bool
  private let appendQuoted: (inout [UInt8], String) -> Void

  private struct Level {
    let isArray: Bool
    var isEmpty = true
    /// The keys of an object with sorted keys, and the offsets at which their members begin.
    var members: [(key: String, start: Int)] = []
  }

  private var levels: [Level] = []

  /// - Parameters:
  ///   - indentation: The number of spaces before each line of the outermost value. Each nested level is indented by
  ///     two more. If `nil`, everything is written on one line.
  ///   - isSorted: Whether the members of objects are sorted by their keys. Requires that `indentation` is `nil`.
  ///   - appendQuoted: Appends a string with its quotes and escapes.
  package init(
    indentation: Int? = nil, isSorted: Bool = false,
    appendQuoted: @escaping (inout [UInt8], String) -> Void = { $0.append(quoted: $1) }
  ) {
    (self.indentation, self.isSorted, self.appendQuoted) = (indentation, isSorted, appendQuoted)
  }

  /// The number of open containers.
  package var depth: Int { levels.count }

  package func open(isArray: Bool) {
    bytes.append(UInt8(ascii: isArray ? "[" : "{"))
    levels.append(Level(isArray: isArray))
  }

  package func close() {
    let level = levels.removeLast()
    if !level.isEmpty { writeLineEnd() }
    sort(level.members)
    bytes.append(UInt8(ascii: level.isArray ? "]" : "}"))
  }

  package func beginMember(_ key: String) {
    beginElement()
    if isSorted { levels[levels.count - 1].members.append((key, bytes.count)) }
    appendQuoted(&bytes, key)
    bytes.append(UInt8(ascii: ":"))
    if indentation != nil { bytes.append(UInt8(ascii: " ")) }
  }

  package func beginElement() {
    if !levels[levels.count - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
    levels[levels.count - 1].isEmpty = false
    writeLineEnd()
  }

  package func write(text: String) { appendQuoted(&bytes, text) }

  package func write(literal: String) { bytes.append(contentsOf: literal.utf8) }

  package func write(integer: Int64) { bytes.append(decimal: integer) }

  private func writeLineEnd() {
    guard let indentation else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation + 2 * levels.count))
  }

  private func sort(_ members: [(key: String, start: Int)]) {
    guard members.count > 1, !zip(members, members.dropFirst()).allSatisfy({ $0.key < $1.key }) else { return }
    let ends = members.dropFirst().map { $0.start - 1 } + [bytes.count]
    let sorted = zip(members, ends).map { (key: $0.key, bytes: bytes[$0.start..<$1]) }.sorted { $0.key < $1.key }
    bytes.replaceSubrange(
      members[0].start..., with: Array(sorted.map(\.bytes).joined(separator: [UInt8(ascii: ",")])))
  }
}

@available(*, unavailable)
extension JSONTextSink: Sendable {}

extension [UInt8] {
  /// Appends a text in quotes.
  ///
  /// Source: RFC 8259, "Strings"; the choice among equivalent escapes is that of Foundation.
  package mutating func append(quoted text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var written = 0
      for (index, byte) in utf8.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
        append(contentsOf: utf8[written..<index])
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x09: append(UInt8(ascii: "t"))
        default:
          let digits = Array("0123456789abcdef".utf8)
          append(contentsOf: Array("u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }
        written = index + 1
      }
      append(contentsOf: utf8[written...])
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends a number in decimal digits.
  fileprivate mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    let start = count
    var remaining = number.magnitude
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remaining % 10))
      remaining /= 10
    } while remaining > 0
    if count - start > 1 { self[start...].reverse() }
  }
}
