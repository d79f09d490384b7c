import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Takes the name of a command or the path of a place, and does it.
///
/// The commands are those of the table of keys. Paths are completed a level at a time; a name without a slash also means
/// what is on this page, beside it, and the courses; and, behind these, what has it in its title anywhere. Of a text its
/// headings are meant too, all of them by `#`.
@MainActor final class PaletteScreen: PromptScreen {
  /// What is written before headings are meant.
  static let headingsSign = "#"
  /// The headings of the text below, from the top.
  private let headings: [ReadingText.Heading]
  private let onChoose: (Target) -> Void
  /// What each entry does, by its place in the list.
  private var targets: [Target] = []

  /// Places of one parent at most: nobody reads more before typing another letter.
  private static let most = 50

  /// Places of other parents at most, and how many letters are looked for in their titles. Each letter looks for all that
  /// is written once more, so a text that is too long for a title is not looked for in titles.
  private static let mostElsewhere = 8
  private static let titleLetters = 3...100

  /// How far all places that could be meant agree, where not all are listed.
  private var common: String?
  override var commonCompletion: String? { common }

  /// The effect of an entry.
  enum Target: Hashable {
    case command(Command)
    case place(Place)
    /// A heading of the text that is on the page.
    case heading(String)
    /// Looks for words in everything.
    case words(String)
    /// The values of a setting.
    case setting(String)
    /// A value for a setting.
    case value(String, setting: String)
  }

  /// - Parameters:
  ///   - headings: The headings of the text below, from the top.
  ///   - onChoose: Performs what is chosen, after the palette has closed.
  init(
    headings: [ReadingText.Heading], context: ScreenContext, source: @escaping () -> CellRect,
    onChoose: @escaping (Target) -> Void
  ) {
    (self.headings, self.onChoose) = (headings, onChoose)
    super.init(title: "Go to", context: context, source: source)
  }

  override var prefix: String { ":" }
  override var invitation: String { headings.isEmpty ? "a path, or what to do" : "a path, what to do, # for headings" }

  override func look() throws -> [Entry] {
    let places = try places()
    // Somebody who writes a path means a place.
    var found =
      field.text.contains("/") ? places : commandsNamed() + settingsNamed() + valuesNamed() + headingsMeant() + places
    // What is only said of a command is not its name: nobody does it who has not chosen it.
    let elsewhere = try placesElsewhere()
    if found.isEmpty {
      found = whatElse(elsewhere)
    } else if !field.text.contains("/") {
      found += elsewhere.filter { place in !found.contains { $0.target == place.target } }
      found += commands { $0 >= 2 } + settingsDescribed()
    }
    targets = found.map(\.target)
    return found.map(\.entry)
  }

  override func lookAgain() {
    super.lookAgain()
    guard entries.isEmpty else { return }
    let quotes = context.appearance.symbols.quotes
    say("No path goes on like that. \(quotes.around("/")) stands between the names of a path.", .quiet)
  }

  /// What there is to do with words that name nothing here: to go where they are a title, to look for them, or what else was
  /// meant.
  private func whatElse(_ elsewhere: [(entry: Entry, target: Target)]) -> [(entry: Entry, target: Target)] {
    guard !field.text.contains("/") else { return [] }
    let (words, quotes) = (field.text, context.appearance.symbols.quotes)
    let rows = context.bindings.rows.filter { $0.command != .goTo }
    let meant = Likeness.nearest(to: words.lowercased(), among: rows.map(\.name))
    let key = context.label(of: .find) ?? ""
    // The row has no room for more, and would cut it anew for each letter.
    let beginning = words.prefix(context.size.columns)
    let find = Entry(
      completion: words, name: "find", detail: "\(quotes.around(beginning)) in every course",
      topRight: key)
    let synonyms = commandsOfOtherWords() + settingsOfOtherWords()
    let described = (commandsMentioning() + settingsDescribed()).filter { entry, _ in
      !synonyms.contains { $0.entry.name == entry.name }
    }
    return synonyms + elsewhere + [(find, .words(words))] + described
      + meant.filter { name in !(synonyms + described).contains { $0.entry.name == name } }
      .compactMap { name in rows.first { $0.name == name } }.map(self.entry)
  }

  // MARK: - Commands

  /// Those whose name begins so, or one of its words does; all of them where nothing is written.
  private func commandsNamed() -> [(entry: Entry, target: Target)] { commands { $0 < 2 } }

  /// Those of which what they do begins so, as `delete` and `update`: that is another name for them. Fewer letters may
  /// still be the beginning of words to look for, or an article.
  private func commandsOfOtherWords() -> [(entry: Entry, target: Target)] {
    field.count > 3 ? commands { $0 == 2 } : []
  }

