/// Somebody who has been here.
package struct LearnerRow: Encodable, Sendable {
  /// Their name.
  package let name: String

  /// Makes a row.
  package init(name: String) {
    self.name = name
  }
}
