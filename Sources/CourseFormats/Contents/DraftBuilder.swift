import LearningModel

/// Builds a draft node by node. Reports duplicate keys, enforces the maximum number of nodes, and keeps contents out
/// of memory.
struct DraftBuilder {
  private(set) var nodes: [DraftNode] = []
  var findings = Findings()
  /// The former addresses of pages that the source declares.
  var formerAddresses: [FormerAddress] = []
  /// Returns the paths to which the name of an image in a file may refer, relative to the source, most likely first.
  var imagePaths: (_ name: String, _ file: String) -> [String] = Self.imagePaths(_:in:)
  /// Returns the path of the image with a name that is not an address: it may contain `#`, `?` and `%`.
  var imagePath: (_ name: String) -> String? = { _ in nil }
  private var spool: ContentSpool
  private(set) var images: DraftImages
  private var withLinks: [Int] = []
  /// Contents with links that are not resolved yet, by the index of their node. They are stored only once, after their
  /// links are resolved.
  private var unresolved: [Int: ActivityContent] = [:]
  private var unresolvedSize = 0
  /// The number of bytes of text that ``unresolved`` may contain. Further contents are stored immediately, and read
  /// again when their links are resolved.
  private static let maximumUnresolvedSize = 2 << 20
  private var indices: [String: Int] = [:]
  /// The file of each node, by index.
  private var files: [String] = []
  /// Hashes of pairs of a node index and an anchor. If two pairs have the same hash, a link to a missing anchor may not
  /// be reported.
  private var anchors: Set<Int> = []
  private let limits: SourceLimits
  private let options: ReadOptions
  private let sourceName: String
  private let stem: String
  private let omissions: SourceOmissions
  private var hasDerivedKey = false
  /// The keys that exercises name in `after`, with the indices of the exercises.
  private var recommended: [(index: Int, key: String)] = []
  /// The digests of the files of all exercises, and their total size in bytes.
  private var exerciseFiles: (digests: Set<String>, size: Int) = ([], 0)

  init(_ source: CourseSource, options: ReadOptions) throws {
    spool = try ContentSpool()
    images = DraftImages(source)
    limits = source.limits
    sourceName = source.name
    stem = source.stem
    omissions = source.omissions
    self.options = options
  }

  /// Returns the key of the course: that of the options, otherwise `written`, otherwise one made from the source's name.
  ///
  /// A course that was imported from the source before keeps its key if the key was made from the name, or if it is the
  /// written key or a numbered form of it, such as `readme-2`.
  ///
  /// - Parameters:
  ///   - written: The key in the source, or `nil` if the source contains none.
  ///   - fallback: The key if the name of the source has no letters and digits.
  mutating func courseKey(written: String? = nil, fallback: String = "") -> String {
    if let key = options.key { return key }
    let key = written ?? Slug.make(from: stem, fallback: fallback)
    if options.formerKeys.contains(key) { return key }
    let former = options.formerKeys.first {
      written == nil || $0.hasPrefix(key + "-") && Int($0.dropFirst(key.count + 1)) != nil
    }
    hasDerivedKey = written == nil && former == nil
    return former ?? key
  }

  /// Appends a node.
  ///
  /// - Parameters:
  ///   - node: The node. If its key is already used, an error is added to the findings.
  ///   - file: The file that contains the node.
  ///   - line: The line in the file.
  /// - Returns: The index of the node.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the course has too many nodes.
  mutating func add(_ node: DraftNode, file: String, line: Int? = nil) throws -> Int {
    let index = try append(Self.titled(node), file: file)
    claim(node.key, for: index, file: file, line: line)
    return index
  }

  /// Returns the node. If its title is blank, as the name of a file can be, the title becomes "Untitled".
  private static func titled(_ node: DraftNode) -> DraftNode {
    guard node.title.allSatisfy(\.isWhitespace) else { return node }
    var node = node
    node.title = "Untitled"
    return node
  }

  /// Sets the fields of a node that ``reserve(parent:)`` added, and registers its key.
  mutating func complete(_ index: Int, with node: DraftNode, file: String, line: Int?) {
    nodes[index] = Self.titled(node)
    files[index] = file
    claim(node.key, for: index, file: file, line: line)
  }

  /// Adds a node whose fields are set by ``complete(_:with:file:line:)`` after its children have been added.
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

