import Answers
import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The command palette: performs commands by name and opens places by path.
///
/// Paths are completed one level at a time. A text without a slash matches commands, settings, headings of the text,
/// the children and siblings of the page, the courses, and finally titles in all courses. `#` lists all headings.
@MainActor final class PaletteScreen: PromptScreen {
  /// The prefix that limits the entries to headings.
  static let headingsSign = "#"
  /// The commands of the page below the palette.
  private let commands: [CommandPath.Entry]
  /// The headings of the text below the palette, from the top.
  private let headings: [ReadingText.Heading]
  private let onChoose: (Target) -> Void
  /// The effects of the entries, by index.
  private var targets: [Target] = []

  /// The maximum number of listed children of a place. To find other children, the learner types more letters.
  private static let maximumListed = 50

  /// The maximum number of places found by title, and the text lengths for which titles are searched. Every letter
  /// starts another search, so texts that are longer than any title are not searched.
  private static let maximumElsewhere = 8
  private static let titleLetters = 3...100

  /// The common prefix of all matching places if the list does not contain all of them, otherwise `nil`.
  private var common: String?
  override var commonCompletion: String? { common }

  /// The effect of an entry.
  enum Target: Hashable {
    case command(Command)
    case place(Place)
    /// A heading of the text on the page.
    case heading(String)
    /// A search for words in all courses.
    case search(String)
    /// Opens the values of a setting.
    case setting(String)
    /// Sets a setting to a value.
    case value(String, setting: String)
    /// Opens the manual at the page with a name, or at its first page if the name is empty.
    case manual(String)
  }

  /// Creates the palette.
  ///
  /// - Parameters:
  ///   - commands: The commands of the page below the palette.
  ///   - headings: The headings of the text below the palette, from the top.
  ///   - onChoose: Performs the selected entry after the palette has closed.
  init(
    commands: [CommandPath.Entry], headings: [ReadingText.Heading], context: ScreenContext,
    source: @escaping () -> CellRect, onChoose: @escaping (Target) -> Void
  ) {
    self.commands = commands.filter { $0.offer.label != nil && $0.row.command != .showPalette }
    (self.headings, self.onChoose) = (headings, onChoose)
    super.init(title: "Go to", context: context, source: source)
  }

  override var prefix: String { ":" }
  override var invitation: String { headings.isEmpty ? "a command or a path" : "a command, a path, # for headings" }

  override func makeEntries() throws -> [Entry] {
    let places = try places()
    // A text with a slash is a path.
    var matches =
      field.text.contains("/")
      ? places : commandsNamed() + manualNamed() + settingsNamed() + valuesNamed() + matchingHeadings() + places
    // Commands that match only by their description are listed last, so that Enter does not perform them by accident.
    let elsewhere = try placesElsewhere()
    if matches.isEmpty {
      matches = fallbackEntries(elsewhere)
    } else if !field.text.contains("/") {
      matches += elsewhere.filter { candidate in !matches.contains { $0.target == candidate.target } }
      matches += commands { $0 >= 2 } + settingsDescribed() + manualPages(about: field.text)
    }
    targets = matches.map(\.target)
    return matches.map(\.entry)
  }

  override var emptyMessage: String { "No path begins with this text. Ctrl-U clears it." }

  /// Returns the entries for a text that does not match any name: commands and settings with matching descriptions,
  /// titles, a search for the text, and commands with similar names.
  private func fallbackEntries(_ elsewhere: [(entry: Entry, target: Target)]) -> [(entry: Entry, target: Target)] {
    guard !field.text.contains("/") else { return [] }
    let (query, quotes) = (field.text, context.appearance.symbols.quotes)
    let similarNames = FuzzyMatch.nearest(to: query.lowercased(), among: commands.map(\.row.name))
    let key = context.label(of: .find) ?? ""
    // Text beyond the width of the terminal is never visible, and truncating it for every letter would take time.
    let shownQuery = query.prefix(context.size.columns)
    let findEntry = Entry(
      completion: query, name: "find", detail: "\(quotes.around(shownQuery)) in every course",
      topRight: key)
    let synonyms = commandsWithSynonyms() + settingsWithValues()
    let described = (commandsMentioning() + settingsDescribed()).filter { entry, _ in
      !synonyms.contains { $0.entry.name == entry.name }
    }
    return synonyms + elsewhere + [(findEntry, .search(query))] + described
      + similarNames.filter { name in !(synonyms + described).contains { $0.entry.name == name } }
      .compactMap { name in commands.first { $0.row.name == name } }.map(self.entry)
      + manualPages(about: query)
  }

