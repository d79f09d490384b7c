import CourseFormats
import Foundation
import LearningModel

/// A book in EPUB made of a few pages, in a folder that goes when the test ends.
struct SmallBook {
  /// The files of the book.
  var files: [String: Data]

  /// Makes a book.
  ///
  /// - Parameters:
  ///   - pages: What stands in the body of each page, in the order of the book.
  ///   - contents: The list of its `nav`; `nil` for a book without one.
  ///   - manifest: More items of the manifest.
  ///   - spine: The order of its items by their `id`, where it is another one; each page's is its name.
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

  /// A whole page around what stands in its body.
  static func page(_ body: String) -> String {
    "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/ops'><head><title>T</title></head>"
      + "<body>\(body)</body></html>"
  }

  /// The text of a file beside the package.
  subscript(name: String) -> String {
    get { String(decoding: files["O/" + name] ?? Data(), as: UTF8.self) }
    set { files["O/" + name] = Data(newValue.utf8) }
  }

  /// Reads the book from a folder.
  func read(limits: SourceLimits = .standard) throws -> CourseDraft {
    let folder = try TestFolder(name: "book")
    for (path, bytes) in files { try folder.write(bytes, to: path) }
    return try folder.read(limits: limits)
  }
}

extension CourseDraft {
  /// What was lost, as lines.
  var lost: [String] { losses.map { "\($0.count) \($0.what): \($0.treatment)" } }

  /// What there is to say, as lines.
  var said: [String] {
    diagnostics.map { "\($0.severity) \($0.file)\($0.line.map { ":\($0)" } ?? ""): \($0.message)" }
  }
}