  /// Those of which only what they do has a word that begins so, and that have no other name of it.
  private func commandsMentioning() -> [(entry: Entry, target: Target)] {
    commands { field.count > 3 ? $0 == 3 : $0 >= 2 }
  }

  private func commands(where isWanted: (_ rank: Int) -> Bool) -> [(entry: Entry, target: Target)] {
    let text = field.text.lowercased()
    let rows = context.bindings.rows
    let order: [KeyBindings.Group] = [.go, .look, .read, .choose]
    let rated = rows.compactMap { row -> (row: KeyBindings.Row, rank: Int)? in
      guard row.command != .goTo else { return nil }
      let words = row.name.split(separator: " ")
      if row.name.hasPrefix(text) { return (row, 0) }
      if words.contains(where: { $0.hasPrefix(text) }) { return (row, 1) }
      if KeyBindings.otherNames[row.command, default: []].contains(where: { $0.hasPrefix(text) }) { return (row, 2) }
      let does = row.does.lowercased().split(separator: " ")
      return does.firstIndex { $0.hasPrefix(text) }.map { (row, $0 == 0 ? 2 : 3) }
    }
    return order.flatMap { group in rated.filter { $0.row.group == group && isWanted($0.rank) } }
      .enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map { entry(of: $0.element.row) }
  }

  private func entry(of row: KeyBindings.Row) -> (entry: Entry, target: Target) {
    let key = row.keys.first?.label(context.appearance.symbols) ?? ""
    return (Entry(completion: row.name, name: row.name, detail: row.does, topRight: key), .command(row.command))
  }

  /// The settings whose name begins so.
  private func settingsNamed() -> [(entry: Entry, target: Target)] {
    let text = field.text.lowercased()
    return settings { $0.name.hasPrefix(text) }
  }

  /// Those of which a value begins so, as `dark` and `cards`: who writes it means the setting.
  private func settingsOfOtherWords() -> [(entry: Entry, target: Target)] {
    let text = field.text.lowercased()
    return text.count > 3 ? settings { entry in entry.values.contains { $0.hasPrefix(text) } } : []
  }

  /// Those of which a value begins so, such as `dark`, or a word of what they do.
  private func settingsDescribed() -> [(entry: Entry, target: Target)] {
    let text = field.text.lowercased()
    // Of a letter or two there is much that begins so.
    guard text.count > 2 else { return [] }
    return settings { entry in
      !entry.name.hasPrefix(text)
        && (entry.values.contains { $0.hasPrefix(text) }
          || entry.does.lowercased().split(separator: " ").contains { $0.hasPrefix(text) })
    }
  }

  /// The values of a setting whose name is written, and behind a blank how they begin: `theme light`.
  private func valuesNamed() -> [(entry: Entry, target: Target)] {
    let words = field.text.lowercased().split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, let entries = try? context.settings?.entries(),
      let setting = entries.first(where: { $0.name == words[0] })
    else { return [] }
    let beginning = words[1].trimmingPrefix(" ")
    return setting.values.filter { $0.hasPrefix(beginning) }.map { value in
      (
        Entry(
          completion: "\(setting.name) \(value)", name: "\(setting.name) \(value)", detail: setting.notes[value] ?? "",
          topRight: value == setting.value ? "now" : ""),
        .value(value, setting: setting.name)
      )
    }
  }

  private func settings(where isWanted: (SettingsKeeper.Entry) -> Bool) -> [(entry: Entry, target: Target)] {
    // Another command of that name does the nearer thing.
    let names = context.bindings.rows.map(\.name)
    guard !field.text.isEmpty, let entries = try? context.settings?.entries() else { return [] }
    return entries.filter { isWanted($0) && !names.contains($0.name) }.map { entry in
      (
        Entry(completion: entry.name, name: entry.name, detail: entry.does, topRight: entry.value),
        .setting(entry.name)
      )
    }
  }

  // MARK: - Headings

  /// Those of which a word begins as what is written; all of them behind a `#`.
  private func headingsMeant() -> [(entry: Entry, target: Target)] {
    let isAsked = field.text.hasPrefix(Self.headingsSign)
    let words = (isAsked ? field.text.dropFirst() : field.text[...]).lowercased().trimmingPrefix(" ")
    guard isAsked || !words.isEmpty else { return [] }
    let top = headings.map(\.level).min() ?? 1
    return headings.filter { heading in
      let title = heading.title.lowercased()
      return title.hasPrefix(words) || title.split(separator: " ").contains { $0.hasPrefix(words) }
    }.map { heading in
      // What stands below another is shown so, where all of them are listed.
      let indent = String(repeating: "  ", count: words.isEmpty ? heading.level - top : 0)
      // Where nothing else is listed, it needs not be said what they are.
      let (detail, what) = isAsked ? ("", "") : ("in this text", "heading")
      return (
        Entry(
          completion: Self.headingsSign + heading.title, name: indent + heading.title, detail: detail, topRight: what),
        .heading(heading.anchor)
      )
    }
  }

