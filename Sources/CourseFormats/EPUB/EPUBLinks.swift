import LearningModel

/// Knows where the pages and anchors of a book have gone, and so where its links lead.
struct EPUBLinks {
  /// The node of each page and anchor, and the anchor of the heading in its text, where it is one.
  private var places: [String: (node: Int, anchor: String?)] = [:]

  /// Notes that the list of contents is the course.
  mutating func begin(at course: Int, contents: String?) {
    if let contents { places[contents] = (course, nil) }
  }

  /// Notes that pages and anchors are that node. The first node of each is what a link to it means.
  mutating func note(_ names: [String], node: Int) {
    for name in names {
      if places[name] == nil { places[name] = (node, nil) }
      let page = String(name.prefix { $0 != "#" })
      if places[page] == nil { places[page] = (node, nil) }
    }
  }

  /// Notes that anchors are in the text of that node.
  mutating func note(
    _ names: [String], node: Int, inText headings: [String: String], builder: inout DraftBuilder
  ) {
    for name in names where places[name] == nil {
      places[name] = (node, headings[name])
      if let heading = headings[name] { builder.note(anchor: heading, at: node) }
    }
    note(names, node: node)
  }

  /// Finds out where a link leads, whose path begins at the book's top.
  func resolve(_ destination: String, in files: EPUBFiles, _ builder: DraftBuilder) -> LinkResolution {
    switch LinkTarget(destination) {
    case .address(let address): return .link(address)
    case .unsafe, .node: return .lost("unsafe link")
    // A note that stands below no text.
    case .anchor: return .lost("link that leads nowhere")
    case .file(let name, let anchor):
      guard let path = EPUBAddress.path(name, in: "") else { return .lost("link that leads nowhere") }
      guard let page = places[path] else {
        return .lost(files.has(path) ? "linked file" : "link that leads nowhere")
      }
      let whole = CourseLink(key: builder.nodes[page.node].key).destination
      guard let anchor else { return .link(whole) }
      guard let place = places[path + "#" + anchor] else {
        return .inexact(whole, "place that a link names and the page has not")
      }
      let key = builder.nodes[place.node].key
      let isItself = place.anchor.map { key.hasSuffix("#" + $0) } ?? true
      return .link(CourseLink(key: key, anchor: isItself ? nil : place.anchor).destination)
    }
  }
}
