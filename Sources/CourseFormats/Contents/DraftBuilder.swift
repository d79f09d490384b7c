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
