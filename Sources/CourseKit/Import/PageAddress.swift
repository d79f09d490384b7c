import LearningModel

/// The address of a page in a form in which the spellings of one address are equal: without the extension, the anchor
/// and the name of an index page, in lower case, and with `-` instead of blanks.
struct PageAddress {
  private(set) var components: [String]

  /// Parses an address, a path or a key. Returns `nil` for an address without a path.
  init?(_ address: String) {
    var text = address.prefix { $0 != "#" && $0 != "?" }
    if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...].drop { $0 != "/" } }
    components = text.split(separator: "/").filter { $0 != "." && $0 != ".." }.map { component in
      component.lowercased().split { " _-".contains($0) }.joined(separator: "-")
    }
    guard var last = components.popLast() else { return nil }
    if let dot = last.lastIndex(of: "."), Self.extensions.contains(String(last[last.index(after: dot)...])) {
      last = String(last[..<dot])
    }
    if components.isEmpty || !["index", "readme"].contains(last) { components.append(last) }
  }

  /// Parses the key of a page or folder. Returns `nil` for the key of a section of a page.
  init?(key: String) {
    guard !key.contains("#") else { return nil }
    self.init(key.hasSuffix("!") ? String(key.dropLast()) : key)
  }

  private static let extensions: Set<String> = [
    "md", "mdx", "markdown", "html", "htm", "xhtml", "ipynb", "rst", "adoc", "asciidoc", "txt", "qmd", "rmd", "tex",
    "org",
  ]

  var path: String { components.joined(separator: "/") }

  var folder: String { components.dropLast().joined(separator: "/") }

  /// The last component without the number at its beginning, such as `flour` of `ch02-00-flour`. `nil` if nothing
  /// remains.
  var name: String? {
    let words = components[components.count - 1].split { "-.".contains($0) }
    var rest = words[...]
    while let word = rest.first {
      let letters = word.prefix { $0.isLetter }
      let digits = word.dropFirst(letters.count)
      guard letters.isEmpty || Self.counters.contains(String(letters)), digits.allSatisfy(\.isNumber),
        !digits.isEmpty || rest.dropFirst().first?.allSatisfy(\.isNumber) == true
      else { break }
      rest.removeFirst()
    }
    // The names of two reports differ in the date.
    let isDated = words.prefix(2).allSatisfy { $0.allSatisfy(\.isNumber) } && words.first?.count == 4
    return isDated || rest.isEmpty ? nil : rest.joined(separator: "-")
  }

  /// The words before the numbers of chapters.
  private static let counters: Set<String> = [
    "appendix", "ch", "chap", "chapter", "day", "ep", "episode", "lecture", "lesson", "module", "part", "sec",
    "section",
    "step", "unit", "week",
  ]
}

/// Finds pages by their addresses.
struct PageIndex<Page> {
  private var wholes: [String: Page] = [:]
  /// The pages whose addresses end with an address. `nil` if there are several.
  private var ends: [String: Page?] = [:]

  init(_ pages: [(key: String, page: Page)]) {
    for (key, page) in pages {
      guard let components = PageAddress(key: key)?.components else { continue }
      wholes[components.joined(separator: "/")] = page
      for start in components.indices {
        let end = components[start...].joined(separator: "/")
        ends[end] = ends[end] == nil ? page : .some(nil)
      }
    }
  }

  /// Returns the page with an address. The address of the page and that of the web site may be missing or differ: one
  /// of the addresses ends with the other.
  subscript(address: String) -> Page? {
    guard let components = PageAddress(address)?.components else { return nil }
    if let page = wholes[components.joined(separator: "/")] { return page }
    if let page = ends[components.joined(separator: "/")] { return page }
    return components.indices.dropFirst().lazy.compactMap { wholes[components[$0...].joined(separator: "/")] }.first
  }
}