  /// Removes a node if it is the last one and therefore has no children.
  ///
  /// - Returns: The parent of the removed node. If the node has children or is the course, `nil`.
  mutating func removeLast(ifEmpty index: Int) -> Int? {
    guard index == nodes.count - 1, let parent = nodes[index].parent else { return nil }
    if indices[nodes[index].key] == index { indices[nodes[index].key] = nil }
    nodes.removeLast()
    files.removeLast()
    return parent
  }

  /// Sets the kind of a reserved node.
  mutating func set(_ kind: ContentKind, at index: Int) {
    nodes[index].kind = kind
  }

  private mutating func claim(_ key: String, for index: Int, file: String, line: Int?) {
    guard let other = indices.updateValue(index, forKey: key) else { return }
    indices[key] = other
    let owner = files[other] == file ? "this file" : "\(quoted: files[other])"
    findings.error(
      file, line, "The key \(quoted: key) is already used by a node of \(owner). Give one of them another 'key'.")
  }

  /// Stores the content of a node and its images.
  mutating func store(_ content: ActivityContent, at index: Int) throws {
    let file = files[index]
    try store(content, at: index) { builder, image in try builder.storeImage(image, file: file) }
  }

  /// Stores the content of a node. Its images are identified by digests, as ``storeImage(_:in:)`` requires.
  mutating func store(_ content: ActivityContent, imagesIn source: CourseSource, at index: Int) throws {
    if case .exercise(let exercise) = content {
      for file in exercise.files where images.sizes[file.digest] == nil {
        _ = try find(storedFile: file.digest, isSound: true, in: source)
      }
    }
    try store(content, at: index) { builder, image in try builder.storeImage(image, in: source) }
  }

  private mutating func store(
    _ content: ActivityContent, at index: Int, image: (inout DraftBuilder, Inline) throws -> Inline
  ) throws {
    nodes[index].type = content.type
    if case .exercise(let exercise) = content { check(exercise, at: index) }
    let extent = ContentExtent(of: content)
    let content = extent.hasImages ? try content.mapImages { try image(&self, $0) } : content
    guard extent.hasLinks else { return try spool.store(content, at: index) }
    withLinks.append(index)
    guard unresolvedSize + extent.size <= Self.maximumUnresolvedSize else {
      return try spool.store(content, at: index)
    }
    unresolved[index] = content
    unresolvedSize += extent.size
  }

  /// Adds an error for the first rule for exercises that an exercise breaks. Its files are stored already.
  private mutating func check(_ exercise: Exercise, at index: Int) {
    func error(_ problem: String, _ advice: String) {
      findings.error(files[index], nil, "The exercise cannot be imported: \(problem). \(advice)")
    }
    if let fault = exercise.fault { return error(fault, "Correct it.") }
    if exercise.files.count > limits.exerciseFiles {
      return error("it has \(exercise.files.count) files, and not up to \(limits.exerciseFiles)", "Remove files.")
    }
    recommended += exercise.after.map { (index, $0) }
    var size = 0
    for file in exercise.files where file.digest != ExerciseFile.emptyDigest {
      let name = "the file \(quoted: file.path)"
      guard let bytes = images.sizes[file.digest] else {
        return error("\(name) is missing", "Export the course again.")
      }
      size += bytes
      if exerciseFiles.digests.insert(file.digest).inserted { exerciseFiles.size += bytes }
      let rules = [
        (name, bytes, limits.exerciseFileSize), ("with \(name), it", size, limits.exerciseSize),
        ("with \(name), the course", exerciseFiles.size, limits.totalExerciseSize),
      ]
      for (subject, bytes, limit) in rules where bytes > limit {
        let verb = subject == name ? "is larger than" : "has files of more than"
        return error("\(subject) \(verb) \(ExceededLimit.size(limit))", "Remove or shorten files.")
      }
    }
  }

