import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Asks for the file that something is written into. The end of its name says in which form.
@MainActor final class ExportScreen: PromptScreen {
  /// What is written.
  struct Thing {
    /// The name of the file that is offered, without its ending.
    var name: String
    /// What it is, in a few words.
    var words: String
    /// The forms in which it can be written, the most usual first.
    var forms: [HistoryExport.Form]
    /// Writes it, and returns what is said then, before the name of the file.
    var write: (_ form: HistoryExport.Form, _ path: String, _ replaces: Bool) throws -> String
  }

  private let thing: Thing
  private let listing: FolderListing
  /// The file that is there already and would be replaced; asked again, it is.
  private var replaced: String?

  init(_ thing: Thing, context: ScreenContext, listing: FolderListing, source: @escaping () -> CellRect) {
    self.thing = thing
    self.listing = listing
    super.init(title: "Export", context: context, source: source)
  }

  override var prefix: String { "Into" }
  override var invitation: String { metrics.isNarrow ? "a file" : "a file, or one of these" }
  override var topRight: String { metrics.isNarrow ? "" : thing.words }

  override var keys: [KeyHint] {
    [
      KeyHint(context.appearance.symbols.enter, "write it"), KeyHint("Tab", "complete", rank: 1),
      KeyHint("Esc", "close"),
    ]
  }

  override func look() throws -> [Entry] {
    replaced = nil
    let text = field.text
    // A name that is written whole says what it is; where its end is missing, there are as many as there are forms.
    if let form = form(of: text) { return [Entry(completion: text, name: text, detail: form.name, topRight: "")] }
    let (start, ending) = beginning(of: text)
    let isFolder = start.isEmpty || start.hasSuffix("/")
    return thing.forms.filter { $0.ending.hasPrefix(ending) }.map { form in
      let path = (isFolder ? start + thing.name : start) + "." + form.ending
      return Entry(completion: path, name: path, detail: form.name, topRight: "")
    }
  }

  /// A path without the beginning of an ending that stands behind its last dot, and that beginning.
  private func beginning(of path: String) -> (path: String, ending: String) {
    guard let dot = path.lastIndex(of: "."), let before = path[..<dot].last, before != ".", before != "/" else {
      return (path, "")
    }
    let ending = path[path.index(after: dot)...].lowercased()
    return thing.forms.contains { $0.ending.hasPrefix(ending) } ? (String(path[..<dot]), ending) : (path, "")
  }

  override func submit() {
    let path = chosenEntry?.completion ?? field.text
    guard let form = form(of: path) else { return }
    let file = listing.absolute(path)
    // A link that leads nowhere is something too.
    let isThere = (try? FileManager.default.attributesOfItem(atPath: file)) != nil
    guard replaced == path || !isThere else {
      replaced = path
      return say("\(path) is there already. \(context.appearance.symbols.enter) once more replaces it.")
    }
    do {
      let words = try thing.write(form, file, isThere)
      close()
      context.notify("\(words) written into \(listing.short(file)).")
    } catch {
      say("\(error)", .bad)
    }
  }

  private func form(of path: String) -> HistoryExport.Form? {
    let path = path.lowercased()
    return thing.forms.first { path.hasSuffix("." + $0.ending) }
  }
}
