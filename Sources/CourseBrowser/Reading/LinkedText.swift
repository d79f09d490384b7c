import CoursePages
import LearningModel
import TextCanvas

/// A screen with a text whose links can be selected and followed.
@MainActor protocol LinkedText: ActivityPage {
  var context: ScreenContext { get }
  var host: PageContext { get }
  var text: ReadingText { get }
  var pane: TextPane { get }
  /// The first visible line.
  var scroll: Int { get }
  var visibleLines: Range<Int> { get }
  /// The row of the terminal in which the text begins if it is not scrolled.
  var textTop: Int { get }
  var textLeft: Int { get }
  /// The index of the selected link, or `nil` if no link is selected.
  var chosenLink: Int? { get set }
  /// The index of the code block that was copied last, or `nil`.
  var copiedCode: Int? { get set }

  func scroll(to line: Int, gliding: Bool)
  /// Scrolls the heading or target with a name to the top. Does nothing if the text has no such place.
  func show(anchor: String)
  /// Opens or closes the section, tab or footnote that a link controls. Returns `false` for any other link.
  func toggle(_ destination: String) -> Bool
  /// The sections, tabs and footnotes that the reader has opened.
  var opened: ExpandedSections { get }
  /// Draws the visible text again, with its images and the highlighted link.
  func redrawText()
}

extension LinkedText {
  /// By default, a text has nothing that opens and closes.
  func toggle(_ destination: String) -> Bool { false }
  var opened: ExpandedSections { ExpandedSections() }

  /// The cells of the selected link, with rows counted as lines of the text.
  var chosenLinkCells: [CellRect] {
    chosenLink.flatMap { text.links.indices.contains($0) ? text.links[$0].cells : nil } ?? []
  }

  func highlightChosenLink(on surface: inout Surface, from firstLine: Int) {
    for cells in chosenLinkCells {
      surface.mapStyles(in: cells.offset(rows: -firstLine)) { $0.with(.reverse) }
    }
  }

  /// The link that a key would select, starting at the visible lines, or `nil` if there is none.
  private func link(by step: Int) -> Int? {
    guard let chosenLink else {
      return step > 0
        ? text.links.firstIndex { $0.line >= scroll } : text.links.lastIndex { $0.line < visibleLines.upperBound }
    }
    return text.links.indices.contains(chosenLink + step) ? chosenLink + step : nil
  }

  /// Selects the next or the previous link, starting at the visible lines, and scrolls to it. After the last link, the
  /// selection is removed.
  private func chooseLink(by step: Int) {
    chosenLink = link(by: step)
    if let chosenLink, let line = Optional(text.links[chosenLink].line), !visibleLines.contains(line) {
      let rows = pane.size.rows
      scroll(to: line - (step > 0 ? rows * 2 / 3 : rows / 3), gliding: true)
    }
    redrawText()
    host.observer.pageChanged(self)
  }

  /// Scrolls to a link and selects it.
  private func show(link: Int) {
    let line = text.links[link].line
    if !visibleLines.contains(line) { scroll(to: line - pane.size.rows / 3, gliding: true) }
    chosenLink = link
    redrawText()
    host.observer.pageChanged(self)
  }

  private func show(image number: Int) {
    let image = text.images[number]
    host.overlays.show(image) { [weak self] in
      guard let self else { return .zero }
      let link = text.links.first { $0.destination == ImageLink.destination(number) }
      let cells = image.cells ?? link?.cells.first ?? .zero
      return cells.offset(columns: textLeft, rows: textTop - scroll)
    }
  }

  func link(at point: CellPoint) -> Int? {
    let cell = CellPoint(column: point.column - textLeft, row: point.row - textTop + scroll)
    return text.links.firstIndex { $0.cells.contains { $0.contains(cell) } }
  }

  func followChosenLink(cause: NavigationCause) -> Bool {
    guard let chosenLink else { return false }
    let destination = text.links[chosenLink].destination
    redrawText()
    host.observer.pageChanged(self)
    if let number = ImageLink.number(of: destination), text.images.indices.contains(number) {
      show(image: number)
      return true
    }
    if toggle(destination) { return true }
    if let note = FootnoteLink.backlinkNumber(destination),
      let other = text.links.firstIndex(where: { $0.destination == FootnoteLink.destination(note) })
    {
      show(link: other)
    } else if destination.hasPrefix("#") {
      show(anchor: String(destination.dropFirst()))
    } else {
      // A link to another page is not selected when the learner returns.
      if host.navigator.target(of: destination, on: self) != nil { self.chosenLink = nil }
      host.navigator.follow(destination, from: self, cause: cause == .mouse ? .mouse : .link)
    }
    return true
  }

