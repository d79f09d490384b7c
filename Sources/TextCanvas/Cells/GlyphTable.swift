import Synchronization

/// The clusters of more than one scalar that were drawn since the program began, each with a number.
///
/// It only grows, up to `capacity`; numbers stay valid for the life of the program. A text that holds more different
/// clusters than that was made to do so, and the rest of it is shown by the clusters' first scalars.
final class GlyphTable: Sendable {
  struct Entry: Sendable {
    let text: String
    let width: Int
    let isDisputed: Bool
  }

  private struct State {
    var numbers: [[Unicode.Scalar]: UInt32] = [:]
    var entries: [Entry] = []
  }

  static let shared = GlyphTable(capacity: 1 << 16)

  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Returns the number of a cluster, adding it when it is new; `nil` when it is new and the table is full.
  func number(of scalars: [Unicode.Scalar], width: Int, isDisputed: Bool) -> UInt32? {
    state.withLock { state in
      if let number = state.numbers[scalars] { return number }
      guard state.entries.count < capacity else { return nil }
      let number = UInt32(state.entries.count)
      state.numbers[scalars] = number
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      state.entries.append(Entry(text: String(text), width: width, isDisputed: isDisputed))
      return number
    }
  }

  func entry(_ number: UInt32) -> Entry {
    state.withLock { $0.entries[Int(number)] }
  }
}
