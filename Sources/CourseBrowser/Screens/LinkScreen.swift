import CoursePages
import LearningModel
import NavigationKit

/// A link to the web, with a text about it.
///
/// The address is a link at the end of the text, and opens like any other link. Enter marks the activity as done.
@MainActor final class LinkScreen: ReadingScreen {
  let destination: String

  init(place: Place, page: PageModel, destination: String, blocks: [Block], host: PageContext) {
    self.destination = destination
    super.init(place: place, page: page, blocks: blocks, host: host)
  }

  /// An activity of this kind is not marked as done automatically, because only the learner knows whether they have
  /// visited the address.
  override var completesWhenRead: Bool { false }

  override func offer(_ command: Command) -> Offer? {
    switch command {
    case .visited where chosenLink == nil:
      // The key is used even if the activity is done, so that it does not perform another command.
      Offer(isDone ? nil : "visited", order: -1) { [self] in
        if !isDone { host.recorder.record(.markedDone, in: place, on: self) }
      }
    case .copy where chosenLink == nil:
      Offer("copy", order: -2) { [self] in context.copy(destination, named: "the address") }
    default: super.offer(command)
    }
  }

  override var hint: Footer.Hint? {
    guard chosenLink == nil, search == nil, !isDone else { return super.hint }
    return Footer.Hint(
      .copy, text: "Copy the address",
      detail: context.label(of: .visited).map { $0 + " when you have visited it" } ?? "")
  }
}
