package import LearningModel
import TextCanvas

/// What stands beside the page in a very wide terminal: what would open, or what is around what has been opened.
package struct Aside: Hashable {
  /// One row of an outline.
  package struct Row: Hashable {
    package var card: CardModel
    /// How deep it lies in the outline, from 0.
    package var depth: Int
    package var standing = Standing.beside

    package init(card: CardModel, depth: Int, standing: Standing = Standing.beside) {
      self.card = card
      self.depth = depth
      self.standing = standing
    }

    /// What it is to the learner: one of several, the page itself, or what is chosen elsewhere.
    package enum Standing: Hashable {
      case beside, here, chosen
    }
  }

  /// What it consists of.
  package enum Content: Hashable {
    /// Places, in reading order, and how many more follow the last of them.
    case outline([Row], rest: Int)
    /// A text that would be read.
    case text([Block])
    /// The words on cards, or the questions of a quiz: none of the answers.
    case list([[Inline]], after: [Block])
    /// Keys and what they do, for somebody who is here for the first time.
    case keys([KeyBindings.Row])
  }

  /// What it is to the page, such as `What would open`; nothing where its title says so.
  package var label = ""
  package var header: PageModel.Header
  package var kind: PlaceKind
  package var content: Content

  package init(header: PageModel.Header, kind: PlaceKind, content: Content) {
    self.header = header
    self.kind = kind
    self.content = content
  }

  /// The same, with words that say what it is to the page.
  package func labelled(_ label: String) -> Aside {
    var aside = self
    aside.label = label
    return aside
  }
}
