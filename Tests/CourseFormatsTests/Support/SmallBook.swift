import CourseFormats
import Foundation
import LearningModel

/// A small EPUB book, which is written to a temporary folder for reading.
struct SmallBook {
  /// The files of the book, by path.
  var files: [String: Data]

  /// Makes a book.
  ///
  /// - Parameters:
  ///   - pages: The body of each page by file name, in reading order.
  ///   - contents: The items of the `nav` list; `nil` for a book without a table of contents.
  ///   - manifest: Additional items of the manifest.
  ///   - spine: The reading order, if it differs from `pages`. The `id` of each page is its file name.
  init(
    _ pages: KeyValuePairs<String, String>, contents: String? = nil, manifest: String = "", spine: String? = nil
  ) {
    files = [:]
    var items = manifest
    for (name, body) in pages {
      let type = name.hasSuffix(".svg") ? "image/svg+xml" : "application/xhtml+xml"
      items += "<item id='\(name)' href='\(name)' media-type='\(type)'/>"
      self[name] = Self.page(body)
    }
    if let contents {
      items += "<item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>"
      self["nav.xhtml"] = Self.page("<nav epub:type='toc'><ol>\(contents)</ol></nav>")
    }
    let order = spine ?? pages.map { "<itemref idref='\($0.key)'/>" }.joined()
    self["book.opf"] = """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">b</dc:identifier>
      <dc:title>Book</dc:title></metadata><manifest>\(items)</manifest><spine>\(order)</spine></package>
      """
    files["META-INF/container.xml"] = Data(
      """
      <container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
      <rootfile full-path="O/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
      """.utf8)
    files["mimetype"] = Data("application/epub+zip".utf8)
  }

  /// Returns a complete page with that body.
  static func page(_ body: String) -> String {
    "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/ops'><head><title>T</title></head>"
      + "<body>\(body)</body></html>"
  }

  /// The text of a file in the folder of the package.
  subscript(name: String) -> String {
    get { String(decoding: files["O/" + name] ?? Data(), as: UTF8.self) }
    set { files["O/" + name] = Data(newValue.utf8) }
  }

  func read(limits: SourceLimits = .standard) throws -> CourseDraft {
    let folder = try TestFolder(name: "book")
    for (path, bytes) in files { try folder.write(bytes, to: path) }
    return try folder.read(limits: limits)
  }
}

extension CourseDraft {
  /// The losses as lines.
  var lost: [String] { losses.map { "\($0.count) \($0.what): \($0.treatment)" } }

  /// The diagnostics as lines.
  var said: [String] {
    diagnostics.map { "\($0.severity) \($0.file)\($0.line.map { ":\($0)" } ?? ""): \($0.message)" }
  }
}
