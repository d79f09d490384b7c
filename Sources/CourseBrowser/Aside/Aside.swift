import LearningModel
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
