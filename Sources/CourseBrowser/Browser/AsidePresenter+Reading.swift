import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import TextCanvas

// What there is to read for an aside.
extension AsidePresenter {
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
  func outline(
    of place: Place, to here: Place? = nil, by above: Set<Place> = [], standing: Aside.Row.Standing = .here
  ) throws -> Aside {
    let page = try navigation.page(of: .place(place), with: .some(0, around: .index(0)))
    // Of what is looked into from elsewhere the beginning is seen, and the rest is only counted.
    let enough = here == nil ? size.rows : Self.most
    let cards = try cards(in: place, around: above.union(here.map { [$0] } ?? []), upTo: enough)
    var rows: [Aside.Row] = []
    var rest = cards.unreadBelow
    for card in cards.known {
      guard let node = card.node else { continue }
      let isOpened = here == nil ? cards.count <= Self.mostOpened : above.contains(.node(node))
      let inside =
        isOpened && card.kind != .activity
        ? try self.cards(in: .node(node), around: above, upTo: max(1, enough - rows.count))
        : CardWindow([])
      // Of a place that holds one thing of its own title, that thing is shown: it is what opens.
      let isOne = inside.count == 1 && inside.known.first?.title == card.title
      let shown = isOne ? inside.known : [card] + inside.known
      rest += inside.unreadBelow
      rows += shown.enumerated().map { number, each in
        Aside.Row(
          card: each, depth: min(1, number),
          standing: here != nil && each.node == here?.node ? standing : .beside)
      }
    }
    return Aside(
      header: header(of: page), kind: page.place.kind,
      content: .outline(rows, rest: rest))
  }

  private func cards(
    in place: Place, around places: Set<Place>, upTo most: Int
  ) throws -> CardWindow {
    let first = CardWindow(try navigation.childCards(of: place, .some(most, around: .index(0))))
    guard first.count > most,
      let focus = places.lazy.compactMap(\.node).first(where: { node in
        (try? navigation.childCards(of: place, .some(1, around: .node(node))).focus) != nil
      })
    else { return first }
    return CardWindow(try navigation.childCards(of: place, .some(most, around: .node(focus))))
  }

  /// How to get around, for somebody who has no course yet.
  var welcome: Aside {
    let first: [Command] = [
      .chooseNext, .choosePrevious, .open, .up, .readOn, .next, .goOn, .find, .mark, .goTo, .help,
    ]
    return Aside(
      header: PageModel.Header(
        title: "How to get around", summary: "A handful of keys is enough, and the last row always shows them.",
        topRight: "", bottomRight: "", fraction: 0),
      kind: .root, content: .keys(first.compactMap(screen.bindings.row)))
  }

  /// What an activity is made of.
  func preview(ofActivity node: NodeID) throws -> Aside {
    let page = try navigation.page(of: .place(.node(node)), with: .some(0, around: .index(0)))
    let content: Aside.Content =
      switch try library.content(of: node) {
      case .reading(let blocks), .link(_, let blocks): .text(blocks)
      case .flashcards(let introduction, let cards): .list(cards.map(\.front), after: introduction)
      case .quiz(let introduction, let questions, _): .list(questions.map(\.question), after: introduction)
      case nil: .text([])
      }
    return Aside(header: header(of: page), kind: .activity, content: content)
  }

  private func header(of page: Page) -> PageModel.Header {
    PageModel(page, clock: dayNames, learner: navigation.learner).header
  }
}