  // MARK: - Commands

  /// The commands whose name, or a word of it, begins with the text. All commands if the text is empty.
  private func commandsNamed() -> [(entry: Entry, target: Target)] { commands { $0 < 2 } }

  /// The commands whose alternative names or descriptions begin with the text, such as `delete` and `update`. Empty for
  /// texts of up to three letters, which could be the beginning of a search or an article such as `the`.
  private func commandsWithSynonyms() -> [(entry: Entry, target: Target)] {
    field.count > 3 ? commands { $0 == 2 } : []
  }

  /// Further commands, whose descriptions contain a word that begins with the text.
  private func commandsMentioning() -> [(entry: Entry, target: Target)] {
    commands { field.count > 3 ? $0 == 3 : $0 >= 2 }
  }

  private func commands(where isIncluded: (_ rank: Int) -> Bool) -> [(entry: Entry, target: Target)] {
    let text = field.text.lowercased()
    let order: [KeyRow.Topic] = [.answer, .navigate, .view, .read, .choose]
    let rated = commands.compactMap { command -> (command: CommandPath.Entry, rank: Int)? in
      let row = command.row
      if [row.name, row.words].contains(where: { $0.hasPrefix(text) }) { return (command, 0) }
      let words = row.name.split { $0 == "-" || $0 == "." } + row.formerNames.map { $0.replacing("-", with: " ")[...] }
      if words.contains(where: { $0.hasPrefix(text) }) { return (command, 1) }
      if Self.synonyms[row.command, default: []].contains(where: { $0.hasPrefix(text) }) { return (command, 2) }
      let sentenceWords = row.sentence.lowercased().split(separator: " ")
      return sentenceWords.firstIndex { $0.hasPrefix(text) }.map { (command, $0 == 0 ? 2 : 3) }
    }
    return order.flatMap { topic in rated.filter { $0.command.row.topic == topic && isIncluded($0.rank) } }
      .enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map { entry(of: $0.element.command) }
  }

  /// Additional names by which the palette finds commands.
  private static let synonyms: [Command: [String]] = [
    .open: ["open outside", "outside", "browser"], .followLink: ["open outside", "outside", "browser"],
    .notes: ["export notes"], .headings: ["contents", "table of contents", "outline", "sections"],
  ]

  private func entry(of command: CommandPath.Entry) -> (entry: Entry, target: Target) {
    let (row, key) = (command.row, command.keys.first?.label(context.appearance.symbols) ?? "")
    return (
      Entry(completion: row.name, name: row.name, detail: row.sentence, topRight: key), .command(row.command)
    )
  }

  /// The settings whose name begins with the text.
  private func settingsNamed() -> [(entry: Entry, target: Target)] {
    let text = field.text.lowercased()
    let keys = SettingsScreen.keysName
    guard text.count > 1, keys.hasPrefix(text), context.settings != nil else {
      return settings { $0.name.hasPrefix(text) }
    }
    return [(Entry(completion: keys, name: keys, detail: "change keys", topRight: ""), .setting(keys))]
  }

  /// The settings with a value that begins with the text, such as `dark` and `summaries`.
  private func settingsWithValues() -> [(entry: Entry, target: Target)] {
    let text = field.text.lowercased()
    return text.count > 3 ? settings { entry in entry.values.contains { $0.hasPrefix(text) } } : []
  }

  /// The settings with a value, or a word of the description, that begins with the text.
  private func settingsDescribed() -> [(entry: Entry, target: Target)] {
    let text = field.text.lowercased()
    // A text of one or two letters would match too many settings.
    guard text.count > 2 else { return [] }
    return settings { entry in
      !entry.name.hasPrefix(text)
        && (entry.values.contains { $0.hasPrefix(text) }
          || entry.explanation.lowercased().split(separator: " ").contains { $0.hasPrefix(text) })
    }
  }

