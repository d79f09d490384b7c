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
    }
  }
}
