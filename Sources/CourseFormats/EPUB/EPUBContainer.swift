import LearningModel

/// Functions that read a book's container: the location of the package, and whether the book is encrypted.
enum EPUBContainer {
  private static let file = "META-INF/container.xml"

  /// Returns the folder that contains a container file: the source itself, or the only one of its folders that contains
  /// it. Returns `nil` if there is no such folder.
  static func top(of source: CourseSource) -> String? {
    if source.hasFile(file) { return "" }
    let folders = ((try? source.entries()) ?? []).filter { $0.isFolder && source.hasFile($0.path + "/" + file) }
    return folders.count == 1 ? folders[0].path : nil
  }

  /// Returns the size of all pages in a folder in bytes.
  static func textSize(in folder: String, of source: CourseSource) -> Int {
    ((try? source.entries(in: folder)) ?? []).reduce(0) { size, entry in
      if entry.isFolder { return size + textSize(in: entry.path, of: source) }
      return size + (PageKind.html.isPage(entry.path) ? source.size(of: entry.path) : 0)
    }
  }

  /// Returns whether the source declares itself as EPUB, by its name or its `mimetype` file.
  ///
  /// Source: W3C, "EPUB 3.3", 4.3.3, the `mimetype` file.
  static func isTyped(_ source: CourseSource) -> Bool {
    if SourcePath.hasExtension("epub", source.name) { return true }
    guard source.hasFile("mimetype"), let bytes = try? source.bytes(of: "mimetype") else { return false }
    return String(decoding: bytes, as: UTF8.self).onOneLine == "application/epub+zip"
  }

  /// Returns the path of the package. If there are several packages, returns the first.
  ///
  /// - Throws: ``CourseFormatError`` if the container does not name a package.
  static func package(in files: inout EPUBFiles) throws -> String {
    let depth = files.source.limits.nestingDepth
    let paths = try files.withRoot(of: file) { root in
      root.descendants(named: "rootfile", depth: depth).filter {
        let type = $0.attribute("media-type")?.onOneLine
        return type == nil || type == "application/oebps-package+xml"
      }.compactMap { EPUBAddress.path($0.attribute("full-path") ?? "", in: "") }
    }
    guard let first = paths.first, !first.isEmpty else {
      throw CourseFormatError.malformed(
        file: file, line: nil, problem: "it does not name a package document", advice: "Get the book again.")
    }
    return first
  }

  /// Throws an error if a required file of the book is encrypted. Obfuscated fonts are allowed, because fonts are not
  /// read.
  ///
  /// - Parameters:
  ///   - files: The files of the book.
  ///   - isRead: Returns whether the file with the given path is needed.
  /// - Throws: ``CourseFormatError`` with the name of the protection.
  ///
  /// Source: W3C, "EPUB 3.3", 4.2.6.3.2 (`encryption.xml`) and 4.4 (obfuscation).
  static func checkReadable(_ files: inout EPUBFiles, isRead: (String) -> Bool) throws {
    let list = "META-INF/encryption.xml"
    guard files.has(list) else { return }
    let depth = files.source.limits.nestingDepth
    let paths = try files.withRoot(of: list) { root in
      root.descendants(named: "encrypteddata", depth: depth).flatMap { data -> [String] in
        let method = data.descendants(named: "encryptionmethod", depth: depth).first?.attribute("algorithm") ?? ""
        guard !obfuscations.contains(method) else { return [] }
        return data.descendants(named: "cipherreference", depth: depth)
          .compactMap { EPUBAddress("/" + ($0.attribute("uri") ?? ""), in: "")?.path }
      }
    }
    guard let path = paths.first(where: isRead) else { return }
    throw CourseFormatError.malformed(
      file: path, line: nil, problem: "it is encrypted with \(protection(of: files))",
      advice: "Import a copy of the book that is not protected.")
  }

  private static let obfuscations: Set<String> = [
    "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC",
  ]

  private static func protection(of files: EPUBFiles) -> String {
    if files.has("META-INF/license.lcpl") { return "Readium LCP" }
    if files.has("META-INF/sinf.xml") { return "Apple FairPlay" }
    var files = files
    let rights = (try? files.text(of: "META-INF/rights.xml")) ?? ""
    return rights.contains("ns.adobe.com/adept") ? "Adobe ADEPT" : "an unknown protection"
  }
}

extension HTMLNode {
  /// Returns all descendants with the given name down to the given depth, in document order.
  func descendants(named name: String, depth: Int) -> [HTMLNode] {
    guard depth > 0 else { return [] }
    return children.flatMap { ($0.name == name ? [$0] : []) + $0.descendants(named: name, depth: depth - 1) }
  }

  func children(named name: String) -> [HTMLNode] { children.filter { $0.name == name } }
}

/// The files of a book. Each file that is read is added to the digest.
struct EPUBFiles {
  let source: CourseSource
  /// The folder that contains the book, relative to the source.
  let top: String
  private(set) var digest = SourceDigest()

  init(_ source: CourseSource, top: String) {
    self.source = source
    self.top = top
  }

  /// Returns whether the book contains a file with that path.
  func has(_ path: String) -> Bool { !path.isEmpty && source.hasFile(SourcePath.join(top, path)) }

  /// Returns the text of a file.
  ///
  /// - Throws: ``CourseFormatError`` if the file does not exist, is too large, or is not text.
  mutating func text(of path: String) throws -> String {
    do {
      let bytes = try source.bytes(of: SourcePath.join(top, path))
      digest.add(bytes, of: path)
      let text = try TextDecoding.decode(bytes, file: path)
      try HTMLDocument.check(text, file: path, limits: source.limits)
      return text
    } catch CourseFormatError.fileMissing {
      // In errors, a file is named by its path in the book, without ``top``.
      throw CourseFormatError.fileMissing(file: path)
    }
  }

  /// Parses a file that must be well-formed XML, because the book cannot be read without it.
  ///
  /// - Throws: ``CourseFormatError``.
  mutating func withRoot<Result>(of path: String, _ use: (HTMLNode) throws -> Result) throws -> Result {
    let text = try text(of: path)
    do {
      return try XMLTree.withRoot(of: text, strict: false, use)
    } catch let fault as XMLTree.Fault {
      throw CourseFormatError.malformed(
        file: path, line: fault.line, problem: "it is not well-formed XML: \(fault.reason)",
        advice: "Get the book again, or correct the file.")
    }
  }
}

/// The target of a reference in a book: the path of a file in the book, and a fragment of that file.
struct EPUBAddress: Hashable {
  let path: String
  let fragment: String?

  init(path: String, fragment: String?) {
    self.path = path
    self.fragment = fragment
  }

  /// Parses a reference to a file of the book.
  ///
  /// - Parameters:
  ///   - reference: The reference as written, with or without percent encoding.
  ///   - file: The path of the file that contains the reference.
  /// - Returns: `nil` if the reference is not a path in the book, for example if it is a web address.
  init?(_ reference: String, in file: String) {
    switch LinkTarget(reference) {
    case .anchor(let anchor):
      path = file
      fragment = anchor
    case .file(let name, let anchor):
      guard let path = Self.path(name, in: SourcePath.folder(of: file)), !name.isEmpty else { return nil }
      self.path = path
      fragment = anchor
    default: return nil
    }
  }

  /// Returns the path in the book to which a relative path leads. `..` has no effect at the root.
  ///
  /// Source: W3C, "EPUB 3.3", 4.2.5, "the container root URL".
  static func path(_ name: String, in folder: String) -> String? {
    SourcePath.resolve(name, in: folder, staysInside: true)
  }
}
