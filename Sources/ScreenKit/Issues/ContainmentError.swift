/// Why a container refused an operation; nothing has changed.
public enum ContainmentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The screens of a transition are not children of the one that was asked.
  case noCommonParent(from: String, to: String, container: String)
  /// The screen is in the stack already.
  case alreadyInStack(screen: String, container: String)
  /// The screen is not in the stack.
  case notInStack(screen: String, container: String)
  /// A stack cannot be empty.
  case emptyStack(container: String)
  /// The screen presents another one already.
  case alreadyPresenting(screen: String, presented: String)
  /// The screen is presented, or has a parent, already.
  case alreadyShown(screen: String)
  /// There is no such child.
  case noSuchChild(index: Int, container: String, count: Int)
  /// The screen is none of the tabs.
  case noSuchTab(screen: String, container: String)
  /// Tabs cannot be empty.
  case emptyTabs(container: String)
  /// Both screens of a transition are one.
  case sameScreen(screen: String, container: String)
  /// The screen contains the one that was to contain it.
  case containsItself(screen: String, container: String)
  /// Another container lists the screen.
  case heldElsewhere(screen: String, container: String)
  /// The screen is presented, so it cannot be a child.
  case presented(screen: String, container: String)

  /// What was asked, why not, and what to do.
  public var description: String {
    switch self {
    case .noCommonParent(let from, let to, let container):
      "Could not switch from '\(from)' to '\(to)' at '\(container)': they are not both its children. "
        + "Add both with addChild first."
    case .alreadyInStack(let screen, let container):
      "Could not push '\(screen)' at '\(container)': it is in the stack already. Pop to it instead."
    case .notInStack(let screen, let container):
      "Could not pop to '\(screen)' at '\(container)': it is not in the stack. Push it instead."
    case .emptyStack(let container):
      "Could not set the screens at '\(container)': there are none. Give at least one."
    case .alreadyPresenting(let screen, let presented):
      "Could not present at '\(screen)': it presents '\(presented)' already. "
        + "Dismiss that, or present from there."
    case .alreadyShown(let screen):
      "Could not present '\(screen)' at its place: it is shown elsewhere. Dismiss or remove it there first."
    case .noSuchChild(let index, let container, let count):
      "Could not select '\(index)' at '\(container)': it has \(count) screens. Count from 0."
    case .noSuchTab(let screen, let container):
      "Could not select '\(screen)' at '\(container)': it is none of its screens. Give one of them."
    case .emptyTabs(let container):
      "Could not make the tabs at '\(container)': there are no screens. Give at least one."
    case .sameScreen(let screen, let container):
      "Could not switch from '\(screen)' to itself at '\(container)': both are one screen. Give another one."
    case .containsItself(let screen, let container):
      "Could not put '\(screen)' at '\(container)': it contains that. Give a screen that stands outside."
    case .heldElsewhere(let screen, let container):
      "Could not take '\(screen)' from '\(container)': it is one of its screens. Pop or replace it there first."
    case .presented(let screen, let container):
      "Could not put '\(screen)' at '\(container)': it is presented. Dismiss it first."
    }
  }
}
