/// A link to a node of a course, written as a destination that begins with `waymark:`.
///
/// `waymark:KEY` leads to a node of the same course, `waymark://COURSE/KEY` to a node of another course, and
/// `waymark://COURSE` to another course itself.
package struct CourseLink: Hashable, Sendable {
  /// The key of another course, or `nil` for the same course.
  package let course: String?
  /// The key of a node in the course. Empty if the link leads to another course itself.
  package let key: String
  /// The anchor of a heading in the node's text, or `nil` if the link leads to the node itself.
  package let anchor: String?

  package init(course: String? = nil, key: String, anchor: String? = nil) {
    self.course = course
    self.key = key
    self.anchor = anchor
  }

  /// The beginning of destinations that lead to nodes.
  package static let scheme = "waymark:"
  private static let otherCoursePrefix = "//"
  /// The maximum number of slashes that are tried as the end of a course's key.
  private static let maximumSlashes = 8

  /// The link as a text, which is the destination of an ``Inline/link(destination:text:)``. Law:
  /// `CourseLink.interpretations(of: link.destination).contains(link)`.
  package var destination: String {
    let node = key + (anchor.map { "#" + $0 } ?? "")
    guard let course else { return Self.scheme + node }
    return Self.scheme + Self.otherCoursePrefix + course + (node.isEmpty ? "" : "/" + node)
  }

  /// Returns the possible meanings of a destination, in the order in which to try them.
  ///
  /// Keys may contain `#` (sections of a page) and keys of courses may contain `/`. The destination is therefore
  /// ambiguous: the whole text is tried as a key before the part before the last `#`, and shorter keys of courses
  /// before longer ones.
  ///
  /// - Returns: The meanings, or an empty array if the destination does not begin with ``scheme``.
  package static func interpretations(of destination: String) -> [CourseLink] {
    guard destination.hasPrefix(scheme) else { return [] }
    let target = destination.dropFirst(scheme.count)
    guard target.hasPrefix(otherCoursePrefix) else { return interpretations(ofNode: target, in: nil) }
    let name = target.dropFirst(otherCoursePrefix.count)
    let slashes = name.indices.filter { name[$0] == "/" }.prefix(maximumSlashes)
    return [CourseLink(course: String(name), key: "")]
      + slashes.flatMap { slash in
        interpretations(ofNode: name[name.index(after: slash)...], in: String(name[..<slash]))
      }
  }

  private static func interpretations(ofNode node: Substring, in course: String?) -> [CourseLink] {
    let asKey = CourseLink(course: course, key: String(node))
    guard let hash = node.lastIndex(of: "#") else { return [asKey] }
    return [
      asKey,
      CourseLink(course: course, key: String(node[..<hash]), anchor: String(node[node.index(after: hash)...])),
    ]
  }

  /// Returns whether a destination leads to another course.
  package static func leadsToOtherCourse(_ destination: String) -> Bool {
    destination.hasPrefix(scheme + otherCoursePrefix)
  }
}