  /// Reads and stores a file of an exercise.
  ///
  /// - Parameters:
  ///   - file: The path in the source.
  ///   - path: The path in the folder of the exercise.
  ///   - isExecutable: Whether the file is a program although its permissions do not say so.
  /// - Returns: The file, or `nil` if it cannot be read. An error that names the file was then added to the findings.
  mutating func exerciseFile(
    _ file: String, as path: String, _ role: ExerciseFile.Role, isExecutable: Bool = false, in source: CourseSource
  ) throws -> ExerciseFile? {
    if let fault = ExerciseFile.fault(ofPath: path) {
      findings.error(file, nil, "The file \(fault). Rename it.")
      return nil
    }
    do {
      let (bytes, isProgram) = try source.regularFile(file, upTo: limits.exerciseFileSize)
      return try exerciseFile(bytes, of: file, as: path, role, isExecutable: isExecutable || isProgram)
    } catch let error as CourseFormatError where error.kind != .inputOutput {
      findings.error(error)
      return nil
    }
  }

  /// Stores a file of an exercise with other bytes than a file of the source.
  ///
  /// - Parameters:
  ///   - file: The path of the file in the source from which the bytes were made.
  ///   - path: The path in the folder of the exercise.
  mutating func exerciseFile(
    _ bytes: [UInt8], of file: String, as path: String, _ role: ExerciseFile.Role, isExecutable: Bool
  ) throws -> ExerciseFile {
    let digest = try images.store(bytes, of: file) { try spool.store(image: $0.bytes, digest: $0.digest) }
    return ExerciseFile(path: path, role: role, digest: digest, isExecutable: isExecutable)
  }

  /// Stores the content of a page's last good edition. Its links and images are resolved already.
  mutating func store(edition content: ActivityContent, at index: Int) throws {
    nodes[index].type = content.type
    try spool.store(content, at: index)
  }

  /// Records that the text of a node has an anchor.
  mutating func recordAnchor(anchor: String, at index: Int) {
    anchors.insert(Self.hash(index, anchor))
  }

  /// Records the anchors of all headings in a content.
  mutating func recordAnchors(of content: ActivityContent, at index: Int) {
    guard case .reading(let blocks) = content else { return }
    for case .heading(_, _, let anchor) in blocks { recordAnchor(anchor: anchor, at: index) }
  }

  /// Returns whether an anchor was recorded for the text of a node.
  func has(anchor: String, at index: Int) -> Bool {
    anchors.contains(Self.hash(index, anchor))
  }

  func file(of index: Int) -> String { files[index] }

  /// Looks up an image or a sound: the first of the given files that exists.
  mutating func find(files: [String], isSound: Bool = false) throws -> DraftImages.Finding {
    try images.resolve(files, isSound: isSound) { try spool.store(image: $0.bytes, digest: $0.digest) }
  }

  /// Reads an image from a `data:` URL in the text.
  ///
  /// - Parameter mayBeSound: Whether a file that is no image is stored as a sound.
  mutating func find(data: String, mayBeSound: Bool = false) throws -> DraftImages.Finding {
    try images.resolve(data: data, mayBeSound: mayBeSound) { try spool.store(image: $0.bytes, digest: $0.digest) }
  }

  /// Returns the index of the node with that key.
  func index(of key: String) -> Int? { indices[key] }

  private static func hash(_ index: Int, _ anchor: String) -> Int {
    var hasher = Hasher()
    hasher.combine(index)
    hasher.combine(anchor)
    return hasher.finalize()
  }

  /// Replaces each link in each text. Must be called after all nodes have been added.
  ///
  /// - Parameter replace: Returns the replacement of a link: the link itself, another link or plain text.
  mutating func resolveLinks(
    _ replace: (_ builder: inout DraftBuilder, _ index: Int, _ destination: String, _ text: [Inline]) -> Inline
  ) throws {
    for index in withLinks {
      if let content = unresolved.removeValue(forKey: index) {
        try spool.store(content.mapLinks { replace(&self, index, $0, $1) }, at: index)
        continue
      }
      let content = try spool.content(at: index)
      let resolved = content.mapLinks { replace(&self, index, $0, $1) }
      if resolved != content { try spool.store(resolved, at: index) }
    }
    withLinks = []
  }

