import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The path of input: an event goes to the focused screen and its ancestors, for example to a text field. The commands of
/// a key that none of them has handled are then looked up on the ``CommandPath``.
@MainActor final class InputDispatcher: BrowserComponent {
  private let steps: StepPresenter
  private let commands: CommandPath
  private let navigator: Navigator
  /// Opens the place of a row of a pane. Returns `false` if the cell does not belong to such a row.
  private let clickInPane: (CellPoint) -> Bool
  private let quit: () -> Void
  /// The unused keys for which a notice was already shown, by type of page.
  private var unusedKeys: Set<UnusedKey> = []

  /// Creates a dispatcher.
  ///
  /// - Parameters:
  ///   - clickInPane: Opens the place of a row of a pane. Returns `false` if the cell does not belong to such a row.
  ///   - quit: Ends the program after the event is handled.
  init(
    _ openPages: OpenPages, commands: CommandPath, steps: StepPresenter, navigator: Navigator,
    clickInPane: @escaping (CellPoint) -> Bool, quit: @escaping () -> Void
  ) {
    (self.commands, self.steps, self.navigator) = (commands, steps, navigator)
    (self.clickInPane, self.quit) = (clickInPane, quit)
    super.init(openPages)
  }

  /// Delivers an event.
  ///
  /// - Parameter time: The time of the event, in seconds of the stage's clock.
  func dispatch(_ event: InputEvent, at time: Double) {
    let key: KeyEvent? = if case .key(let key) = event, key.phase != .release { key } else { nil }
    var keyAfterEscape: KeyEvent?
    let focusedScreen = stage.focusedScreen
    stage.handle(event, at: time) { screen in
      if let key, screen === focusedScreen {
        // Ctrl-C ends a check, or quits even while a text field or an overlay has the focus.
        guard !key.isInterrupt else {
          if openPages.root.overlay?.handleInterrupt() != true, context.endCheck?() != true { quit() }
          return true
        }
      }
      if context.playback == nil, screen.handle(event) { return true }
      if let key, screen === focusedScreen, perform(key) { return true }
      guard screen === openPages.root else { return false }
      if case .mouse(let mouse) = event { return handle(mouse) }
      if let key {
        if isEscapeBeforeKey(key) { keyAfterEscape = key } else { notifyUnused(key) }
      }
      return false
    }
    guard let keyAfterEscape else { return }
    dispatch(.key(KeyEvent(.escape)), at: time)
    dispatch(.key(KeyEvent(keyAfterEscape.key, modifiers: keyAfterEscape.modifiers.subtracting(.alt))), at: time)
  }

  private func perform(_ key: KeyEvent) -> Bool {
    guard let offer = commands.offer(for: key) else { return false }
    steps.dissolvingLayoutChange(of: offer.command) { offer.run() }
    return true
  }

  /// Returns whether a key with Alt was Escape, followed quickly by the key. Most terminals send the same bytes for both,
  /// so a key with Alt that is bound and used by no screen is handled as two keys.
  private func isEscapeBeforeKey(_ key: KeyEvent) -> Bool {
    key.modifiers.contains(.alt) && key.key != .escape && !context.distinguishesAlt
      && context.bindings.rows(for: key).isEmpty
  }

  private struct UnusedKey: Hashable {
    var key: Key
    var modifiers: KeyModifiers
    var screen: ObjectIdentifier
  }

  /// Shows a notice that a key has no command on this kind of page. Each key is reported only once.
  private func notifyUnused(_ key: KeyEvent) {
    let visibleScreen: Screen = tabs.selectedIndex == 0 ? page ?? stack : tabs.selectedScreen
    let unused = UnusedKey(key: key.key, modifiers: key.modifiers, screen: ObjectIdentifier(type(of: visibleScreen)))
    let label = key.label(appearance.symbols)
    guard context.isInteractive, !label.isEmpty, unusedKeys.insert(unused).inserted else { return }
    let help = self.label(of: .help).map { " \($0) lists the keys." } ?? ""
    screen.notify("\(label) does nothing here." + help, .quiet)
  }
}

/// Mouse events that no page handles.
extension InputDispatcher {
  /// Handles a mouse event that no page handled: a click on the breadcrumb or the last two rows, a button for back or
  /// forward, or a horizontal scroll.
  private func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.action {
    case .press(.back): navigator.navigate(.back, cause: .mouse)
    case .press(.forward): navigator.navigate(.forward, cause: .mouse)
    case .press(.left): return click(mouse.position)
    case .scroll(let columns, rows: 0) where columns != 0: steps.gestures.scrollSideways(columns)
    // The recogniser at the left edge covers the page but handles only drags, so scroll events there are passed to the
    // page.
    case .scroll where screen.isEdge(mouse.position):
      return ((tabs.selectedIndex == 0 ? page : tabs.selectedScreen) ?? tabs).handle(.mouse(mouse))
    default: return false
    }
    return true
  }

  private func click(_ point: CellPoint) -> Bool {
    if clickInPane(point) { return true }
    if let page, tabs.selectedIndex == 0, let ancestor = page.breadcrumbItem(at: point) {
      navigator.navigate(.popTo(.place(ancestor)), cause: .mouse)
      return true
    }
    if tabs.selectedIndex == 0, let list = page as? ListScreen, list.isHowToAdd(point) { return click(.add) }
    switch screen.target(at: point) {
    case .footer(.tab(let index)): steps.selectTab(index)
    case .footer(.command(let command)): return click(command)
    case .hint(let hint): return hint.command.map(click) ?? false
    case nil: return clickDuringTransition(point)
    }
    return true
  }

  /// Handles a click on a card that is opening or closing, in the same way as a click on the current page.
  private func clickDuringTransition(_ point: CellPoint) -> Bool {
    guard tabs.selectedIndex == 0, !screen.isEdge(point), let opening = steps.openings.first,
      let list = page as? ListScreen,
      let node = opening.node(at: point)
    else { return false }
    return list.click(node)
  }

  /// Performs the command of a label that was clicked.
  private func click(_ command: Command) -> Bool {
    navigator.inputCause = .mouse
    defer { navigator.inputCause = .key }
    return commands.perform(command)
  }
}

extension InputDispatcher: CommandResponder {
  func offer(_ command: Command) -> Offer? {
    guard command == .quit else { return nil }
    let isAtRoot = tabs.selectedIndex == 0 && page?.place == .root && (page as? ListScreen)?.choosesHowToAdd != true
    return Offer(isAtRoot ? "quit" : "") { [self] in quit() }
  }
}

extension PageScreen {
  /// Returns the ancestor whose breadcrumb is at a cell, or `nil` if there is no breadcrumb at the cell.
  func breadcrumbItem(at point: CellPoint) -> Place? {
    guard point.row == metrics.breadcrumbRow, place != .root else { return nil }
    return drawing.breadcrumbItem(at: point.column - metrics.textColumn, of: page.breadcrumb)
      .map { page.breadcrumb.places[$0] }
  }
}
