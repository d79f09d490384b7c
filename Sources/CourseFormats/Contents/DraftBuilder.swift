import LearningModel

/// Builds a draft node by node: holds its keys apart, its size below the limit, and its contents out of memory.
struct DraftBuilder {
  private(set) var nodes: [DraftNode] = []
  var findings = Findings()
  /// The files that a picture's name in a file may mean, as paths in the source, most likely first.
  var picturePaths: (_ name: String, _ file: String) -> [String] = Self.picturePaths(_:in:)
  private var spool: ContentSpool
  private(set) var pictures: DraftPictures
  private var withLinks: [Int] = []
  private var indices: [String: Int] = [:]
  /// The file of each node.
  private var files: [String] = []
  /// Hashes of (node, anchor): enough to say that a link leads nowhere.
  private var anchors: Set<Int> = []
  private let limits: SourceLimits
  private let options: ReadOptions
  private let sourceName: String
  private let omissions: SourceOmissions

  init(_ source: CourseSource, options: ReadOptions) throws {
    spool = try ContentSpool()
    pictures = DraftPictures(source)
    limits = source.limits
    sourceName = source.name
    omissions = source.omissions
    self.options = options
  }

  /// Adds a node behind all others.
  ///
  /// - Parameters:
  ///   - node: The node. A key that is taken is an error in the findings.
  ///   - file: The file that it comes from.
  ///   - line: The line in it.
  /// - Returns: Its index.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` where the course has too many nodes.
  mutating func add(_ node: DraftNode, file: String, line: Int? = nil) throws -> Int {
    let index = try append(Self.titled(node), file: file)
    claim(node.key, for: index, file: file, line: line)
    return index
  }

  /// A node that has a title: the name of a file may be a blank.
  private static func titled(_ node: DraftNode) -> DraftNode {
    guard node.title.allSatisfy(\.isWhitespace) else { return node }
    var node = node
    node.title = "Untitled"
    return node
  }

  /// Gives a node its fields where they are known only after its children. Its key is claimed now.
  mutating func complete(_ index: Int, with node: DraftNode, file: String, line: Int?) {
    nodes[index] = Self.titled(node)
    files[index] = file
    claim(node.key, for: index, file: file, line: line)
  }

  /// Adds a node whose fields follow by ``complete(_:with:file:line:)``.
  mutating func reserve(parent: Int?) throws -> Int {
    try append(DraftNode(parent: parent, key: "", kind: .course, title: ""), file: "")
  }

  private mutating func append(_ node: DraftNode, file: String) throws -> Int {
    guard nodes.count < limits.nodes else {
      throw CourseFormatError.limit(.nodes(limits.nodes), file: sourceName, line: nil)
    }
    nodes.append(node)
    files.append(file)
    if nodes.count.isMultiple(of: 64) { try options.progress?(nodes.count) }
    return nodes.count - 1
  }

  /// Says what a reserved node is, as soon as that is known.
  mutating func set(_ kind: ContentKind, at index: Int) {
    nodes[index].kind = kind
  }

  private mutating func claim(_ key: String, for index: Int, file: String, line: Int?) {
    guard let other = indices.updateValue(index, forKey: key) else { return }
    indices[key] = other
    let owner = files[other] == file ? "this file" : "'\(files[other])'"
    findings.error(
      file, line, "The key '\(key)' is already taken by a node of \(owner). Give one of them a 'key' of its own.")
  }

  /// Keeps the content of a node, and the pictures in it.
  mutating func keep(_ content: ActivityContent, at index: Int) throws {
    nodes[index].type = content.type
    let content = try content.mapImages { try keepPicture($0, file: files[index]) }
    if content.hasLinks { withLinks.append(index) }
    try spool.keep(content, at: index)
  }

  /// Keeps the content of a node whose pictures are named by their digests, and stand beside it where they were written.
  mutating func keep(_ content: ActivityContent, picturesIn source: CourseSource, at index: Int) throws {
    nodes[index].type = content.type
    let content = try content.mapImages { image in try keepPicture(image, in: source) }
    if content.hasLinks { withLinks.append(index) }
    try spool.keep(content, at: index)
  }