  /// The values of the setting whose name is typed. A text after the name and a space filters them: `theme light`.
  private func valuesNamed() -> [(entry: Entry, target: Target)] {
    let components = field.text.lowercased().split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard components.count == 2, let entries = try? context.settings?.entries(),
      let setting = entries.first(where: { $0.name == components[0] })
    else { return [] }
    let beginning = components[1].trimmingPrefix(" ")
    return setting.values.filter { $0.hasPrefix(beginning) }.map { value in
      (
        Entry(
          completion: "\(setting.name) \(value)", name: "\(setting.name) \(value)", detail: setting.notes[value] ?? "",
          topRight: value == setting.value ? "current" : ""),
        .value(value, setting: setting.name)
      )
    }
  }

  private func settings(where isIncluded: (SettingsStore.Entry) -> Bool) -> [(entry: Entry, target: Target)] {
    // If a command has the same name, only the command is listed.
    let names = commands.map(\.row.name)
    guard !field.text.isEmpty, let entries = try? context.settings?.entries() else { return [] }
    return entries.filter { isIncluded($0) && !names.contains($0.name) }.map { entry in
      (
        Entry(completion: entry.name, name: entry.name, detail: entry.explanation, topRight: entry.value),
        .setting(entry.name)
      )
    }
  }

  // MARK: - Manual

  /// The manual if the text is the beginning of `manual`. For a text that begins with `manual` and a space, its pages and a
  /// search in it.
  private func manualNamed() -> [(entry: Entry, target: Target)] {
    let text = field.text.lowercased()
    guard context.manual != nil, text.count > 2 else { return [] }
    if text.hasPrefix("manual ") {
      let words = text.dropFirst(7).trimmingPrefix(" ")
      let name = "search for " + context.appearance.symbols.quotes.around(String(words))
      let entry = Entry(completion: text, name: name, detail: "in the manual", topRight: "manual")
      return manualPages(about: String(words), atLeast: 0) + (words.isEmpty ? [] : [(entry, .manual(String(words)))])
    }
    return "manual".hasPrefix(text)
      ? [(Entry(completion: "manual ", name: "manual", detail: "read the manual", topRight: ""), .manual(""))] : []
  }

  /// The pages of the manual whose name, or a word of whose title, begins with the text.
  ///
  /// - Parameter minimum: The minimum length of the text.
  private func manualPages(about text: String, atLeast minimum: Int = 3) -> [(entry: Entry, target: Target)] {
    let text = text.lowercased()
    guard text.count >= minimum else { return [] }
    let pages = (context.manual?.pages ?? []).filter { page in
      let title = page.title.lowercased()
      return page.name.hasPrefix(text) || title.hasPrefix(text)
        || title.split(separator: " ").contains { $0.hasPrefix(text) }
    }
    return pages.map { page in
      (
        Entry(completion: "manual \(page.name)", name: page.title, detail: "in the manual", topRight: "manual"),
        .manual(page.name)
      )
    }
  }

  // MARK: - Headings

