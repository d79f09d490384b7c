import Testing

/// A text that was made to do harm, with a name that is shorter.
struct Hostile: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  var testDescription: String { name }

  init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }
}