  /// Notes that a node's text has an anchor.
  mutating func note(anchor: String, at index: Int) {
    anchors.insert(Self.hash(index, anchor))
  }

  /// Notes the anchors of all headings in a content.
  mutating func noteAnchors(of content: ActivityContent, at index: Int) {
    guard case .reading(let blocks) = content else { return }
    for case .heading(_, _, let anchor) in blocks { note(anchor: anchor, at: index) }
  }

  /// Whether a node's text has that anchor.
  func has(anchor: String, at index: Int) -> Bool {
    anchors.contains(Self.hash(index, anchor))
  }

  /// The file that a node comes from.
  func file(of index: Int) -> String { files[index] }

  /// Finds the picture of the first of these files that is there.
  mutating func find(files: [String]) throws -> DraftPictures.Finding {
    try pictures.find(files) { try spool.keep(picture: $0.bytes, digest: $0.digest) }
  }

  /// Reads a picture that stands in the text itself.
  mutating func find(data: String) throws -> DraftPictures.Finding {
    try pictures.find(data: data) { try spool.keep(picture: $0.bytes, digest: $0.digest) }
  }

  /// The index of the node with that key.
  func index(of key: String) -> Int? { indices[key] }

  private static func hash(_ index: Int, _ anchor: String) -> Int {
    var hasher = Hasher()
    hasher.combine(index)
    hasher.combine(anchor)
    return hasher.finalize()
  }

  /// Replaces each link in each text, now that all nodes are known.
  ///
  /// - Parameter replace: Returns what stands in a link's place: the link itself, or plain words.
  mutating func resolveLinks(
    _ replace: (_ builder: inout DraftBuilder, _ index: Int, _ destination: String, _ text: [Inline]) -> Inline
  ) throws {
    for index in withLinks {
      let content = try spool.content(at: index)
      let resolved = content.mapLinks { replace(&self, index, $0, $1) }
      if resolved != content { try spool.keep(resolved, at: index) }
    }
  }

  /// The draft of all that was added.
  mutating func finish(format: String, digest: String, language: String?) throws -> CourseDraft {
    try options.progress?(nodes.count)
    omissions.add(to: &findings)
    var whole = pictures.digest
    if pictures.hasFiles { whole.add(Array(digest.utf8)) }
    return CourseDraft(
      format: format, sourceName: sourceName, sourceDigest: pictures.hasFiles ? whole.hexadecimal() : digest,
      language: language, nodes: nodes,
      contents: try spool.finish(), diagnostics: findings.diagnostics, losses: findings.losses)
  }
}

/// What becomes of a link between the pages of a source.
enum LinkResolution: Equatable {
  /// It leads to this destination; where it has no words of its own, those of `title` are its words.
  case link(String, title: String? = nil)
  /// It leads to this destination, which is less than it named; what it named is said in the singular.
  case inexact(String, String)
  /// It is lost; what it was is said in the singular.
  case lost(String)
}

extension DraftBuilder {
  /// Replaces each link in each text by what it leads to, or by its words, and counts what is lost of it.
  ///
  /// - Parameters:
  ///   - words: The words of a link that is lost and had none but its destination.
  ///   - resolve: Says what becomes of the link of a node.
  mutating func resolveLinks(
    words: (String) -> String = { $0 },
    _ resolve: (_ builder: DraftBuilder, _ index: Int, _ destination: String) -> LinkResolution
  ) throws {
    try resolveLinks { builder, index, destination, text in
      let isBare = text == [.text(destination)]
      switch resolve(builder, index, destination) {
      case .link(let resolved, let title):
        return .link(destination: resolved, text: isBare ? title.map { [.text($0)] } ?? text : text)
      case .inexact(let resolved, let what):
        builder.findings.lose(what, "the page is linked to")
        return .link(destination: resolved, text: text)
      case .lost(let what):
        builder.findings.lose(what, "its words are kept")
        return .text(text.plainText == destination ? words(destination) : text.plainText)
      }
    }
  }

