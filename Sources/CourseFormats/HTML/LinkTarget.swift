import Foundation
import LearningModel

/// The target of a link, determined only from its text.
enum LinkTarget: Equatable {
  /// An external address that may be opened.
  case address(String)
  /// A node by its key, in a link with Waymark's scheme.
  case node(String)
  /// An anchor in the same text as the link.
  case anchor(String)
  /// A file of the source, and an anchor in it. The name is percent-decoded.
  case file(String, anchor: String?)
  /// A target that must not be opened, such as a script.
  case unsafe

  init(_ destination: String) {
    if destination.hasPrefix("#") {
      self = .anchor(Self.decoded(destination.dropFirst()))
    } else if destination.hasPrefix("//") {
      self = .address("https:" + destination)
    } else if destination.hasPrefix(CourseLink.scheme) {
      self = .node(Self.decoded(destination[...]))
    } else if let colon = destination.firstIndex(of: ":"), Self.isScheme(destination[..<colon]) {
      let isSafe = Self.safe.contains(destination[..<colon].lowercased())
      self = isSafe ? .address(destination) : .unsafe
    } else {
      let hash = destination.firstIndex(of: "#")
      let path = destination[..<(hash ?? destination.endIndex)].prefix { $0 != "?" }
      let anchor = hash.map { Self.decoded(destination[destination.index(after: $0)...]) }
      self = .file(Self.decoded(path), anchor: anchor == "" ? nil : anchor)
    }
  }

  private static let safe: Set<String> = ["http", "https", "mailto", "tel", "ftp", "ftps"]

  // Source: RFC 3986, 3.1.
  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first | 0x20) else { return false }
    return text.utf8.allSatisfy {
      (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
    }
  }

  private static func decoded(_ text: some StringProtocol) -> String {
    text.removingPercentEncoding ?? String(text)
  }
}

/// The nodes of the pages and anchors of a source, for resolving links between pages.
struct LinkTargets {
  private var pages: [String: Int] = [:]
  private var files: [Int: String] = [:]
  /// The node of each anchor, by page and anchor.
  private var anchors: [String: Int] = [:]

  /// Adds a page or a folder. If it is added several times, links to it lead to the node that was added first.
  ///
  /// - Returns: `true` if the page is new.
  @discardableResult mutating func add(page: String, node: Int) -> Bool {
    guard pages[page] == nil else { return false }
    pages[page] = node
    return true
  }

  /// Adds the anchors of a section of a page. If an anchor is added several times, links to it lead to the node that
  /// was added first.
  mutating func add(anchors names: [String], of page: String, node: Int) {
    files[node] = page
    for name in names where anchors[page + "#" + name] == nil { anchors[page + "#" + name] = node }
  }

  /// Makes links to the pages and anchors of a removed node lead to another node.
  mutating func move(from removed: Int, to node: Int) {
    for (page, owner) in pages where owner == removed { pages[page] = node }
    guard files.removeValue(forKey: removed) != nil else { return }
    for (anchor, owner) in anchors where owner == removed { anchors[anchor] = node }
  }

  /// Returns the page of which a node is a section; empty for other nodes.
  func page(of node: Int) -> String { files[node] ?? "" }

  /// The paths of all pages and folders.
  var paths: some Collection<String> { pages.keys }

  func has(page: String) -> Bool { pages[page] != nil }

  func has(anchor: String, on page: String) -> Bool { anchors[page + "#" + anchor] != nil }

  /// Resolves a link to a page, or to the first of several anchors that the page contains.
  ///
  /// - Parameters:
  ///   - spellings: The possible spellings of the anchor. Empty if the link leads to the page as a whole.
  ///   - title: The title of a link to the whole page.
  func resolve(page: String, anchors spellings: [String], title: String? = nil, _ builder: DraftBuilder)
    -> LinkResolution
  {
    guard let first = pages[page] else { return .unresolved("broken link") }
    let whole = CourseLink(key: builder.nodes[first].key).destination
    guard !spellings.isEmpty else { return .link(whole, title: title) }
    guard let anchor = spellings.first(where: { has(anchor: $0, on: page) }), let node = anchors[page + "#" + anchor]
    else { return .inexact(whole, "link to a missing heading") }
    let key = builder.nodes[node].key
    let isInside = builder.has(anchor: anchor, at: node) && !key.hasSuffix("#" + anchor)
    return .link(CourseLink(key: key, anchor: isInside ? anchor : nil).destination)
  }
}

/// The schemes of links whose destinations are not known yet.
enum LinkScheme {
  /// Links to a label.
  static let label = "waymark-label:"
  /// Links that contain only the name of a page.
  static let page = "waymark-page:"
}
