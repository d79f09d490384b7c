import CourseLibrary
import CoursePages
import Foundation
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// Says in the last two rows what can be done now.
@MainActor final class FooterPresenter: BrowserPart {
  /// What is bound where a page speaks of a key: the bindings stay as long as the program runs.
  private var knownLabels: [String: String?] = [:]

  /// Says in the last two rows what can be done here; along with a transition, half way.
  func show(of page: PageScreen? = nil, alongside coordinator: (any TransitionCoordinator)? = nil) {
    guard let page = page ?? self.page else { return }
    if overlay == nil { asides.show(of: page, alongside: coordinator) }
    var footer = Footer()
    footer.selectedTab = tabs.selectedIndex
    footer.place = page.place
    footer.isCovered = overlay != nil
    if let performance = browser.performance {
      (footer.hint, footer.keys) = (performance.hint, performance.keys)
      return screen.show(footer, alongside: coordinator)
    }
    if overlay == nil, let pane = asides.paneFooter {
      (footer.hint, footer.keys) = pane
      return screen.show(footer, alongside: coordinator)
    }
    guard footer.selectedTab == 0 else {
      footer.keys = overlay?.keys ?? keys(ofTab: footer.selectedTab)
      // Where letters are written, or a list lies over it, digits lead to no tab.
      let isTyping = (tabs.selectedScreen as? HistoryScreen)?.typing != nil
      footer.numbersTabs = overlay == nil && !isTyping && !(tabs.selectedScreen is FindScreen)
      footer.hint =
        (tabs.selectedScreen as? HistoryScreen)?.hint ?? (tabs.selectedScreen as? FindScreen)?.hint
        ?? Footer.Hint(key: "Esc", text: "Back to " + page.title, detail: "")
      // A letter that is written does nothing else, and Esc ends the writing.
      if isTyping { footer.hint = Footer.Hint(key: "", text: "", detail: "") }
      return screen.show(footer, alongside: coordinator)
    }
    footer.keys = overlay?.keys ?? keys(of: page).compactMap(bound)
    footer.numbersTabs = overlay == nil && !page.takesDigits
    footer.isPrompt = overlay == nil && page.isWriting
    footer.hint = page.hint ?? nextStep(of: page) ?? footer.hint
    footer.followsText = page.hint == nil && (page as? ReadingScreen)?.endIsInView == false
    footer.hint.key = label(insteadOf: footer.hint.key) ?? ""
    if footer.followsText {
      // Below the last words there may be blank rows, as if the text ended there.
      let more = appearance.symbols.arrows[1] + " more"
      (footer.hint.detail, footer.hint.shortDetail, footer.hint.brief) = (more, "", more)
    }
    screen.show(footer, alongside: coordinator)
  }

  /// Labels are drawn with other signs from now on.
  func lookHasChanged() { knownLabels = [:] }

  func label(insteadOf label: String) -> String? {
    if let known = knownLabels[label] { return known }
    let bound = screen.bindings.label(insteadOf: label, symbols: appearance.symbols)
    knownLabels[label] = .some(bound)
    return bound
  }
}
