import CourseLibrary
import LearningModel
import NavigationService
import TextCanvas

/// What stands beside the page in a very wide terminal: what would open, or what is around what has been opened.
struct Aside: Hashable {
  /// One row of an outline.
  struct Row: Hashable {
    var card: CardModel
    /// How deep it lies in the outline, from 0.
    var depth: Int
    var standing = Standing.beside

    /// What it is to the learner: one of several, the page itself, or what is chosen elsewhere.
    enum Standing: Hashable {
      case beside, here, chosen
    }
  }

  /// What it consists of.
  enum Content: Hashable {
    /// Places, in reading order, and how many more follow the last of them.
    case outline([Row], rest: Int)
    /// A text that would be read.
    case text([Block])
    /// The words on cards, or the questions of a quiz: none of the answers.
    case list([[Inline]], after: [Block])
    /// Keys and what they do, for somebody who is here for the first time.
    case keys([KeyBindings.Row])
  }

  var header: PageModel.Header
  var kind: PlaceKind
  var content: Content
}

extension Aside {
  /// So many places are shown with what is in them; more are shown alone.
  private static let mostOpened = 12
  /// More places than any terminal has rows.
  private static let most = 200

  /// What a place holds, and what is in that.
  ///
  /// - Parameters:
  ///   - place: Which.
  ///   - here: The place in it that is on the screen, or that is chosen; `nil` where it is looked into from elsewhere.
  ///   - above: The places above that one: what is in them is shown, and in no others.
  ///   - standing: What that one is.
  @MainActor static func outline(
    of place: Place, to here: Place? = nil, by above: Set<Place> = [], standing: Row.Standing = .here,
    for browser: Browser
  ) throws -> Aside {
    let page = try browser.navigation.page(of: .place(place), with: .some(0, around: .index(0)))
    // Of what is looked into from elsewhere the beginning is seen, and the rest is only counted.
    let enough = here == nil ? browser.size.rows : most
    let cards = try cards(in: place, around: above.union(here.map { [$0] } ?? []), upTo: enough, for: browser)
    var rows: [Row] = []
    var rest = cards.unreadBelow
    for card in cards.known {
      guard let node = card.node else { continue }
      let isOpened = here == nil ? cards.count <= mostOpened : above.contains(.node(node))
      let inside =
        isOpened && card.kind != .activity
        ? try self.cards(in: .node(node), around: above, upTo: max(1, enough - rows.count), for: browser)
        : CardWindow([])
      // Of a place that holds one thing of its own title, that thing is shown: it is what opens.
      let isOne = inside.count == 1 && inside.known.first?.title == card.title
      let shown = isOne ? inside.known : [card] + inside.known
      rest += inside.unreadBelow
      rows += shown.enumerated().map { number, each in
        Row(
          card: each, depth: min(1, number),
          standing: here != nil && each.node == here?.node ? standing : .beside)
      }
    }
    return Aside(
      header: header(of: page, for: browser), kind: page.place.kind,
      content: .outline(rows, rest: rest))
  }

  @MainActor private static func cards(
    in place: Place, around places: Set<Place>, upTo most: Int, for browser: Browser
  ) throws -> CardWindow {
    let first = CardWindow(try browser.navigation.childCards(of: place, .some(most, around: .index(0))))
    guard first.count > most,
      let focus = places.lazy.compactMap(\.node).first(where: { node in
        (try? browser.navigation.childCards(of: place, .some(1, around: .node(node))).focus) != nil
      })
    else { return first }
    return CardWindow(try browser.navigation.childCards(of: place, .some(most, around: .node(focus))))
  }

  /// How to get around, for somebody who has no course yet.
  @MainActor static func welcome(_ browser: Browser) -> Aside {
    let first: [Command] = [
      .chooseNext, .choosePrevious, .open, .up, .readOn, .next, .goOn, .find, .mark, .goTo, .help,
    ]
    return Aside(
      header: PageModel.Header(
        title: "How to get around", summary: "A handful of keys is enough, and the last row always shows them.",
        topRight: "", bottomRight: "", fraction: 0),
      kind: .root, content: .keys(first.compactMap(browser.screen.bindings.row)))
  }

  /// What an activity is made of.
  @MainActor static func activity(_ node: NodeID, for browser: Browser) throws -> Aside {
    let page = try browser.navigation.page(of: .place(.node(node)), with: .some(0, around: .index(0)))
    let content: Content =
      switch try browser.library.content(of: node) {
      case .reading(let blocks), .link(_, let blocks): .text(blocks)
      case .flashcards(let introduction, let cards): .list(cards.map(\.front), after: introduction)
      case .quiz(let introduction, let questions): .list(questions.map(\.question), after: introduction)
      case nil: .text([])
      }
    return Aside(header: header(of: page, for: browser), kind: .activity, content: content)
  }

  @MainActor private static func header(of page: Page, for browser: Browser) -> PageModel.Header {
    PageModel(page, clock: browser.dayNames, learner: browser.navigation.learner).header
  }
}
