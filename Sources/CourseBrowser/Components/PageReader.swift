import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Reads the models of pages from the services.
@MainActor final class PageReader: BrowserComponent, CardSource {
  private let previousSession: () -> String?

  /// Creates a reader.
  ///
  /// - Parameter previousSession: Returns the text about the learner's previous session, which the list of courses
  ///   shows.
  init(_ openPages: OpenPages, previousSession: @escaping () -> String?) {
    self.previousSession = previousSession
    super.init(openPages)
  }

  /// Reads the page of the learner's current place again.
  func reloadCurrentPage() {
    guard let page else { return }
    trying { page.show(try model(of: page)) }
    context.showFooter()
  }

  /// Reads every open page again.
  func reloadAllPages() throws {
    for case let page as PageScreen in stack.screens { page.show(try model(of: page)) }
  }

  /// Returns the current model of a page, with the cards around the selected one.
  func model(of page: any CoursePage) throws -> PageModel {
    try model(of: page.place, around: page.chosenNode.map(ChildSummaries.Focus.node) ?? .nextToDo)
  }

  /// Returns the model of a page, with the cards around one of them.
  func model(of place: Place, around focus: ChildSummaries.Focus) throws -> PageModel {
    let page = try navigation.places.page(of: .place(place), with: .some(cardsInView, around: focus))
    let learner = navigation.learner
    guard page.place.kind == .root else { return PageModel(page, clock: dayNames, learner: learner) }
    guard page.childSummaries.count > 0 else { return .welcome(learner) }
    var model = PageModel(
      page, clock: dayNames, learner: learner, previousSession: previousSession(),
      comingBack: try ComingBack(page.nextStep, of: navigation))
    model.cards = try withDueCards(model.cards)
    return model
  }

  /// Adds the numbers of due cards to the list of courses.
  private func withDueCards(_ cards: CardWindow) throws -> CardWindow {
    let overview = try navigation.reviews.overview()
    // The limit of all courses can be lower than the sum of the courses.
    let isLimited = overview.courses.map(\.today).reduce(0, +) > overview.total.today
    let due = overview.courses.compactMap { course in
      course.today > 0
        ? course.place.place.node.map { ($0, (isLimited ? "up to " : "") + "\(course.today) due") } : nil
    }
    return due.isEmpty ? cards : cards.adding(amounts: Dictionary(uniqueKeysWithValues: due))
  }

  func cards(of place: Place, around focus: ChildSummaries.Focus) -> CardWindow? {
    var cards: CardWindow?
    trying {
      let window = CardWindow(try navigation.places.childSummaries(of: place, .some(cardsAround, around: focus)))
      cards = place == .root ? try withDueCards(window) : window
    }
    // If there is no course yet, the list shows how to begin.
    return place == .root && cards?.isEmpty == true ? PageModel.welcome(navigation.learner).cards : cards
  }

  func contents(of card: CardModel) -> String {
    guard let node = card.node else { return "" }
    let innerNode = innermost(of: node)
    var text = ""
    trying {
      let children = try navigation.places.childSummaries(of: .node(innerNode), .some(8, around: .index(0)))
      let cards = children.summaries
      // A child with the same title as the card is omitted.
      let titles = cards.map(\.place.title).filter { $0 != card.title }
      text = (titles + (cards.count < children.count ? [appearance.symbols.ellipsis] : [])).joined(separator: ", ")
      if cards.isEmpty { text = try library.content(of: innerNode)?.beginning ?? "" }
    }
    return text
  }

  func next(in course: CardModel) -> String {
    guard let node = course.node else { return "" }
    var text = ""
    trying {
      guard let next = try navigation.places.page(of: .place(.node(node)), with: .some(0, around: .index(0))).nextStep,
        next.reason != .allDone
      else { return text = "done" }
      text = (course.progressState == .notBegun ? "begins with: " : "next: ") + next.summary.place.title
    }
    return text
  }

  /// The number of cards that a step reads from a long list: enough to fill the screen at any scroll offset. Each card
  /// adds some microseconds to the step.
  private var cardsInView: Int { max(16, 2 * PageMetrics(size: size).bodyRows + 2) }
  /// The number of cards that scrolling reads: three screens of cards.
  private var cardsAround: Int { max(64, 3 * size.rows) }

  /// Returns the place that a card opens, which can be a descendant of the card's own place.
  func innermost(of node: NodeID) -> NodeID {
    (try? navigation.places.innermost(of: node)) ?? node
  }
}

extension ActivityContent {
  /// The text of the first paragraph, or empty if the content begins with another block.
  fileprivate var beginning: String {
    guard case .paragraph(let paragraph) = text.first else { return "" }
    // This is more than any terminal can show in a summary.
    return String(paragraph.plainText.prefix(400))
  }
}
