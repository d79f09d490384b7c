import CoursePages
import Foundation
import ScreenKit
import TextCanvas

/// Asks for the file that the history is written into. The end of its name says in which form.
@MainActor final class HistoryExportScreen: PromptScreen {
  private let choice: HistoryChoice
  private let export: HistoryExport
  private let listing: FolderListing
  /// The file that is there already and would be replaced; asked again, it is.
  private var replaced: String?

  init(
    _ choice: HistoryChoice, to export: HistoryExport, shell: any OverlayShell, listing: FolderListing,
    source: @escaping () -> CellRect
  ) {
    self.choice = choice
    self.export = export
    self.listing = listing
    super.init(title: "Export", shell: shell, source: source)
  }

  override var prefix: String { "Into" }
  override var invitation: String { metrics.isNarrow ? "a file" : "a file, or one of these" }
  override var topRight: String { metrics.isNarrow ? "" : choice == .everything ? "all steps" : "only what is shown" }

  override var keys: [KeyHint] {
    [
      KeyHint(shell.appearance.symbols.enter, "write it"), KeyHint("Tab", "complete", rank: 1),
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
    return export.forms.filter { $0.ending.hasPrefix(ending) }.map { form in
      let path = (isFolder ? start + "waymark-history" : start) + "." + form.ending
      return Entry(completion: path, name: path, detail: form.name, topRight: "")
    }
  }

  /// A path without the beginning of an ending that stands behind its last dot, and that beginning.
  private func beginning(of path: String) -> (path: String, ending: String) {
    guard let dot = path.lastIndex(of: "."), let before = path[..<dot].last, before != ".", before != "/" else {
      return (path, "")
    }
    let ending = path[path.index(after: dot)...].lowercased()
    return export.forms.contains { $0.ending.hasPrefix(ending) } ? (String(path[..<dot]), ending) : (path, "")
  }

  override func submit() {
    let path = chosenEntry?.completion ?? field.text
    guard let form = form(of: path) else { return }
    let file = listing.absolute(path)
    // A link that leads nowhere is something too.
    let isThere = (try? FileManager.default.attributesOfItem(atPath: file)) != nil
    guard replaced == path || !isThere else {
      replaced = path
      return say("\(path) is there already. \(shell.appearance.symbols.enter) once more replaces it.")
    }
    do {
      let count = try export.write(choice.filter, form, file, isThere)
      close()
      shell.notify("\(Words.count(count, "step")) written into \(listing.short(file)).")
    } catch {
      say("\(error)", .bad)
    }
  }

  private func form(of path: String) -> HistoryExport.Form? {
    let path = path.lowercased()
    return export.forms.first { path.hasSuffix("." + $0.ending) }
  }
}
