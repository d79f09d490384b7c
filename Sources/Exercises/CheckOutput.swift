/// The beginning and the end of an output of any length.
package struct CheckOutput: Hashable, Sendable {
  /// The maximum number of bytes that are kept of the beginning, and of the end.
  package static let (firstBytes, lastBytes) = (64 << 10, 192 << 10)

  private var first: [UInt8] = []
  private var last: [UInt8] = []
  /// The number of bytes between the two parts that are not kept.
  package private(set) var omitted = 0

  package init() {}

  /// Adds bytes to the end.
  package mutating func add(_ bytes: ArraySlice<UInt8>) {
    let head = bytes.prefix(Self.firstBytes - first.count)
    first += head
    last += bytes.dropFirst(head.count)
    // Removing the beginning moves the rest, so it is not done for each call.
    if last.count > 2 * Self.lastBytes { trim() }
  }

  private mutating func trim() {
    let count = max(0, last.count - Self.lastBytes)
    omitted += count
    last.removeFirst(count)
  }

  /// The output as text, with a line about the omitted bytes. Invalid bytes are replaced.
  package var text: String {
    var whole = self
    whole.trim()
    guard whole.omitted > 0 else { return String(decoding: first + last, as: UTF8.self) }
    return String(decoding: first, as: UTF8.self) + "\n… \(whole.omitted) bytes are left out …\n"
      + String(decoding: whole.last, as: UTF8.self)
  }
}
