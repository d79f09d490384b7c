/// The beginning and the end of an output of any length.
package struct CheckOutput: Hashable, Sendable {
  /// The maximum number of bytes that are kept of the beginning, and of the end.
  package static let (firstBytes, lastBytes) = (64 << 10, 192 << 10)

  private let firstLimit, lastLimit: Int
  private var first: [UInt8] = []
  private var last: [UInt8] = []
  /// The number of bytes between the two parts that are not kept.
  package private(set) var omitted = 0

  package init() { self.init(firstBytes: Self.firstBytes, lastBytes: Self.lastBytes) }

  init(firstBytes: Int, lastBytes: Int) { (firstLimit, lastLimit) = (firstBytes, lastBytes) }

  /// Adds bytes to the end.
  package mutating func add(_ bytes: ArraySlice<UInt8>) {
    let head = bytes.prefix(firstLimit - first.count)
    first += head
    last += bytes.dropFirst(head.count)
    // Removing the beginning moves the rest, so it is not done for each call.
    if last.count > 2 * lastLimit { trim() }
  }

  private mutating func trim() {
    let count = max(0, last.count - lastLimit)
    omitted += count
    last.removeFirst(count)
  }

  /// The output with a line about the omitted bytes.
  package var bytes: [UInt8] {
    var whole = self
    whole.trim()
    return first + (whole.omitted > 0 ? Array("\n… \(whole.omitted) bytes are left out …\n".utf8) : []) + whole.last
  }

  /// The output as text, with a line about the omitted bytes. Invalid bytes are replaced.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