  /// The index of the code block to copy next: the first visible one or, if that was just copied, the following one.
  private var codeToCopy: Int? {
    let visibleCodes = text.codes.indices.filter { text.codes[$0].lines.overlaps(visibleLines) }
    return copiedCode.flatMap { copied in visibleCodes.first { $0 > copied } } ?? visibleCodes.first
  }

  /// Copies a visible code block.
  private func copy(code: Int) {
    let hasMore = text.codes[(code + 1)...].contains { $0.lines.overlaps(visibleLines) }
    copiedCode = code
    context.copy(
      text.codes[code].code, named: "the code",
      notice: hasMore ? context.label(of: .copy).map { "\($0) copies the next." } : nil)
  }

  var linkHint: Footer.Hint? {
    guard let chosenLink else { return nil }
    let destination = text.links[chosenLink].destination
    let symbols = context.appearance.symbols
    if let target = host.navigator.target(of: destination, on: self) {
      if target.node == place.node, let title = target.anchor.flatMap(text.description(ofAnchor:)) {
        return headingHint(title)
      }
      let title = symbols.quotes.around(target.title)
      return Footer.Hint(.followLink, text: "Open " + title, detail: target.detail)
    }
    if let action = linkDescription(forSection: destination) {
      return Footer.Hint(.followLink, text: action, detail: "in this text")
    }
    if ImageLink.number(of: destination) != nil {
      return Footer.Hint(.followLink, text: "Enlarge", detail: "an image")
    }
    if destination.hasPrefix(CourseLink.scheme) {
      let isOther = CourseLink.leadsToOtherCourse(destination)
      return Footer.Hint(
        .followLink, text: isOther ? "Link to another course" : "Broken link",
        detail: isOther ? "not in this database" : "")
    }
    guard text.links[chosenLink].leadsOut else {
      let anchor = String(destination.dropFirst())
      return headingHint(text.description(ofAnchor: anchor) ?? anchor)
    }
    guard WebAddress(destination) != nil else {
      return Footer.Hint(.copy, text: "Copy " + destination, detail: "cannot be opened")
    }
    let verb = context.canOpen(destination) ? "Open " : "Copy "
    return Footer.Hint(.followLink, text: verb + destination, detail: "outside the course")
  }

  /// Returns the action of a link that opens or closes a section, tab or footnote. Returns `nil` for any other link.
  private func linkDescription(forSection destination: String) -> String? {
    if let note = FootnoteLink.number(of: destination) {
      return (opened.notes.contains(note) ? "Close note " : "Read note ") + String(note)
    }
    if let note = FootnoteLink.backlinkNumber(destination) { return "Back to [\(note)]" }
    if let details = DetailsLink.number(of: destination) {
      return opened.details.contains(details) ? "Close section" : "Open section"
    }
    return TabLink.tab(of: destination).map { _ in "Show this tab" }
  }

  private func headingHint(_ title: String) -> Footer.Hint {
    let symbols = context.appearance.symbols
    return Footer.Hint(
      .followLink, text: "Open " + symbols.quotes.around(title), detail: "in this text")
  }

  /// Handles a mouse event on the text: scrolling and clicks on links.
  func handleOnText(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event else { return false }
    switch mouse.action {
    case .scroll(columns: 0, let rows): scroll(to: scroll + rows * 3, gliding: false)
    case .press(.left):
      guard let link = link(at: mouse.position) else { return false }
      // The first click on a web link only selects it, so that the hint shows its address before it is opened.
      if chosenLink != link, text.links[link].leadsOut {
        chosenLink = link
        redrawText()
        host.observer.pageChanged(self)
        return true
      }
      chosenLink = link
      return followChosenLink(cause: .mouse)
    default: return false
    }
    return true
  }

