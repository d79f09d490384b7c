import Foundation

/// What a path that is being written could become: the folders and files whose names continue it.
struct FolderListing {
  struct Item: Hashable {
    /// The path as somebody writes it, with a slash behind a folder.
    var path: String
    var name: String
    var isFolder: Bool
    /// What it is, where its name or what lies in it tells; else that it is a folder or a file.
    var what: String
    /// Whether it could be a course, as far as can be told without reading it.
    var isCourse: Bool { what != "file" && what != "folder" }
    /// The lower, the sooner it is what somebody looks for.
    fileprivate var rank: Int {
      switch (isFolder, isCourse) {
      case (true, true): 0
      case (true, false): 1
      case (false, true): 2
      case (false, false): 3
      }
    }
  }

  /// The folder of the user, for `~`.
  var home =
    ProcessInfo.processInfo.environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
  /// The folder that relative paths begin in.
  var current = FileManager.default.currentDirectoryPath

  /// Returns what continues a path: courses, folders on the way to one, files that may be one; hidden names only where a dot is written, and files that
  /// cannot be courses only where their names are.
  ///
  /// A folder that cannot be read has nothing in it.
  func items(continuing text: String) -> [Item] {
    let folder = Self.folder(of: text)
    let start = String(text.dropFirst(folder.count))
    let path = absolute(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let shown = names.filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }
    let mayLookInside = shown.count <= Self.mostLookedInto
    let items = shown.map { name in
      let isFolder = isFolder(path + "/" + name)
      return Item(
        path: folder + name + (isFolder ? "/" : ""), name: name, isFolder: isFolder,
        what: isFolder ? what(isFolder: path + "/" + name) : what(isFile: path + "/" + name, mayLookInside))
    }
    .filter { !start.isEmpty || $0.isFolder || $0.isCourse }
    return items.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
  }

  /// Whether there is anything at a path.
  func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: absolute(path)) }

  /// Whether the folder is there that a path leads into so far.
  func isThere(folderOf text: String) -> Bool { isFolder(absolute(Self.folder(of: text))) }

  private static func folder(of text: String) -> String { text.lastIndex(of: "/").map { String(text[...$0]) } ?? "" }

  /// The files by which a folder is known to be a course, each with what it is then. More are found by looking into it.
  private static let marks = [
    ("course.yml", "a course"), ("course.yaml", "a course"), ("book.toml", "a book"),
  ]
  /// How the names of files end that may be courses, each with what they are.
  private static let endings = [
    (".zip", "an archive"), (".tar", "an archive"), (".tar.gz", "an archive"),
    (".tgz", "an archive"),
  ]

  private func what(isFolder path: String) -> String {
    Self.marks.first { FileManager.default.fileExists(atPath: path + "/" + $0.0) }?.1 ?? "folder"
  }

  private func what(isFile path: String, _ mayLookInside: Bool) -> String {
    let name = path.lowercased()
    if name.hasSuffix(".json") { return !mayLookInside || beginsAsCourse(path) ? "a course" : "file" }
    return Self.endings.first { name.hasSuffix($0.0) }?.1 ?? "file"
  }

  /// In a folder of more names than this, those of JSON are believed.
  private static let mostLookedInto = 500
  /// So far into a file its version is looked for.
  private static let head = 512

  /// Whether a file of JSON names its version of Waymark's form near its beginning, as that form does.
  private func beginsAsCourse(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    let text = (try? file.read(upToCount: Self.head)).flatMap { $0.map { String(decoding: $0, as: UTF8.self) } } ?? ""
    return text.drop(while: \.isWhitespace).first == "{" && text.contains("\"waymark\"")
  }

  /// The whole path of one that may begin with `~`, or be relative.
  func absolute(_ text: String) -> String {
    if text == "~" || text.hasPrefix("~/") { return home + text.dropFirst() }
    if text.hasPrefix("/") { return text }
    return text.isEmpty ? current : current + "/" + text
  }

  /// A whole path as somebody would write it: with `~` for the folder of the user.
  func short(_ path: String) -> String {
    path == home ? "~" : path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
