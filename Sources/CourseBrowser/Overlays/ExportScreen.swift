import Answers
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Asks for the file to which something is exported. The file name extension determines the format.
@MainActor final class ExportScreen: PromptScreen {
  /// The content to export.
  struct Content {
    /// The suggested file name, without extension.
    var name: String
    /// A short description for display.
    var summary: String
    /// The available formats, the most common first.
    var formats: [HistoryExport.Format]
    /// Writes the file. Returns the text that precedes the file name in the notice.
    var write: (_ form: HistoryExport.Format, _ path: String, _ replaces: Bool) throws -> String
  }

  private let content: Content
  private let listing: FolderListing
  /// The existing file that the learner was asked to replace, or `nil`. If the same path is submitted again, the file
  /// is replaced.
  private var replaced: String?

  init(_ content: Content, context: ScreenContext, listing: FolderListing, source: @escaping () -> CellRect) {
    self.content = content
    self.listing = listing
    super.init(title: "Export", context: context, source: source)
  }

  override var prefix: String { "File" }
  override var invitation: String { metrics.isNarrow ? "a file" : "a file, or one of these" }
  override var topRight: String { metrics.isNarrow ? "" : content.summary }

  override var fieldKeys: [KeyHint]? {
    [
      KeyHint(context.appearance.symbols.enter, "export"), KeyHint("Tab", "complete", rank: 1),
      KeyHint("Esc", "close"),
    ]
  }

  override func makeEntries() throws -> [Entry] {
    replaced = nil
    let text = field.text
    // A complete extension determines the format. Otherwise, every format whose extension begins with the typed letters
    // has an entry.
    if let format = form(of: text) { return [Entry(completion: text, name: text, detail: format.name, topRight: "")] }
    let (start, ending) = beginning(of: text)
    let isFolder = start.isEmpty || start.hasSuffix("/")
    return content.formats.filter { $0.fileExtension.hasPrefix(ending) }.map { format in
      let path = (isFolder ? start + content.name : start) + "." + format.fileExtension
      return Entry(completion: path, name: path, detail: format.name, topRight: "")
    }
  }

  /// Splits a path into the name and the beginning of an extension after its last dot.
  private func beginning(of path: String) -> (path: String, ending: String) {
    guard let dot = path.lastIndex(of: "."), let previousCharacter = path[..<dot].last, previousCharacter != ".",
      previousCharacter != "/"
    else {
      return (path, "")
    }
    let ending = path[path.index(after: dot)...].lowercased()
    return content.formats.contains { $0.fileExtension.hasPrefix(ending) } ? (String(path[..<dot]), ending) : (path, "")
  }

  override func submit() {
    let path = chosenEntry?.completion ?? field.text
    guard let format = form(of: path) else { return }
    let file = listing.absolute(path)
    // A broken symbolic link counts as an existing file.
    let fileExists = (try? FileManager.default.attributesOfItem(atPath: file)) != nil
    guard replaced == path || !fileExists else {
      replaced = path
      return showMessage("\(path) already exists. Press \(context.appearance.symbols.enter) again to replace it.")
    }
    do {
      let contentText = try content.write(format, file, fileExists)
      close()
      context.notify("\(contentText) written to \(listing.short(file)).")
    } catch {
      showMessage(CommandWords.text(error), .bad)
    }
  }

  private func form(of path: String) -> HistoryExport.Format? {
    let path = path.lowercased()
    return content.formats.first { path.hasSuffix("." + $0.fileExtension) }
  }
}