  /// The headings with a word that begins with the text. All headings if the text is `#`.
  private func matchingHeadings() -> [(entry: Entry, target: Target)] {
    let isHeadingSearch = field.text.hasPrefix(Self.headingsSign)
    let query = (isHeadingSearch ? field.text.dropFirst() : field.text[...]).lowercased().trimmingPrefix(" ")
    guard isHeadingSearch || !query.isEmpty else { return [] }
    let top = headings.map(\.level).min() ?? 1
    return headings.filter { heading in
      let title = heading.title.lowercased()
      return title.hasPrefix(query) || title.split(separator: " ").contains { $0.hasPrefix(query) }
    }.map { heading in
      // In the list of all headings, each heading is indented by its level.
      let indent = String(repeating: "  ", count: query.isEmpty ? heading.level - top : 0)
      // If only headings are listed, they need no label.
      let (detail, kind) = isHeadingSearch ? ("", "") : ("in this text", "heading")
      return (
        Entry(
          completion: Self.headingsSign + heading.title, name: indent + heading.title, detail: detail, topRight: kind),
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
      let prefixMatches = try nearbyPlaces.flatMap { try children(of: $0, beginningWith: beginning).places }
      // A place can have a name that is not the beginning of a path, such as the key of a course.
      let matches = try prefixMatches.isEmpty ? placeNamed(field.text).map { [$0] } ?? [] : prefixMatches
      return matches.map { entry(of: $0, detail: $0.path.description) }
    }
    let parent: Substring = field.text[..<slash]
    guard let place = try placeNamed(String(parent)) else { return [] }
    let start = String(field.text[field.text.index(after: slash)...])
    let matches = try children(of: place, beginningWith: start.lowercased())
    if matches.places.count == Self.maximumListed { common = place.path.appending(matches.common).description }
    let childEntries = matches.places.map { entry(of: $0, detail: $0.path.slugs.last ?? "") }
    // For a complete path, the place itself is listed before its children.
    return start.isEmpty && !place.path.isRoot
      ? [entry(of: place, detail: "this place")] + childEntries : childEntries
  }

  /// The places whose titles match the text. Those in the current course come first.
  private func placesElsewhere() throws -> [(entry: Entry, target: Target)] {
    let text = field.text
    guard Self.titleLetters.contains(field.count), !text.contains("/"), !text.hasPrefix("#") else { return [] }
    let course = try context.navigation.currentStack().first { $0.kind == .course }
    let results = try context.library.search(
      text, preferring: course?.path, limit: 3 * Self.maximumElsewhere, snippets: 0, indexingFor: .zero)
    // The palette ignores results of a corrected query. Find shows them.
    guard results.searchedFor == text else { return [] }
    let titleMatches = results.hits.filter { $0.markedTitle.runs.contains(where: \.isMatch) }
    let distinctMatches = titleMatches.withoutSingleActivityParents(
      try context.navigation.places.summaries(of: titleMatches.map(\.place)))
    // Titles that begin with the text come first.
    let beginning = text.folded
    let prefixMatches = distinctMatches.filter { $0.title.folded.hasPrefix(beginning) }
    let others = distinctMatches.filter { !$0.title.folded.hasPrefix(beginning) }
    return (prefixMatches + others).prefix(Self.maximumElsewhere).map { hit in
      (
        Entry(
          completion: hit.path.description + (hit.kind == .activity ? "" : "/"), name: hit.title,
          detail: hit.path.description, topRight: hit.noun.singular),
        .place(hit.place)
      )
    }
  }

  /// Returns the place at a path that starts at the root or at one of the nearby places.
  private func placeNamed(_ path: String) throws -> NamedPlace? {
    let path = PlacePath(path)
    if let place = try context.navigation.places.at(path) { return place }
    for parent in nearbyPlaces {
      let path = PlacePath(slugs: parent.path.slugs + path.slugs)
      if let place = try context.navigation.places.at(path) { return place }
    }
    return nil
  }

  /// The parents whose children match a name without a slash: the page, its parent, and the root.
  private lazy var nearbyPlaces: [NamedPlace] = {
    let stack = (try? context.navigation.currentStack()) ?? []
    return stack.suffix(2).reversed() + (stack.count > 2 ? [stack[0]] : [])
  }()

  private func children(
    of parent: NamedPlace, beginningWith beginning: String
  ) throws -> (places: [NamedPlace], common: String) {
    let (nodes, common) = try context.library.children(
      of: parent.place, beginningWith: beginning, limit: Self.maximumListed)
    let places = nodes.map {
      NamedPlace($0, at: parent.path.appending($0.slug))
    }
    return (places, common)
  }

  private func entry(of place: NamedPlace, detail: String) -> (entry: Entry, target: Target) {
    let completion = place.path.description + (place.kind == .activity ? "" : "/")
    return (
      Entry(completion: completion, name: place.title, detail: detail, topRight: place.noun.singular),
      .place(place.place)
    )
  }

  // MARK: - Performing an entry

  override func submit() {
    if let entry = chosenEntry, targets.indices.contains(chosen), entry == entries[chosen] {
      return perform(targets[chosen])
    }
    do {
      guard let place = try placeNamed(field.text) else {
        perform(.place(try context.navigation.places.named(.text(field.text)).place))
        return
      }
      perform(.place(place.place))
    } catch NavigationError.unknownPlace(_, let nearest) {
      let quotes = context.appearance.symbols.quotes
      showMessage(
        "No place is called \(quotes.around(field.text)). "
          + (nearest.isEmpty
            ? "Esc closes the palette; / finds words in texts."
            : "Did you mean \(nearest.prefix(3).map(\.description).joined(separator: ", "))?"))
    } catch {
      showMessage(CommandWords.text(error))
    }
  }

  private func perform(_ target: Target) {
    close()
    onChoose(target)
  }
}
