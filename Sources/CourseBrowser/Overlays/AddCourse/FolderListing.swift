internal import Foundation

/// What a path that is being written could become: the folders and files whose names continue it.
struct FolderListing {
  struct Item: Hashable {
    /// The path as somebody writes it, with a slash behind a folder.
    var path: String
    var name: String
    var isFolder: Bool
  }

  /// The folder of the user, for `~`.
  var home =
    ProcessInfo.processInfo.environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
  /// The folder that relative paths begin in.
  var current = FileManager.default.currentDirectoryPath

  /// Returns what continues a path, folders first; hidden names only where a dot is written.
  ///
  /// A folder that cannot be read has nothing in it.
  func items(continuing text: String) -> [Item] {
    let folder = text.lastIndex(of: "/").map { String(text[...$0]) } ?? ""
    let start = String(text.dropFirst(folder.count))
    let path = absolute(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let items = names.filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }
      .map { name in
        let isFolder = isFolder(path + "/" + name)
        return Item(path: folder + name + (isFolder ? "/" : ""), name: name, isFolder: isFolder)
      }
    return items.sorted { ($0.isFolder ? 0 : 1, $0.name) < ($1.isFolder ? 0 : 1, $1.name) }
  }

  /// The whole path of one that may begin with `~`, or be relative.
  func absolute(_ text: String) -> String {
    if text == "~" || text.hasPrefix("~/") { return home + text.dropFirst() }
    if text.hasPrefix("/") { return text }
    return text.isEmpty ? current : current + "/" + text
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