  /// Returns the draft with all added nodes.
  mutating func finish(format: String, digest: String, language: String?) throws -> CourseDraft {
    try options.progress?(nodes.count)
    for (index, content) in unresolved { try spool.store(content, at: index) }
    unresolved = [:]
    for (index, key) in recommended where self.index(of: key) == nil {
      findings.warning(
        files[index], nil,
        "The exercise names \(quoted: key) in 'after', but no node has that key. Correct the key, or remove it.")
    }
    omissions.add(to: &findings, isStrict: options.isStrict)
    var whole = images.digest
    if images.hasFiles { whole.add(Array(digest.utf8)) }
    var draft = CourseDraft(
      format: format, sourceName: sourceName, sourceDigest: images.hasFiles ? whole.hexadecimal() : digest,
      language: language, nodes: nodes,
      contents: try spool.finish(), diagnostics: findings.diagnostics, losses: findings.losses)
    draft.hasDerivedKey = hasDerivedKey
    draft.formerAddresses = formerAddresses
    return draft
  }
}

/// The result of resolving a link between the pages of a source.
enum LinkResolution: Equatable {
  /// The link leads to this destination. If the link's text is only its destination, `title` replaces the text.
  case link(String, title: String? = nil)
  /// The link leads to this destination, which is less specific than the author wrote, for example a page instead of a
  /// heading. The second value describes the missing target in the singular.
  case inexact(String, String)
  /// The target does not exist. The value describes the link in the singular.
  case unresolved(String)
}

