/// What shows a picture on a page of its own: a link on its description.
package enum PictureLink {
  private static let prefix = "#picture:"

  /// The destination for the picture of that number, counted from 0 through the text as it is set.
  package static func destination(_ number: Int) -> String { prefix + String(number) }

  /// The same link in a text that has so many other pictures above.
  static func moved(_ destination: String, by pictures: Int) -> String {
    number(of: destination).map { self.destination($0 + pictures) } ?? destination
  }

  /// The number of the picture; `nil` for a link of another kind.
  package static func number(of destination: String) -> Int? {
    destination.hasPrefix(prefix) ? Int(destination.dropFirst(prefix.count)) : nil
  }
}
