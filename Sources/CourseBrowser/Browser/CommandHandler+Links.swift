import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// Links, and what is copied.
extension CommandHandler {
  func target(of destination: String, on page: any CoursePage) -> LinkTarget? {
    guard destination.hasPrefix(CourseLink.scheme), let course = course(of: page) else { return nil }
    // A link that cannot be looked up is one that leads nowhere.
    guard let (node, anchor) = try? library.target(of: destination, inCourse: course),
      let card = try? navigation.card(of: .place(.node(node.id)))
    else { return nil }
    let detail = CourseLink.leadsToOtherCourse(destination) ? "in another course" : CardModel.describe(card)
    return LinkTarget(node: node.id, anchor: anchor, title: node.title, detail: detail)
  }

  func matches(of query: String, in text: String) -> TextMatches {
    (try? library.matches(of: query, in: text)) ?? TextMatches()
  }

  func course(of page: any CoursePage) -> NodeID? {
    guard let index = stack.screens.firstIndex(where: { $0 === page }), index > 0 else { return nil }
    return (stack.screens[1] as? PageScreen)?.place.node
  }

  func follow(_ destination: String, from page: any CoursePage, cause: NavigationCause) {
    if let target = target(of: destination, on: page) {
      let showAnchor = { [self] in
        if let anchor = target.anchor { (self.page as? ActivityScreen)?.show(anchor: anchor) }
      }
      guard page.place != .node(target.node) else { return showAnchor() }
      navigate(.open(.place(.node(target.node))), cause: cause, then: showAnchor)
    } else if destination.hasPrefix(CourseLink.scheme) {
      notify(Words.missing(linkTo: destination))
    } else if let address = WebAddress(destination) {
      if browser.onOpen?(address.text) == true {
        notify("Opened \(address.text)")
      } else {
        copy(address.text, named: "the address")
      }
    } else {
      notify("Not opened, for it is no address of the web: \(destination)")
    }
  }

  // MARK: - Copying

  /// Copies the path of what has the frame, and without a frame that of the page.
  func copyPath() {
    guard let page else { return }
    let tab = tabs.selectedScreen as? TabPage
    let framed = tab == nil ? (page as? ListScreen)?.chosenCard?.node.map(Place.node) : tab?.frame?.place.place
    trying {
      let place = try navigation.place(named: .place(framed ?? page.place))
      let quotes = appearance.symbols.quotes
      let name = framed == nil ? "this place" : quotes.around(place.title)
      copy(place.path.description, named: "the path of " + name)
    }
  }

  func copy(_ text: String, named name: String, saying more: String? = nil) {
    guard let onCopy = browser.onCopy else { return notify("Nothing copies here: " + text) }
    guard onCopy(text) else { return notify("This is too long for the clipboard.") }
    let quoted = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    // What else is said has its row, whatever was copied.
    let room = PageMetrics(size: size).textWidth - name.displayWidth - 10 - (more.map { $0.displayWidth + 2 } ?? 0)
    let words = more == nil ? quoted : quoted.truncated(to: max(8, room), ellipsis: appearance.symbols.ellipsis)
    notify(["Copied \(name): \(words)", more].compactMap { $0 }.joined(separator: "  "))
  }

}