  // MARK: - Places

  private func places() throws -> [(entry: Entry, target: Target)] {
    common = nil
    guard !field.text.isEmpty else { return [] }
    guard let slash = field.text.lastIndex(of: "/") else {
      let beginning = field.text.lowercased()
      let begun = try near.flatMap { try children(of: $0, beginningWith: beginning).places }
      // A place has names that none of its paths begins with, such as the key of a course.
      let named = try begun.isEmpty ? placeNamed(field.text).map { [$0] } ?? [] : begun
      return named.map { entry(of: $0, detail: $0.path.description) }
    }
    let parent: Substring = field.text[..<slash]
    guard let place = try placeNamed(String(parent)) else { return [] }
    let start = String(field.text[field.text.index(after: slash)...])
    let found = try children(of: place, beginningWith: start.lowercased())
    if found.places.count == Self.most { common = place.path.appending(found.common).description }
    let inside = found.places.map { entry(of: $0, detail: $0.path.slugs.last ?? "") }
    // A path that is whole means its place, before it means anything in it.
    return start.isEmpty && !place.path.isRoot ? [entry(of: place, detail: "all of it")] + inside : inside
  }

  /// The places anywhere whose titles have what is written, those of this course first.
  private func placesElsewhere() throws -> [(entry: Entry, target: Target)] {
    let text = field.text
    guard Self.titleLetters.contains(field.count), !text.contains("/"), !text.hasPrefix("#") else { return [] }
    let course = try context.navigation.currentStack().first { $0.kind == .course }
    let found = try context.library.search(
      text, preferring: course?.path, limit: 3 * Self.mostElsewhere, snippets: 0, indexingFor: 0)
    // What was corrected is offered by Find.
    guard found.searchedFor == text else { return [] }
    let titled = found.hits.filter { $0.markedTitle.parts.contains(where: \.isMatch) }
    let apart = titled.withoutWraps(try context.navigation.cards(of: titled.map(\.place)))
    // Who writes how a title begins means that one.
    let beginning = text.folded
    let begun = apart.filter { $0.title.folded.hasPrefix(beginning) }
    let others = apart.filter { !$0.title.folded.hasPrefix(beginning) }
    return (begun + others).prefix(Self.mostElsewhere).map { hit in
      (
        Entry(
          completion: hit.path.description + (hit.kind == .activity ? "" : "/"), name: hit.title,
          detail: hit.path.description, topRight: hit.kind.rawValue),
        .place(hit.place)
      )
    }
  }

  /// The place that a path leads to; its first part may also be what is near.
  private func placeNamed(_ path: String) throws -> NamedPlace? {
    let path = PlacePath(path)
    if let place = try context.navigation.place(at: path) { return place }
    for parent in near {
      let path = PlacePath(slugs: parent.path.slugs + path.slugs)
      if let place = try context.navigation.place(at: path) { return place }
    }
    return nil
  }

  /// Whose children a name without a slash means: what is on the page, what is beside it, and the courses.
  private lazy var near: [NamedPlace] = {
    let stack = (try? context.navigation.currentStack()) ?? []
    return stack.suffix(2).reversed() + (stack.count > 2 ? [stack[0]] : [])
  }()

  private func children(
    of parent: NamedPlace, beginningWith beginning: String
  ) throws -> (places: [NamedPlace], common: String) {
    let (nodes, common) = try context.library.children(of: parent.place, beginningWith: beginning, limit: Self.most)
    let places = nodes.map {
      NamedPlace(
        place: .node($0.id), path: parent.path.appending($0.slug), kind: PlaceKind($0.kind), title: $0.title)
    }
    return (places, common)
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
      guard let place = try placeNamed(field.text) else {
        perform(.place(try context.navigation.place(named: .text(field.text)).place))
        return
      }
      perform(.place(place.place))
    } catch NavigationError.unknownPlace(_, let nearest) {
      let quotes = context.appearance.symbols.quotes
      say(
        "No place is called \(quotes.around(field.text)). "
          + (nearest.isEmpty
            ? "Esc closes this; / finds places by their words."
            : "Did you mean \(nearest.prefix(3).map(\.description).joined(separator: ", "))?"))
    } catch {
      say(String(describing: error))
    }
  }

  private func perform(_ target: Target) {
    close()
    onChoose(target)
  }
}