  /// Keeps the picture that an image of a text names, where it is there and is not too large. What parsing has counted as
  /// lost is then not lost.
  ///
  /// - Parameters:
  ///   - image: The image; its source is a path, an address, or the picture itself.
  ///   - file: The file that says it.
  mutating func keepPicture(_ image: Inline, file: String) throws -> Inline {
    guard case .image(let name, let words, _) = image else { return image }
    let source = name.isData ? "" : name
    guard let finding = try find(picture: name, file: file) else { return .image(source: source, alternative: words) }
    switch finding {
    case .kept(let picture):
      findings.regainPicture(words)
      return .image(source: source, alternative: words, picture: picture)
    case .lost(let reason):
      findings.regainPicture(words)
      findings.losePicture(words, because: reason)
      return .image(source: source, alternative: words)
    }
  }

  /// What becomes of a picture; `nil` where a text names none.
  private mutating func find(picture name: String, file: String) throws -> DraftPictures.Finding? {
    if name.isData { return try find(data: name) }
    switch LinkTarget(name) {
    case .file(let path, _): return path.isEmpty ? nil : try find(files: picturePaths(path, file))
    case .address: return .lost("it is on the net")
    case .unsafe, .node, .anchor: return nil
    }
  }

  /// The files that a name may mean: beside the file; where a page's address is a folder, as on many a site, one step
  /// further in; below a folder that a site has at its top.
  ///
  /// Source: what mdBook, MkDocs (`use_directory_urls`), Docusaurus and Hugo (`static`) do.
  static func picturePaths(_ name: String, in file: String) -> [String] {
    let folder = SourcePath.folder(of: file)
    guard name.hasPrefix("/") else {
      let asFolder = SourcePath.join(folder, SourcePath.stem(of: SourcePath.name(of: file)))
      return [folder, asFolder, ""].compactMap { SourcePath.resolve(name, in: $0) }
    }
    let bare = name.drop { $0 == "/" }
    var tops = [folder]
    while let last = tops.last, !last.isEmpty { tops.append(SourcePath.folder(of: last)) }
    return tops.reversed().flatMap { top in
      ["", "static", "public"].compactMap { SourcePath.resolve(bare, in: SourcePath.join(top, $0)) }
    }
  }
}

extension Findings {
  /// Counts a picture that is only told of, as parsing finds it.
  mutating func losePicture(_ words: String) { lose("image", Self.treatment(words)) }

  /// Takes back that a picture is lost.
  mutating func regainPicture(_ words: String) { regain("image", Self.treatment(words)) }

  /// Counts a picture that is only told of, and why.
  mutating func losePicture(_ words: String, because reason: String) {
    lose("image", (Self.isBlank(words) ? "its place is shown, for " : "its description is shown, for ") + reason)
  }

  private static func treatment(_ words: String) -> String {
    isBlank(words) ? "its place is shown, for it has no description" : "its description is shown"
  }

  private static func isBlank(_ words: String) -> Bool { words.allSatisfy(\.isWhitespace) }
}

extension DraftBuilder {
  /// Keeps the picture of an image that says its digest: one that has been read, or a file of that name in the folder of
  /// pictures.
  mutating func keepPicture(_ image: Inline, in source: CourseSource) throws -> Inline {
    guard case .image(let name, let words, let picture?) = image else { return image }
    if let kept = pictures.kept[picture.digest] { return .image(source: name, alternative: words, picture: kept) }
    let files = WaymarkArchive.extensions.map { WaymarkArchive.folder + "/" + picture.digest + "." + $0 }
    let finding: DraftPictures.Finding = try source.isFolder ? find(files: files) : .lost("its file is not there")
    switch finding {
    case .kept(let found) where found.digest == picture.digest:
      return .image(source: name, alternative: words, picture: found)
    case .kept: findings.losePicture(words, because: "its file is another one")
    case .lost(let reason): findings.losePicture(words, because: reason)
    }
    return .image(source: name, alternative: words)
  }
}
