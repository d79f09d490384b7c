import CourseFormats
import Foundation
import LearningModel
import Testing

struct CourseSourceTests {
  @Test func `a path that does not exist is reported as missing`() {
    #expect(throws: CourseFormatError.sourceMissing(path: "/no/such/place")) {
      try CourseSource(path: "/no/such/place")
    }
  }

  @Test func `a folder lists its visible files in byte order`() throws {
    let folder = try TestFolder(["b.md": "", "a/x.md": "", ".git/config": "", "B.md": ""])

    let entries = try CourseSource(path: folder.path).entries()

    #expect(entries.map(\.path) == ["B.md", "a", "b.md"])
    #expect(entries.map(\.isFolder) == [false, true, false])
  }

  @Test(arguments: ["../secret.md", "a/../../secret.md", "/etc/passwd"])
  func `a path that leads out of the folder is rejected`(_ name: String) throws {
    let folder = try TestFolder(["a/x.md": ""])

    #expect(throws: CourseFormatError.leavesSource(file: name)) {
      try CourseSource(path: folder.path).bytes(of: name)
    }
  }

  @Test func `a symbolic link is followed inside the folder and rejected if it leads out`() throws {
    let outside = try TestFolder(["secret.md": "secret"])
    let folder = try TestFolder(["a/x.md": "inside"])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/out.md", withDestinationPath: outside.path + "/secret.md")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/out", withDestinationPath: outside.path)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/in.md", withDestinationPath: "a/x.md")
    let source = try CourseSource(path: folder.path)

    #expect(throws: CourseFormatError.leavesSource(file: "out.md")) { try source.bytes(of: "out.md") }
    #expect(throws: CourseFormatError.leavesSource(file: "out")) { try source.entries(in: "out") }
    #expect(!source.hasFile("out.md"))
    #expect(try source.bytes(of: "in.md") == Array("inside".utf8))
  }

  /// Names that are special in paths of other systems, in addresses or in Unicode.
  private static let unusualNames = [
    "what? #1 100% *", "back\\slash", "a: colon", "C:", "a..\\up", "~home", "a&b;c|d", "\u{65E5}\u{672C}", "e\u{301}",
    "'quoted'", "\"double\"", "[x](y)", "$(id)", "-rf", " blank ", "\u{1F35E}",
  ]

  @Test(arguments: unusualNames)
  func `files and folders with unusual names are read, also through links and images`(_ name: String) throws {
    let address = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let folder = try TestFolder([
      "a.md": "# A\n\n[file](./\(address).md), [folder](./\(address)/b.md) and ![loaf](./\(address)/p.png)\n",
      "\(name).md": "# File\n\nx", "\(name)/b.md": "# Folder\n\nx",
    ])
    try folder.write(tinyPNG(), to: "\(name)/p.png")

    let draft = try folder.read()

    #expect(Set(draft.nodes.filter { $0.kind == .activity }.map(\.title)) == ["A", "File", "Folder"])
    #expect(draft.diagnostics == [])
    #expect(draft.losses == [])
  }

  @Test func `one of two names that differ only in their Unicode form is left out and named`() throws {
    let folder = try TestFolder(["\u{E9}.md": "# Composed\n\nx"])
    try folder.write(Data("# Decomposed\n\nx".utf8), to: "e\u{301}.md")

    let draft = try folder.read()

    #expect(draft.nodes.filter { $0.kind == .activity }.map(\.title) == ["Decomposed"])
    #expect(
      draft.diagnostics.map(\.description) == [
        "\u{E9}.md: warning: Its name is that of another file here in another Unicode form, so this is left out. "
          + "Rename it."
      ])
    #expect(
      try folder.read(options: ReadOptions(isStrict: true)).diagnostics.map(\.description) == [
        "\u{E9}.md: error: The name is that of another file here in another Unicode form. Rename the file."
      ])
  }

  @Test func `symbolic links out of the folder and links that lead nowhere are left out and named`() throws {
    let outside = try TestFolder(["b.md": "# B\n\nx"])
    let folder = try TestFolder(["a.md": "# A\n\nx"])
    let missing = "The file does not exist. Add the file, or remove the references to it."
    let targets = [
      "file.md": outside.path + "/b.md", "folder": outside.path, "loop.md": "loop.md", "none.md": "gone.md",
    ]
    for (link, target) in targets {
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + link, withDestinationPath: target)
    }

    let draft = try folder.read()

    #expect(draft.nodes.filter { $0.kind == .activity }.map(\.title) == ["A"])
    func outsideWarning(_ link: String, _ target: String) -> String {
      "\(link): warning: It is a symbolic link to '\(target)', outside the course's folder, and is left out. "
        + "Copy its target there."
    }
    func nowhereWarning(_ link: String, _ target: String) -> String {
      "\(link): warning: It is a symbolic link to '\(target)', which cannot be found, and is left out. Remove the link."
    }
    #expect(
      draft.diagnostics.map(\.description) == [
        outsideWarning("file.md", outside.path + "/b.md"), outsideWarning("folder", outside.path),
        nowhereWarning("loop.md", "loop.md"), nowhereWarning("none.md", "gone.md"),
      ])
    #expect(
      try folder.read(options: ReadOptions(isStrict: true)).diagnostics.map(\.message) == [
        "The path leads outside the course's folder. Copy the file into the folder and use its new path.",
        "The path leads outside the course's folder. Copy the file into the folder and use its new path.",
        missing, missing,
      ])
  }

  @Test func `a symbolic link to an enclosing folder is left out and named`() throws {
    let folder = try TestFolder(["course.yml": "title: A", "1-goal/1-lesson/1-a.md": "---\ntitle: T\n---\nx"])
    let link = folder.path + "/1-goal/1-lesson/2-again"
    for target in ["..", ".", "../..", folder.path] {
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)

      let draft = try folder.read()

      #expect(draft.counts == ContentCounts(course: 1, goal: 1, lesson: 1, activity: 1))
      #expect(
        draft.losses == [Loss(what: "symbolic link to a folder that contains it", count: 1, treatment: "left out")])
      #expect(
        draft.diagnostics.map(\.description).filter { $0.contains("2-again") } == [
          "1-goal/1-lesson/2-again: warning: It is a symbolic link to '\(target)', a folder that contains it, and is "
            + "left out. Remove the link."
        ])
      let strict = try folder.read(options: ReadOptions(isStrict: true))
      #expect(
        strict.diagnostics.filter { $0.severity == .error } == [
          CourseFormatError.linkInCircles(file: "1-goal/1-lesson/2-again", target: target).diagnostic
        ])
      try FileManager.default.removeItem(atPath: link)
    }
  }

  @Test func `symbolic links between two folders are followed only once`() throws {
    let folder = try TestFolder(["a/x.md": "x", "b/y.md": "y"])
    for (link, target) in [("a/to", "../b"), ("b/to", "../a")] {
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + link, withDestinationPath: target)
    }
    let source = try CourseSource(path: folder.path)

    #expect(try source.entries(in: "a").map(\.path) == ["a/to", "a/x.md"])
    #expect(try source.entries(in: "a/to").map(\.path) == ["a/to/y.md"])
  }

  @Test func `a file whose name has control characters is left out and named with escapes`() throws {
    let folder = try TestFolder([
      "a.md": "# A\n\nx", "g/l/1-\u{1B}[31mb.md": "# B\n\nx", "n\n.md": "# N\n\nx", "t\t.md": "# T\n\nx",
    ])

    let draft = try folder.read()

    #expect(draft.nodes.filter { $0.kind == .activity }.map(\.title) == ["A"])
    #expect(
      draft.losses == [
        Loss(what: "file or folder whose name contains a control character", count: 3, treatment: "left out")
      ])
    let names = [#"g/l/1-\x1B[31mb.md"#, #"n\x0A.md"#, #"t\x09.md"#]
    #expect(
      draft.diagnostics.map(\.description)
        == names.map { "\($0): warning: The name contains a control character, so this is left out. Rename it." })
    #expect(
      try folder.read(options: ReadOptions(isStrict: true)).diagnostics.map(\.description)
        == names.map { "\($0): error: The name contains a control character. Rename the file." })
  }

  @Test(.enabled(if: getuid() != 0, "The superuser may read every folder."))
  func `a folder that cannot be listed is left out and named`() throws {
    let folder = try TestFolder(["a.md": "# A\n\nx", "closed/b.md": "# B\n\nx"])
    chmod(folder.path + "/closed", 0)
    defer { chmod(folder.path + "/closed", 0o700) }

    let draft = try folder.read()

    #expect(draft.nodes.filter { $0.kind == .activity }.map(\.title) == ["A"])
    #expect(
      draft.diagnostics.map(\.description) == [
        "closed: warning: Reading the folder is not permitted, so it is left out. Ask its owner for permission to read "
          + "it."
      ])
  }

  @Test func `a named pipe is rejected without waiting for a writer`() throws {
    let folder = try TestFolder()
    mkfifo(folder.path + "/pipe.md", 0o600)

    #expect(throws: CourseFormatError.notAFile(file: "pipe.md")) {
      try CourseSource(path: folder.path).bytes(of: "pipe.md")
    }
  }

  @Test func `a file that is too large is rejected before it is read`() throws {
    var limits = SourceLimits()
    limits.fileSize = 10
    limits.sourceSize = 12
    let folder = try TestFolder(["a.md": "01234567890", "b.json": "0123456789012"])

    #expect(throws: CourseFormatError.limit(.fileSize(10), file: "a.md", line: nil)) {
      try CourseSource(path: folder.path, limits: limits).bytes(of: "a.md")
    }
    #expect(throws: CourseFormatError.limit(.sourceSize(12), file: "b.json", line: nil)) {
      try CourseSource(path: folder.path + "/b.json", limits: limits).bytes()
    }
    #expect(throws: CourseFormatError.limit(.sourceSize(12), file: "c.json", line: nil)) {
      try CourseSource(name: "c.json", bytes: Array(repeating: 0, count: 13), limits: limits).bytes()
    }
  }

  @Test(arguments: ["a.md", "a.html", "a.txt"])
  func `a page has the same limit as a single file and in a folder`(_ name: String) throws {
    var limits = SourceLimits()
    limits.fileSize = 10
    let folder = try TestFolder([name: "01234567890"])

    let error = CourseFormatError.limit(.sourceSize(10), file: name, line: nil).diagnostic
    let sources = [
      try CourseSource(path: folder.path + "/" + name, limits: limits),
      CourseSource(name: name, bytes: Array("01234567890".utf8), limits: limits),
    ]

    #expect(try sources.map { try FormatRegistry.read($0).diagnostics } == [[error], [error]])
  }

  @Test(arguments: ["/dev/null", "pipe"]) func `a pipe or a device is not a source`(_ path: String) throws {
    let folder = try TestFolder()
    mkfifo(folder.path + "/pipe", 0o600)
    let path = path == "pipe" ? folder.path + "/pipe" : path

    #expect(throws: CourseFormatError.notAFile(file: path)) { try CourseSource(path: path) }
  }

  @Test func `a missing file is distinguished from a folder`() throws {
    let folder = try TestFolder(["a.md": ""])
    let source = try CourseSource(path: folder.path)

    #expect(throws: CourseFormatError.fileMissing(file: "b.md")) { try source.bytes(of: "b.md") }
    #expect(throws: CourseFormatError.fileMissing(file: "a.md/b.md")) { try source.bytes(of: "a.md/b.md") }
    let long = String(repeating: "n", count: 300)
    #expect(throws: CourseFormatError.fileMissing(file: long)) { try source.bytes(of: long) }
    #expect(throws: CourseFormatError.notAFile(file: "course")) { try source.bytes() }
  }

  @Test func `the name of a source is the typed name, otherwise the folder's own name`() throws {
    let folder = try TestFolder(["a.tar.gz/x": ""], name: "My Course")

    #expect(try CourseSource(path: folder.path + "/").name == "My Course")
    #expect(try CourseSource(path: folder.path + "/a.tar.gz/..").name == "My Course")
    #expect(try CourseSource(path: folder.path + "/a.tar.gz").stem == "a.tar.gz")
    #expect(CourseSource(name: "a.json", bytes: []).stem == "a")
  }
}
