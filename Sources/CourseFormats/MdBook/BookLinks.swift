import LearningModel

/// Knows where the pages and anchors of a book have gone, and so where its links lead.
struct BookLinks {
  /// The folder of the pages, below the book.
  var folder = "src"
  /// The node of each page.
  private var pages: [String: Int] = [:]
  /// The page of each node.
  private var files: [Int: String] = [:]
  /// The node of each anchor, by page and anchor.
  private var anchors: [String: Int] = [:]

  /// A page's key: its path below the folder of the pages.
  func key(of path: String) -> String {
    guard !folder.isEmpty else { return path }
    return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : "../" + path
  }

  /// Notes that these anchors of a page are in that node. The first node of a page is what a link to the page means.
  mutating func note(page: String, anchors names: [String], node: Int) {
    if pages[page] == nil { pages[page] = node }
    files[node] = page
    for name in names where anchors[page + "#" + name] == nil { anchors[page + "#" + name] = node }
  }

  /// Finds out where a link of a node leads.
  func resolve(_ destination: String, from node: Int, in source: CourseSource, _ builder: DraftBuilder)
    -> LinkResolution
  {
    let page = files[node] ?? ""
    switch LinkTarget(destination) {
    case .address(let address): return .link(address)
    case .unsafe, .node: return .lost("unsafe link")
    case .anchor(let anchor): return leads(to: page, anchor: anchor, builder)
    case .file(let name, let anchor):
      guard let path = SourcePath.resolve(name, in: SourcePath.folder(of: page)) else {
        return .lost("link out of the book")
      }
      if let target = candidates(path).first(where: { pages[$0] != nil }) {
        return leads(to: target, anchor: anchor, builder)
      }
      // The site of a book is the folder of its pages; what lies beside that is another site.
      guard folder.isEmpty || path.hasPrefix(folder + "/") else { return .lost("link out of the book") }
      return .lost(source.hasFile(path) ? "linked file" : "link that leads nowhere")
    }
  }

  private func leads(to page: String, anchor: String?, _ builder: DraftBuilder) -> LinkResolution {
    guard let first = pages[page] else { return .lost("link that leads nowhere") }
    let whole = CourseLink(key: builder.nodes[first].key).destination
    guard let anchor else { return .link(whole) }
    guard let target = anchors[page + "#" + anchor] else {
      return .inexact(whole, "heading that a link names and the page has not")
    }
    let key = builder.nodes[target].key
    let isInside = builder.has(anchor: anchor, at: target) && !key.hasSuffix("#" + anchor)
    return .link(CourseLink(key: key, anchor: isInside ? anchor : nil).destination)
  }

  /// The pages that a path may mean: links name what a book becomes on the web, `page.html` and `folder/index.html`.
  private func candidates(_ path: String) -> [String] {
    let stem = SourcePath.hasExtension("html", path) ? SourcePath.stem(of: path) : path
    let folder = SourcePath.name(of: stem) == "index" ? SourcePath.folder(of: stem) : stem
    return [path, stem + ".md", SourcePath.join(folder, "README.md"), SourcePath.join(folder, "index.md")]
  }
}
