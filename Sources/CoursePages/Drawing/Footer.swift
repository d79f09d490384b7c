package import LearningModel
import TextCanvas

/// What the last two rows say: the next step, and the keys that may be pressed.
package struct Footer: Hashable {
  package var hint: Hint
  package var keys: [KeyHint] = []
  package var selectedTab = 0
  /// Whether something lies over the page, and maybe over the row with the next step.
  package var isCovered = false
  /// Whether digits lead to the tabs; where they mean something else the tabs are not numbered.
  package var numbersTabs = true
  /// The page that they speak of.
  package var place = Place.root
  /// Whether the end of the text above is not in view: the next step is drawn quietly then.
  package var followsText = false

  /// Whether somebody writes in the next step's row: it is seen also where there is no row for it.
  package var isPrompt = false

  package init(hint: Hint = Hint(key: "", text: "", detail: "")) {
    self.hint = hint
  }

  /// The next step: its key, where it leads, and why.
  package struct Hint: Hashable {
    package var key: String
    package var text: String
    package var detail: String
    /// What is said in place of the detail where the text would be cut otherwise; where it is empty, the detail stays.
    package var shortDetail: String
    /// What a small terminal has room for of the detail.
    package var brief: String
    /// What is said in place of the text where that does not fit.
    package var shortText: String

    package init(
      key: String, text: String, detail: String, shortDetail: String = "", brief: String = "", shortText: String = ""
    ) {
      self.key = key
      self.text = text
      self.detail = detail
      self.shortDetail = shortDetail
      self.brief = brief
      self.shortText = shortText
    }
  }
}

/// A key and what it does, as the last row shows it.
package struct KeyHint: Hashable {
  /// What is pressed; two keys that belong together with a blank between them.
  package var key: String
  package var does: String
  /// The higher, the sooner it gives way where there is no room for all.
  package var rank: Int

  package init(_ key: String, _ does: String, rank: Int = 0) {
    self.key = key
    self.does = does
    self.rank = rank
  }

  /// Columns that it takes.
  package var width: Int { (key + " " + does).displayWidth }
}
