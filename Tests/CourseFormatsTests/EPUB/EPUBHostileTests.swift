import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Testing

/// Tests with damaged and malicious books.
struct EPUBHostileTests {
  /// Returns the files of the book `tea` in `Fixtures`.
  private static func fixture() throws -> [(path: String, bytes: [UInt8])] {
    let top = fixtures.appending(path: "epub/tea")
    return try FileManager.default.subpathsOfDirectory(atPath: top.path).sorted().compactMap { path in
      var isFolder: ObjCBool = false
      let file = top.appending(path: path).path
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue else {
        return nil
      }
      return (path, Array(try Data(contentsOf: URL(filePath: file))))
    }
  }

  /// Returns the bytes of a file with one random modification.
  private static func broken(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return bytes }
    let at = random.below(bytes.count)
    let length = min(bytes.count - at, 1 + random.below(60))
    switch random.below(7) {
    case 0: bytes[at] = UInt8(random.below(256))
    case 1: bytes.removeSubrange(at..<at + length)
    case 2: bytes.insert(contentsOf: bytes[at..<at + length], at: random.below(bytes.count))
    case 3: bytes.removeSubrange(at...)
    case 4:
      let tags = [
        "<p>", "</p>", "<!--", "]]>", "<![CDATA[", "&x;", "<a id='picking'/>", "<svg>", "\u{1B}[31m", "../", "\0",
      ]
      bytes.insert(contentsOf: Array(tags[random.below(tags.count)].utf8), at: at)
    case 5: bytes.replaceSubrange(at..<at + length, with: repeatElement(bytes[at], count: 2_000))
    default:
      let other = random.below(bytes.count)
      bytes.swapAt(at, other)
    }
    return bytes
  }

  @Test(arguments: Tier.seeds(Array(0..<40), long: 0..<300))
  func `a damaged book is either read or rejected with an error that names a file`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TestFolder(name: "book")
    let files = try Self.fixture()
    let chosen = Set((0...random.below(3)).map { _ in random.below(files.count) })
    for (index, file) in files.enumerated() {
      let bytes = chosen.contains(index) ? Self.broken(file.bytes, &random) : file.bytes
      try folder.write(Data(bytes), to: file.path)
    }

    var draft: CourseDraft?
    let seconds = try processorSeconds {
      do {
        draft = try FormatRegistry.read(CourseSource(path: folder.path), from: "epub")
      } catch let error as CourseFormatError {
        #expect(error.kind == .badData)
        #expect(!error.diagnostic.file.isEmpty && error.description == error.description.withoutEscapes)
      }
    }

    #expect(seconds < 2)
    guard let draft else { return }
    #expect(Set(draft.nodes.map(\.key)).count == draft.nodes.count || draft.isRefused)
    for diagnostic in draft.diagnostics { #expect(!diagnostic.file.isEmpty) }
    for content in try draft.allContents() {
      guard case .reading(let blocks) = content else { continue }
      let text = sketch(blocks).joined(separator: "\n")
      #expect(text == text.withoutEscapes)
      #expect(!text.contains("base64"))
      for destination in text.matches(of: /\]\(([a-z]+):/).map({ String($0.1) }) {
        #expect(["http", "https", "mailto", "waymark", "tel"].contains(destination))
      }
    }
  }

  // MARK: Performance and limits

  @Test(arguments: [
    HostileText(
      "nested elements", String(repeating: "<div>", count: 300) + "x" + String(repeating: "</div>", count: 300)),
    HostileText(
      "nested formulas",
      "<math>" + String(repeating: "<mrow>", count: 200) + String(repeating: "</mrow>", count: 200) + "</math>"),
    HostileText(
      "nested drawings",
      "<svg>" + String(repeating: "<g>", count: 200) + String(repeating: "</g>", count: 200) + "</svg>"),
  ])
  func `markup that is nested too deeply is rejected with its page`(_ page: HostileText) throws {
    let draft = try SmallBook(["a.xhtml": page.text]).read()

    #expect(
      draft.said.last
        == "error O/a.xhtml: Its content is nested more than 64 levels deep. Reduce the nesting.")
  }

  @Test(arguments: [
    HostileText("entries of one page", (0..<20_000).map { "<li><a href='a.xhtml#i\($0)'>E\($0)</a></li>" }.joined()),
    HostileText("entries of one place", String(repeating: "<li><a href='a.xhtml'>E</a></li>", count: 20_000)),
    HostileText("entries that are missing", (0..<5_000).map { "<li><a href='m\($0).xhtml'>E</a></li>" }.joined()),
  ])
  func `a long table of contents is read in linear time`(_ contents: HostileText) throws {
    let text = (0..<20_000).map { "<p id='i\($0)'>w</p>" }.joined()
    let book = SmallBook(["a.xhtml": text], contents: contents.text)

    // The limit is ten times the duration in a debug build. A quadratic algorithm would take minutes.
    #expect(try processorSeconds { _ = try book.read() } < 60)
  }

  @Test func `a long footnote that many entries repeat exceeds the size limit`() throws {
    let entries = (0..<2_000).map { "<li><a href='a.xhtml#i\($0)'>E\($0)</a></li>" }.joined()
    let text = (0..<2_000).map { "<p id='i\($0)'>w<a epub:type='noteref' href='#n'>1</a></p>" }.joined()
    let note = "<aside id='n' epub:type='footnote'><p>\(String(repeating: "long ", count: 10_000))</p></aside>"

    let draft = try SmallBook(["a.xhtml": text + note], contents: entries).read()

    #expect(
      draft.said.first
        == "error O/a.xhtml: With its includes and notes, the page is larger than 16 MiB. Include less, or split the "
        + "page."
    )
  }

  @Test func `fallbacks that refer to each other are reported as pages without text`() throws {
    let book = SmallBook(
      ["a.xhtml": "<p>A</p>"],
      manifest:
        "<item id='x' href='x.bin' media-type='x/y' fallback='y'/><item id='y' href='y.bin' media-type='x/y' fallback='x'/>",
      spine: "<itemref idref='x'/><itemref idref='a.xhtml'/><itemref idref='a.xhtml'/><itemref idref='none'/>")

    #expect(
      try book.read().lost == [
        "1 page that is listed twice: shown as one page", "1 page that is missing from the manifest: left out",
        "1 page that is not text: left out",
      ])
  }

  @Test(arguments: ["../../../../etc/passwd", "/etc/passwd", "%2e%2e/%2e%2e/%2e%2e/etc/passwd", "file:///etc/passwd"])
  func `a path that leads out of a book is not read`(_ path: String) throws {
    let book = SmallBook(
      ["a.xhtml": "<p>A</p>"], manifest: "<item id='x' href='\(path)' media-type='application/xhtml+xml'/>",
      spine: "<itemref idref='x'/><itemref idref='a.xhtml'/>")

    let draft = try book.read()

    #expect(try draft.allContents() == [.reading([.paragraph([.text("A")])])])
    #expect(draft.losses.map(\.count) == [1] || draft.losses.map(\.count) == [1, 1])
  }

  @Test func `a symbolic link out of an unpacked book is not followed`() throws {
    let secret = try TestFolder(["secret.xhtml": SmallBook.page("<p>secret</p>")], name: "other")
    let folder = try TestFolder(name: "book")
    for (path, bytes) in SmallBook(["a.xhtml": "<p>A</p>", "b.xhtml": "<p>B</p>"]).files {
      if path != "O/b.xhtml" { try folder.write(bytes, to: path) }
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/O/b.xhtml", withDestinationPath: secret.path + "/secret.xhtml")

    let draft = try folder.read()

    #expect(draft.isRefused)
    #expect(draft.said.first?.hasPrefix("error O/b.xhtml: The path leads outside the course's folder.") == true)
  }

  @Test func `a book that becomes too large when unpacked is rejected before it is read`() throws {
    let folder = try TestFolder()
    let text = String(repeating: " ", count: 40_000)
    try folder.write(Archives.zip([("META-INF/container.xml", text)]), to: "a.epub")
    var limits = SourceLimits.standard
    limits.unpackedSize = 30_000

    #expect(throws: CourseFormatError.limit(.unpackedSize(30_000), file: "a.epub", line: nil)) {
      try CourseSource(path: folder.path + "/a.epub", limits: limits)
    }
    try folder.write(Archives.zip([("../evil.xhtml", "x")]), to: "b.epub")
    #expect(throws: CourseFormatError.self) { try CourseSource(path: folder.path + "/b.epub") }
  }
}

extension String {
  /// The text without control characters that a terminal would execute.
  fileprivate var withoutEscapes: String {
    String(unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) || $0 == "\n" || $0 == "\t" })
  }
}
