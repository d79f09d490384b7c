/// A link to a node of a course: what a destination that begins with `waymark:` means.
///
/// `waymark:KEY` is a node of the same course, `waymark://COURSE/KEY` one of another, `waymark://COURSE` that course itself.
package struct CourseLink: Hashable, Sendable {
  /// The key of another course; `nil` where the same one is meant.
  package let course: String?
  /// The key of a node in the course; empty where another course itself is meant.
  package let key: String
  /// The anchor of a heading in that node's text; `nil` where the node itself is meant.
  package let anchor: String?

  /// Makes a link.
  package init(course: String? = nil, key: String, anchor: String? = nil) {
    self.course = course
    self.key = key
    self.anchor = anchor
  }

  /// What a destination begins with where it means a node of a course.
  package static let scheme = "waymark:"
  private static let otherCourse = "//"
  /// Slashes at which the key of a course may end.
  private static let mostSlashes = 8

  /// The destination as a text has it. Law: `CourseLink.readings(of: link.destination).contains(link)`.
  package var destination: String {
    let node = key + (anchor.map { "#" + $0 } ?? "")
    guard let course else { return Self.scheme + node }
    return Self.scheme + Self.otherCourse + course + (node.isEmpty ? "" : "/" + node)
  }

  /// The meanings that a destination may have, in the order in which to try them.
  ///
  /// A key may itself have a `#` in it, as those of sections have. So the whole is tried as a key first, then what
  /// stands before its last `#`. The key of a course may have a `/` in it: the shortest is tried first.
  ///
  /// - Returns: Nothing where the destination leads to no node.
  package static func readings(of destination: String) -> [CourseLink] {
    guard destination.hasPrefix(scheme) else { return [] }
    let whole = destination.dropFirst(scheme.count)
    guard whole.hasPrefix(otherCourse) else { return readings(ofNode: whole, in: nil) }
    let name = whole.dropFirst(otherCourse.count)
    let slashes = name.indices.filter { name[$0] == "/" }.prefix(mostSlashes)
    return [CourseLink(course: String(name), key: "")]
      + slashes.flatMap { slash in
        readings(ofNode: name[name.index(after: slash)...], in: String(name[..<slash]))
      }
  }

  private static func readings(ofNode node: Substring, in course: String?) -> [CourseLink] {
    let asKey = CourseLink(course: course, key: String(node))
    guard let hash = node.lastIndex(of: "#") else { return [asKey] }
    return [
      asKey,
      CourseLink(course: course, key: String(node[..<hash]), anchor: String(node[node.index(after: hash)...])),
    ]
  }

  /// Whether a destination leads to another course.
  package static func leadsToOtherCourse(_ destination: String) -> Bool {
    destination.hasPrefix(scheme + otherCourse)
  }
}
