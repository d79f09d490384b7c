import CourseKit
import Foundation

/// The completions of a typed path: the folders and files whose paths begin with it.
struct FolderListing {
  struct Item: Hashable {
    /// The path in the form in which it was typed, with a trailing slash if it is a folder.
    var path: String
    var name: String
    var isFolder: Bool
    /// A description of the item's type, taken from its name or content, otherwise `folder` or `file`.
    var kindDescription: String
    /// Whether the item may be a course. This is judged from its name or a part of its content.
    var isCourse: Bool { kindDescription != "file" && kindDescription != "folder" }
    /// The sort order: lower ranks come first.
    fileprivate var rank: Int {
      switch (isFolder, isCourse) {
      case (true, true): 0
      case (true, false): 1
      case (false, true): 2
      case (false, false): 3
      }
    }
  }

  /// The home folder, for `~`.
  var home =
    ProcessInfo.processInfo.environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
  /// The folder that relative paths start from.
  var current = FileManager.default.currentDirectoryPath

  /// Returns the items whose paths continue a typed path, with courses and folders first.
  ///
  /// Hidden items are included only if the typed name begins with a dot. Files that cannot be courses are included only
  /// if a part of the name is typed. A folder that cannot be read has no items.
  func items(continuing text: String) -> [Item] {
    let folder = Self.folder(of: text)
    let start = String(text.dropFirst(folder.count))
    let path = absolute(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let visibleNames = names.filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }
    let mayLookInside = visibleNames.count <= Self.maximumInspectedFiles
    let items = visibleNames.map { name in
      let isFolder = isFolder(path + "/" + name)
      return Item(
        path: folder + name + (isFolder ? "/" : ""), name: name, isFolder: isFolder,
        kindDescription: isFolder
          ? kindDescription(isFolder: path + "/" + name) : kindDescription(isFile: path + "/" + name, mayLookInside))
    }
    .filter { !start.isEmpty || $0.isFolder || $0.isCourse }
    return items.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
  }

  /// Whether there is an item at a path.
  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: absolute(path)) }

  /// Whether the folder part of a path exists.
  func exists(folderOf text: String) -> Bool { isFolder(absolute(Self.folder(of: text))) }

  private static func folder(of text: String) -> String { text.lastIndex(of: "/").map { String(text[...$0]) } ?? "" }

  /// Files that identify a folder as a course, with the description of such a folder. The import recognises more
  /// folders.
  private static let courseFiles = [
    ("course.yml", "a course"), ("course.yaml", "a course"), ("book.toml", "a book"),
  ]
  /// The ends of the names of possible courses, with their descriptions.
  private static let endings: [(end: String, description: String)] =
    [".zip", ".tar", ".tar.gz", ".tgz"].map { ($0, "an archive") }
    + CourseLibrary.fileExtensions.map { ("." + $0, $1) }

  private func kindDescription(isFolder path: String) -> String {
    Self.courseFiles.first { FileManager.default.fileExists(atPath: path + "/" + $0.0) }?.1 ?? "folder"
  }

  private func kindDescription(isFile path: String, _ mayLookInside: Bool) -> String {
    let name = path.lowercased()
    if name.hasSuffix(".json") { return !mayLookInside || beginsAsCourse(path) ? "a course" : "file" }
    return Self.endings.first { name.hasSuffix($0.end) }?.description ?? "file"
  }

  /// The maximum number of names in a folder whose JSON files are examined. In a larger folder, every JSON file is
  /// assumed to be a course.
  private static let maximumInspectedFiles = 500
  /// The number of bytes at the start of a file that are searched for the version of the format.
  private static let head = 512

  /// Whether a JSON file contains the key `waymark` near its beginning, as Waymark's own format does.
  private func beginsAsCourse(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    let text = (try? file.read(upToCount: Self.head)).flatMap { $0.map { String(decoding: $0, as: UTF8.self) } } ?? ""
    return text.drop(while: \.isWhitespace).first == "{" && text.contains("\"waymark\"")
  }

  /// Returns the absolute path of a path that may be relative or begin with `~`.
  func absolute(_ text: String) -> String {
    if text == "~" || text.hasPrefix("~/") { return home + text.dropFirst() }
    if text.hasPrefix("/") { return text }
    return text.isEmpty ? current : current + "/" + text
  }

  /// Returns an absolute path with `~` for the home folder.
  func short(_ path: String) -> String {
    path == home ? "~" : path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
