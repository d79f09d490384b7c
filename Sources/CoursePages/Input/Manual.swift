/// The manual of the program. The program that opens the browser provides the implementation.
package struct Manual {
  /// A page: its name on the command line, and its title.
  package struct Page: Hashable, Sendable {
    package let name: String
    package let title: String

    package init(name: String, title: String) { (self.name, self.title) = (name, title) }
  }

  /// The pages in the order of the manual.
  package let pages: [Page]
  /// Shows a page by its name, or the first page if the name is empty. Returns whether that succeeded.
  package let open: (_ name: String) -> Bool

  package init(pages: [Page], open: @escaping (_ name: String) -> Bool) {
    (self.pages, self.open) = (pages, open)
  }
}
