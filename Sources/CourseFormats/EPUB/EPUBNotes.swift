/// The notes of the page that the pages before referred to: most books have all of them on one.
struct EPUBNotes {
  private var path = ""
  private var texts = Footnotes()

  /// The notes on a page, called by its path and their anchors; none where it cannot be read.
  ///
  /// The page is in the book's order too, and there it is said what is wrong with it.
  mutating func texts(on path: String, of package: EPUBPackage, in files: inout EPUBFiles) -> Footnotes {
    guard path != self.path else { return texts }
    self.path = path
    texts = Footnotes()
    guard package.page(at: path) == path, let text = try? files.text(of: path) else { return texts }
    let limits = files.source.limits
    texts =
      (try? XMLTree.withRoot(of: text) { root in
        let nodes = root.children.first { $0.name == "body" }?.children ?? []
        let page = PublicationPage(
          path: path, notes: PublicationPage.allNotes(in: nodes, depth: limits.nestingDepth), waysBack: [],
          destination: { EPUBPage.absolute($0, in: path) }, picture: { _ in "" })
        return try HTMLText.parse(nodes, file: path, limits: limits, dialect: TextDialect(publication: page)).footnotes
      }) ?? texts
    return texts
  }
}