extension DraftBuilder {
  /// Replaces each link in each text by the resolved link or, if it is lost, by its text. Lost links are counted in the
  /// findings.
  ///
  /// - Parameters:
  ///   - unresolvedText: Returns the replacement for a lost link whose text is only its destination.
  ///   - resolve: Resolves a link of a node.
  mutating func resolveLinks(
    unresolvedText: (String) -> String = { $0 },
    _ resolve: (_ builder: DraftBuilder, _ index: Int, _ destination: String) -> LinkResolution
  ) throws {
    try resolveLinks { builder, index, destination, text in
      let isDestination = text == [.text(destination)]
      let shown = isDestination ? [.text(unresolvedText(destination))] : text
      // pandoc and Asciidoctor show the anchor in brackets if it is not on the same page.
      let isBare = isDestination || text == [.text("[\(destination.drop { $0 != "#" }.dropFirst())]")]
      switch resolve(builder, index, destination) {
      case .link(let resolved, let title):
        guard let title else { return .link(destination: resolved, text: shown) }
        if isBare { return .link(destination: resolved, text: [.text(title)]) }
        guard destination.hasPrefix(LinkScheme.label), case .text(let words) = text.first, text.count == 1 else {
          return .link(destination: resolved, text: text)
        }
        return .link(destination: resolved, text: [.text(LabelledContent.filled(words, with: title))])
      case .inexact(let resolved, let what):
        builder.findings.countLoss(what, "shown as a link to the page")
        return .link(destination: resolved, text: shown)
      case .unresolved(let what):
        builder.findings.countLoss(what, "shown as text")
        return .text(text.plainText == destination ? unresolvedText(destination) : text.plainText)
      }
    }
  }

  /// Stores the image to which an image element refers, if the file exists and is not too large. Parsing has counted
  /// the image as lost; this count is then reverted.
  ///
  /// - Parameters:
  ///   - image: The image element. Its source is a path, a web address or a `data:` URL.
  ///   - file: The file that contains the element.
  mutating func storeImage(_ image: Inline, file: String) throws -> Inline {
    guard case .image(let name, let words, _) = image else { return image }
    let source = name.isDataURL ? "" : name
    let isSound = image.soundName != nil
    guard let finding = try find(image: name, isSound: isSound, file: file) else {
      return .image(source: source, alternative: words)
    }
    switch finding {
    case .stored(let picture):
      findings.revertLostImage(words)
      return .image(source: source, alternative: words, stored: picture)
    case .omitted(let reason):
      findings.revertLostImage(words)
      var example: String?
      if case .file(let path, _) = LinkTarget(name), !name.isDataURL { example = "\(file): \(path)" }
      findings.countLost(image, because: reason, example: example)
      return .image(source: source, alternative: words)
    }
  }

  /// Looks up the image to which an element refers. Returns `nil` if the element does not refer to an image that could
  /// be stored.
  private mutating func find(image name: String, isSound: Bool, file: String) throws -> DraftImages.Finding? {
    if name.isDataURL { return try find(data: name) }
    if let path = imagePath(name) { return try find(files: [path], isSound: isSound) }
    switch LinkTarget(name) {
    case .file(let path, _): return path.isEmpty ? nil : try find(files: imagePaths(path, file), isSound: isSound)
    case .address: return .omitted("it is on the web")
    case .unsafe, .node, .anchor: return nil
    }
  }

  /// Returns the files to which the name of an image may refer.
  ///
  /// The name may be relative to the folder of the file, or to a folder with the name of the page, because on many
  /// sites the address of a page is a folder. It may also be relative to a folder that a site serves as its root.
  ///
  /// Source: the behaviour of mdBook, MkDocs (`use_directory_urls`), Docusaurus and Hugo (`static`).
  static func imagePaths(_ name: String, in file: String) -> [String] {
    let folder = SourcePath.folder(of: file)
    guard name.hasPrefix("/") else {
      let asFolder = SourcePath.join(folder, SourcePath.stem(of: SourcePath.name(of: file)))
      return [folder, asFolder, ""].flatMap { SourcePath.readings(of: name, in: $0) }
    }
    let bare = name.drop { $0 == "/" }
    var tops = [folder]
    while let last = tops.last, !last.isEmpty { tops.append(SourcePath.folder(of: last)) }
    let whole = tops.reversed().flatMap { top in
      ["", "static", "public"].compactMap { SourcePath.resolve(bare, in: SourcePath.join(top, $0)) }
    }
    // The first components may be the address of the web site, which is not part of the source.
    let components = bare.split(separator: "/")
    guard components.count > 1, components.count <= 16 else { return whole }
    let ends = (1..<components.count).map { components[$0...].joined(separator: "/") }
    return whole
      + ends.flatMap { end in ["", "static", "public"].compactMap { SourcePath.resolve(end, in: $0) } }
  }
}

extension Findings {
  /// Counts an image that is replaced by its description, in the same way as the parser.
  mutating func countLostImage(_ words: String) { countLoss("image", Self.treatment(words)) }

  /// Reverts ``countLostImage(_:)``.
  mutating func revertLostImage(_ words: String) { revertLoss("image", Self.treatment(words)) }

  /// Counts an image that is replaced by its description, or a sound, with the reason.
  ///
  /// - Parameter example: The page and the name of the file, or `nil` if it is no file.
  fileprivate mutating func countLost(_ image: Inline, because reason: String, example: String?) {
    guard case .image(_, let words, _) = image else { return }
    let isSound = image.soundName != nil
    let text = isSound ? "its name" : Self.isBlank(words) ? "a placeholder" : "its description"
    countLoss(
      isSound ? "sound or video" : "image", "shown as \(text) because \(reason)", examples: example.map { [$0] } ?? [])
  }

  private static func treatment(_ words: String) -> String {
    isBlank(words) ? "shown as a placeholder because it has no description" : "shown as its description"
  }

  private static func isBlank(_ words: String) -> Bool { words.allSatisfy(\.isWhitespace) }
}

extension DraftBuilder {
  /// Looks up a file with a digest. The file was read before, or it has the digest as its name in the image folder.
  fileprivate mutating func find(
    storedFile digest: String, isSound: Bool, in source: CourseSource
  ) throws -> DraftImages.Finding {
    if let stored = images.stored[digest] { return .stored(stored) }
    let files = WaymarkArchive.extensions.map { WaymarkArchive.folder + "/" + digest + "." + $0 }
    return try source.isFolder ? find(files: files, isSound: isSound) : .omitted("its file is missing")
  }

  /// Stores the image of an image element that has a digest. The image was read before, or it is the file with this
  /// digest as its name in the image folder.
  mutating func storeImage(_ image: Inline, in source: CourseSource) throws -> Inline {
    guard case .image(let name, let words, let picture?) = image else { return image }
    let isSound = image.soundName != nil
    let finding = try find(storedFile: picture.digest, isSound: isSound, in: source)
    let reason: String
    switch finding {
    case .stored(let found) where found.digest != picture.digest: reason = "its file has another digest"
    case .stored(let found) where !isSound && images.sounds.contains(found.digest):
      reason = "it is not a PNG, JPEG, GIF, WebP or SVG file"
    case .stored(let found): return .image(source: name, alternative: words, stored: found)
    case .omitted(let found): reason = found
    }
    findings.countLost(image, because: reason, example: name.isEmpty ? nil : name)
    return .image(source: name, alternative: words)
  }
}
