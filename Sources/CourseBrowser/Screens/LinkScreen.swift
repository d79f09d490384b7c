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
    let address = Block.paragraph([.link(destination: destination, text: [.text(destination)])])
    super.init(place: place, page: page, blocks: blocks + [address], host: host)
  }

  /// An activity of this kind is not marked as done automatically, because only the learner knows whether they have
  /// visited the address.
  override var completesWhenRead: Bool { false }

  override func perform(_ command: Command) -> Bool {
    switch command {
    case .open where chosenLink == nil:
      guard !isDone else { return true }
      host.recorder.record(.markedDone, in: place, on: self)
    case .copy where chosenLink == nil: context.copy(destination, named: "the address")
    default: return super.perform(command)
    }
    return true
  }

  override var hint: Footer.Hint? {
    guard chosenLink == nil, search == nil, !isDone else { return super.hint }
    return Footer.Hint(
      key: "y", text: "Copy the address",
      detail: context.appearance.symbols.enter + " when you have visited it")
  }

  override var ownKeys: [KeyHint] {
    guard chosenLink == nil else { return super.ownKeys }
    let space = super.ownKeys.filter { $0.key == "Space" }
    let copy = KeyHint("y", "copy")
    return [copy] + (isDone ? [] : [KeyHint(context.appearance.symbols.enter, "visited")]) + space
  }
}