  /// Returns what the commands for links and code blocks do.
  func offerOnLinks(_ command: Command, copyRank: Int = 0) -> Offer? {
    switch command {
    // If there is no link in this direction, the key is used too, so that it does not open another tab.
    case .nextLink where chosenLink == nil && link(by: 1) == nil: return .unused
    case .previousLink where chosenLink == nil && link(by: -1) == nil: return .unused
    case .nextLink:
      let isVisible = chosenLink == nil && text.links.contains { visibleLines.contains($0.line) }
      return Offer(isVisible ? "link" : "", rank: 2) { [self] in chooseLink(by: 1) }
    case .previousLink: return Offer { [self] in chooseLink(by: -1) }
    case .followLink where chosenLink != nil:
      return Offer("follow") { [self] in _ = followChosenLink(cause: .key) }
    case .copy:
      if let link = chosenLink.map({ text.links[$0] }), link.leadsOut {
        return Offer("copy") { [context] in context.copy(link.destination, named: "the address") }
      }
      return codeToCopy.map { code in Offer("copy", rank: copyRank) { [self] in copy(code: code) } }
    default: return nil
    }
  }
}

/// A screen whose text highlights the matches of a search.
@MainActor protocol TextWithMatches: LinkedText {
  /// The query with which the text was opened, with its matches. `nil` if there is no query or no match.
  var searchMatches: SearchMatches? { get set }
  /// The name of the text in hints, as in `1 of 3 in this text`.
  var matchContext: String { get }

  /// Shows the matches of a query in the text.
  func show(matches query: String)
  /// Scrolls a line to one third of the visible height. The lines that are passed do not count as read.
  func lookUp(line: Int, gliding: Bool)
}

extension TextWithMatches {
  /// Searches the lines of the current layout.
  func updateMatches() {
    guard let query = searchMatches?.query else { return }
    let matches = context.matches(of: query, in: text.lines.map(\.text).joined(separator: "\n"))
    searchMatches?.update(matches, in: text.lines)
    if matches.places.isEmpty { searchMatches = nil }
  }

  /// Deselects the link, or removes the highlights of the matches.
  func leaveInText(_ target: EscapeTarget) {
    if target == .link { chosenLink = nil } else { searchMatches = nil }
    redrawText()
    host.observer.pageChanged(self)
  }

  /// Shows the first match after the text is laid out for the first time.
  func showFirstMatch() {
    guard searchMatches?.isUnvisited == true else { return }
    searchMatches?.isUnvisited = false
    showChosenPlace(gliding: false)
  }

  /// Returns what the commands for the next and the previous match do. After the last match, the highlights are removed.
  func offerOnMatches(_ command: Command) -> Offer? {
    guard searchMatches != nil else { return nil }
    switch command {
    case .nextMatch: return Offer { [self] in chooseMatch(by: 1) }
    case .previousMatch: return Offer { [self] in chooseMatch(by: -1) }
    // Links are selected when the matches have been left.
    case .nextLink, .previousLink: return .unused
    default: return nil
    }
  }

  private func chooseMatch(by step: Int) {
    guard let searchMatches else { return }
    let next = searchMatches.chosen + step
    if searchMatches.groups.indices.contains(next) {
      self.searchMatches?.chosen = next
    } else {
      self.searchMatches = nil
    }
    showChosenPlace(gliding: true)
  }

  private func showChosenPlace(gliding: Bool) {
    if let line = searchMatches?.line, !visibleLines.contains(line) { lookUp(line: line, gliding: gliding) }
    pane.redraw()
    host.observer.pageChanged(self)
  }

  func highlightLookupMatches(on surface: inout Surface, from firstLine: Int) {
    guard let searchMatches else { return }
    let style = context.appearance.theme.hit(bold: true)
    for (index, cells) in searchMatches.places.enumerated() {
      for cells in cells {
        surface.mapStyles(in: cells.offset(rows: -firstLine)) { old in
          var new = searchMatches.isChosen(index) ? style.with(.reverse) : style
          new.link = old.link
          return new
        }
      }
    }
  }

  /// The hint while matches are shown: the number of the selected match, and the key for the next match.
  var matchHint: Footer.Hint? {
    guard let searchMatches else { return nil }
    let (quotes, isLast) = (context.appearance.symbols.quotes, searchMatches.chosen == searchMatches.groups.count - 1)
    // Quotation marks in the query are omitted, because the hint encloses the query in quotation marks.
    let quotedQuery = quotes.around(searchMatches.query.filter { !"\"“”".contains($0) })
    let number = "\(searchMatches.chosen + 1) of \(searchMatches.groups.count)"
    return Footer.Hint(
      .nextMatch, text: isLast ? "Deselect \(quotedQuery)" : "Next \(quotedQuery)",
      detail: "\(number) in \(matchContext)",
      brief: number)
  }
}
