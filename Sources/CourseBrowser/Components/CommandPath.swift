import CoursePages
import ScreenKit
import TextCanvas

/// The screens and components that are asked for a command, one after another. The first offer is performed.
///
/// The last row, help and the palette list the offers of this path.
@MainActor final class CommandPath: BrowserComponent {
  /// A command that the path offers.
  struct Entry {
    let row: KeyRow
    /// The keys that lead to this offer. Other keys of the row have another meaning now.
    let keys: [KeyEvent]
    let offer: Offer
  }

  private let sidePanes: SidePanePresenter
  /// Returns the components that perform the commands that no screen has performed, in order of precedence.
  private let components: () -> [any CommandResponder]
  private static let positions = Dictionary(
    uniqueKeysWithValues: KeyRow.all.enumerated().map { ($0.element.command, $0.offset) })

  init(
    _ openPages: OpenPages, sidePanes: SidePanePresenter, components: @escaping () -> [any CommandResponder]
  ) {
    (self.sidePanes, self.components) = (sidePanes, components)
    super.init(openPages)
  }

  /// The path below an overlay: a running playback, otherwise the focused pane, the page and the components.
  private var pathOfPage: [any CommandResponder] {
    if let playback = context.playback { return [playback] }
    let focus = (sidePanes.focusedPane == nil ? [] : [sidePanes]) + [openPages.focus as? any CommandResponder]
    return focus.compactMap { $0 } + components()
  }

  /// The responders that are asked now.
  var path: [any CommandResponder] { overlay.map { [$0] } ?? pathOfPage }

  /// Returns the first offer for a key press, or `nil` if the key does nothing.
  func offer(for key: KeyEvent) -> (command: Command, run: @MainActor () -> Void)? {
    firstOffer(of: context.bindings.rows(for: key), on: path)
  }

  /// Performs a command on the page, as if its key had been pressed without an overlay.
  ///
  /// - Returns: `false` if the command does nothing here.
  func perform(_ command: Command) -> Bool {
    guard let row = context.bindings.row(of: command), let first = firstOffer(of: [row], on: pathOfPage) else {
      return false
    }
    first.run()
    return true
  }

  private func firstOffer(
    of rows: [KeyRow], on path: [any CommandResponder]
  ) -> (command: Command, run: @MainActor () -> Void)? {
    for responder in path {
      for context in responder.keyContexts {
        for row in rows where row.context == context {
          guard let offer = responder.offer(row.command) else { continue }
          return (
            row.command,
            { [self] in
              // A command of the page moves the focus from a pane back to the page.
              if overlay == nil, responder !== sidePanes { sidePanes.leavePanes() }
              offer.run()
            }
          )
        }
      }
      if responder.fieldKeys != nil { break }
    }
    return nil
  }

  /// The listed offers of the page and the components.
  var entriesOfPage: [Entry] { entries(of: pathOfPage) }

  /// The hints of the last row.
  var hints: [KeyHint] {
    // While a pane has the focus, only its own keys are shown.
    let path = overlay == nil && sidePanes.focusedPane != nil ? [sidePanes] : path
    return (path.lazy.compactMap(\.fieldKeys).first ?? []) + hints(of: entries(of: path)) { $0 < Offer.helpRank }
  }

  /// Returns the offers of a path, in the order of the last row.
  func entries(of path: [any CommandResponder]) -> [Entry] {
    var entries: [Entry] = []
    var (offered, usedKeys): (Set<Command>, Set<KeyEvent>) = ([], [])
    for (index, responder) in path.enumerated() {
      for row in responder.keyContexts.flatMap(context.bindings.rows(in:)) where !offered.contains(row.command) {
        guard let offer = responder.offer(row.command) else { continue }
        let keys = row.keys.filter { key in
          !usedKeys.contains(key) && !path[...index].contains { $0.takes(key) }
        }
        offered.insert(row.command)
        usedKeys.formUnion(row.keys)
        entries.append(Entry(row: row, keys: keys, offer: offer))
      }
      if responder.fieldKeys != nil { break }
    }
    func position(_ entry: Entry) -> (Int, Int) { (entry.offer.order, Self.positions[entry.row.command] ?? 0) }
    return entries.sorted { position($0) < position($1) }
  }

  /// Returns a hint for each label. Neighbours with the same label share a hint.
  func hints(of entries: [Entry], where isIncluded: (_ rank: Int) -> Bool) -> [KeyHint] {
    let symbols = appearance.symbols
    var hints: [KeyHint] = []
    for entry in entries where isIncluded(entry.offer.rank) {
      guard let label = entry.offer.label, !label.isEmpty, let key = entry.keys.first?.label(symbols) else { continue }
      guard let last = hints.last, last.explanation == label else {
        hints.append(KeyHint(key, label, rank: entry.offer.rank, commands: [entry.row.command]))
        continue
      }
      let isUpDown = [last.key, key] == Array(symbols.arrows.prefix(2))
      hints[hints.count - 1].key = isUpDown ? symbols.upDown : last.key + " " + key
      hints[hints.count - 1].commands.append(entry.row.command)
    }
    return hints
  }
}
