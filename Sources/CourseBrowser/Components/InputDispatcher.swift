import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The path of input: an event, the command of its key, the focused screen, and then the ancestors of that screen.
///
/// Each screen on the path first receives the event itself, so that a text field can take letters, and then the
/// command. The outermost screen passes a command that no screen has performed to the components of the browser.
@MainActor final class InputDispatcher: BrowserComponent {
  private let steps: StepPresenter
  private let sidePanes: SidePanePresenter
  private let navigator: Navigator
  private let responders: [any CommandResponder]
  private let quit: () -> Void
  /// The unused keys for which a notice was already shown, by type of page.
  private var unusedKeys: Set<UnusedKey> = []

  /// Creates a dispatcher.
  ///
  /// - Parameters:
  ///   - responders: The components that perform commands that no page has performed, in order of precedence.
  ///   - quit: Ends the program after the event is handled.
  init(
    _ openPages: OpenPages, steps: StepPresenter, sidePanes: SidePanePresenter,
    navigator: Navigator, responders: [any CommandResponder], quit: @escaping () -> Void
  ) {
    (self.steps, self.sidePanes, self.navigator) = (steps, sidePanes, navigator)
    (self.responders, self.quit) = (responders, quit)
    super.init(openPages)
    openPages.root.onCommand = { [weak self] in self?.performAnywhere($0) ?? false }
  }

  /// Delivers an event.
  ///
  /// - Parameter time: The time of the event, in seconds of the stage's clock.
  func dispatch(_ event: InputEvent, at time: Double) {
    let key: KeyEvent? = if case .key(let key) = event, key.phase != .release { key } else { nil }
    let command = key.flatMap(context.bindings.command(for:))
    var keyAfterEscape: KeyEvent?
    stage.handle(event, at: time) { screen in
      // Ctrl-C quits even while a text field or an overlay has the focus.
      if let key, key.isInterrupt { return perform(.quit) }
      if key != nil, self.screen.answerOffer(with: command) { return true }
      if screen.handle(event) { return true }
      if let command, offer(command, to: screen) { return true }
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

  /// Returns whether a key with Alt was Escape, followed quickly by the key. Most terminals send the same bytes for both,
  /// so a key with Alt that is bound and used by no screen is handled as two keys.
  private func isEscapeBeforeKey(_ key: KeyEvent) -> Bool {
    key.modifiers.contains(.alt) && key.key != .escape && !context.distinguishesAlt
      && context.bindings.command(for: key) == nil
  }

  /// Performs the command of a click or an overlay, as if its key had been pressed on the page.
  func perform(_ command: Command) -> Bool {
    offer(command, to: openPages.focus) || screen.perform(command)
  }

  /// Offers a command to one screen of the path. If a pane has the focus, it is offered the command before the focused
  /// page.
  private func offer(_ command: Command, to screen: Screen) -> Bool {
    // After a gesture, the page of the step may still be moving in. It is not on the stack until it has arrived.
    let screen = screen.parent === stack ? openPages.focus : screen
    let responder = screen as? any CommandResponder
    guard screen === openPages.focus else { return responder?.perform(command) ?? false }
    if sidePanes.performOnPane(command) { return true }
    return steps.dissolvingLayoutChange(of: command) { responder?.perform(command) ?? false }
  }

  private func performAnywhere(_ command: Command) -> Bool {
    guard command == .quit else { return responders.contains { $0.perform(command) } }
    quit()
    return true
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
    guard context.hasBegun, !label.isEmpty, unusedKeys.insert(unused).inserted else { return }
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
    if sidePanes.clickInPane(point) { return true }
    if let page, tabs.selectedIndex == 0, let index = page.breadcrumbItem(at: point),
      stack.screens.indices.contains(index),
      let ancestor = stack.screens[index] as? PageScreen
    {
      navigator.navigate(.popTo(.place(ancestor.place)), cause: .mouse)
      return true
    }
    if tabs.selectedIndex == 0, let list = page as? ListScreen, list.isHowToAdd(point) { return perform(.add) }
    switch screen.target(at: point) {
    case .footer(.tab(let index)): steps.selectTab(index)
    case .footer(.key(let hint)): return perform(key: hint.key)
    case .hint(let hint): return perform(key: hint.key)
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

  /// Performs the command of a key whose label was clicked.
  private func perform(key label: String) -> Bool {
    let arrows = appearance.symbols.arrows
    if let history = openPages.history, [arrows[2], arrows[3]].contains(label) {
      history.showWeek(by: label == arrows[2] ? -1 : 1)
      return true
    }
    let row = context.bindings.rows.first { $0.keys.contains { $0.label(appearance.symbols) == label } }
    guard let row else { return false }
    navigator.inputCause = .mouse
    defer { navigator.inputCause = .key }
    return perform(row.command)
  }
}

extension PageScreen {
  /// Returns the ancestor whose breadcrumb is at a cell, counted from the list of courses, or `nil` if there is no
  /// breadcrumb at the cell.
  func breadcrumbItem(at point: CellPoint) -> Int? {
    guard point.row == metrics.breadcrumbRow, place != .root else { return nil }
    return drawing.breadcrumbItem(at: point.column - metrics.textColumn, of: page.breadcrumb)
  }
}
