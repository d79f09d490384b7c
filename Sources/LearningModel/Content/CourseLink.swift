/// A link inside a course: what a destination that begins with `waymark:` means.
public struct CourseLink: Hashable, Sendable {
  /// The key of a node in the same course.
  public let key: String
  /// The anchor of a heading in that node's text; `nil` where the node itself is meant.
  public let anchor: String?

  /// Makes a link.
  public init(key: String, anchor: String? = nil) {
    self.key = key
    self.anchor = anchor
  }

  /// What a destination begins with where it means a node of the same course.
  public static let scheme = "waymark:"

  /// The destination as a text has it. Law: `CourseLink.readings(of: link.destination).contains(link)`.
  public var destination: String {
    Self.scheme + key + (anchor.map { "#" + $0 } ?? "")
  }

  /// The meanings that a destination may have, in the order in which to try them.
  ///
  /// A key may itself have a `#` in it, as those of sections have. So the whole is tried as a key first, then what
  /// stands before its last `#`.
  ///
  /// - Returns: Nothing where the destination leads out of the course.
  public static func readings(of destination: String) -> [CourseLink] {
    guard destination.hasPrefix(scheme) else { return [] }
    let whole = destination.dropFirst(scheme.count)
    let asKey = CourseLink(key: String(whole))
    guard let hash = whole.lastIndex(of: "#") else { return [asKey] }
    return [asKey, CourseLink(key: String(whole[..<hash]), anchor: String(whole[whole.index(after: hash)...]))]
  }
}
