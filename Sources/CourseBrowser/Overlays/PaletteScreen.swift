internal import CourseLibrary
internal import LearningModel
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// Takes the name of a command or the path of a place, and does it.
///
/// The commands are those of the table of keys. Paths are completed a level at a time; a name without a slash also means
/// what is on this page, beside it, and the courses.
@MainActor final class PaletteScreen: PromptScreen {
  /// What each entry does, by its place in the list.
  private var targets: [Target] = []

  private enum Target {
    case command(Command)
    case place(Place)
  }

  override var prefix: String { ":" }
  override var invitation: String { "a path, or what to do" }

  override func look() throws -> [Entry] {
    let commands = commands()
    let places = try places()
    // Somebody who writes a path means a place.
    let found = field.text.contains("/") ? places : commands + places
    targets = found.map(\.target)
    return found.map(\.entry)
  }

  // MARK: - Commands

  private func commands() -> [(entry: Entry, target: Target)] {
    let text = field.text.lowercased()
    let rows = browser.screen.bindings.rows
    let order: [KeyBindings.Group] = [.go, .look, .read, .choose]
    let rated = rows.compactMap { row -> (row: KeyBindings.Row, rank: Int)? in
      guard row.command != .goTo else { return nil }
      let words = row.name.split(separator: " ")
      if row.name.hasPrefix(text) { return (row, 0) }
      if words.contains(where: { $0.hasPrefix(text) }) { return (row, 1) }
      return row.does.lowercased().split(separator: " ").contains { $0.hasPrefix(text) } ? (row, 2) : nil
    }
    return order.flatMap { group in rated.filter { $0.row.group == group } }
      .enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map { _, found in
        let key = found.row.keys.first?.label(browser.appearance.symbols) ?? ""
        return (
          Entry(completion: found.row.name, name: found.row.name, detail: found.row.does, topRight: key),
          .command(found.row.command)
        )
      }
  }

  // MARK: - Places

  private func places() throws -> [(entry: Entry, target: Target)] {
    guard !field.text.isEmpty else { return [] }
    guard let slash = field.text.lastIndex(of: "/") else { return entries(try nearby(), beginningWith: field.text) }
    let parent = String(field.text[..<slash])
    guard let place = try place(at: parent) else { return [] }
    let start = String(field.text[field.text.index(after: slash)...])
    let children = entries(try children(of: place), beginningWith: start)
    // A path that is whole means its place, before it means anything in it.
    return start.isEmpty && !place.path.isRoot ? [entry(of: place, detail: "all of it")] + children : children
  }

  /// The place that a path leads to; its first part may also be what is near.
  private func place(at path: String) throws -> NamedPlace? {
    if let place = try? browser.navigation.place(named: .text(path.isEmpty ? "/" : path)) { return place }
    let slugs = PlacePath(path).slugs
    guard let first = slugs.first, let start = try nearby().first(where: { $0.path.slugs.last == first }) else {
      return nil
    }
    return try? browser.navigation.place(
      named: .text(PlacePath(slugs: start.path.slugs + slugs.dropFirst()).description))
  }

  /// What is on the page, what is beside it, and the courses.
  private func nearby() throws -> [NamedPlace] {
    let stack = try browser.navigation.currentStack()
    return try stack.suffix(2).reversed().reduce(into: []) { places, parent in places += try children(of: parent) }
      + (stack.count > 2 ? children(of: stack[0]) : [])
  }

  private func children(of parent: NamedPlace) throws -> [NamedPlace] {
    try browser.library.children(of: parent.place).map {
      NamedPlace(
        place: .node($0.id), path: parent.path.appending($0.slug), kind: PlaceKind($0.kind), title: $0.title)
    }
  }

  private func entries(_ places: [NamedPlace], beginningWith text: String) -> [(entry: Entry, target: Target)] {
    let isPath = text != field.text
    let text = text.lowercased()
    return places.filter { $0.path.slugs.last?.hasPrefix(text) ?? false }
      .map { entry(of: $0, detail: (isPath ? $0.path.slugs.last : nil) ?? $0.path.description) }
  }

  private func entry(of place: NamedPlace, detail: String) -> (entry: Entry, target: Target) {
    let completion = place.path.description + (place.kind == .activity ? "" : "/")
    return (
      Entry(completion: completion, name: place.title, detail: detail, topRight: place.kind.rawValue),
      .place(place.place)
    )
  }

  // MARK: - Doing it

  override func submit() {
    if let entry = chosenEntry, targets.indices.contains(chosen), entry == entries[chosen] {
      return perform(targets[chosen])
    }
    do {
      guard let place = try place(at: field.text) ?? nil else {
        perform(.place(try browser.navigation.place(named: .text(field.text)).place))
        return
      }
      perform(.place(place.place))
    } catch NavigationError.unknownPlace(_, let nearest) {
      let commands = Likeness.nearest(to: field.text.lowercased(), among: browser.screen.bindings.rows.map(\.name))
      let meant = commands + nearest.map(\.description)
      let quotes = browser.appearance.symbols.quotes
      say(
        "No command and no place is called \(quotes.open)\(field.text)\(quotes.close). "
          + (meant.isEmpty
            ? "Esc closes this; / finds places by their words."
            : "Did you mean \(meant.prefix(3).joined(separator: ", "))?"))
    } catch {
      say(String(describing: error))
    }
  }

  private func perform(_ target: Target) {
    close()
    switch target {
    case .command(let command): if !browser.perform(command) { browser.notify("There is nothing to do here for that.") }
    case .place(let place): browser.go(to: place)
    }
  }
}
