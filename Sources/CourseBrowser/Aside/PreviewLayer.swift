import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// What stands below a list that leaves room for it: what is in the place that is chosen.
///
/// It is a part of the list's page, and moves with that as the cards below an opening one do.
@MainActor final class PreviewLayer: Layer, ChoosablePane {
  /// Seconds in which one fades out and another in.
  static let time = 0.12
  /// Fewer rows than this show too little to be worth a look.
  static let leastRows = 9

  private(set) var aside: Aside?
  private var picture: AsideDrawing?
  /// What it was laid out for; a list lays it out anew at each of its keys.
  private var setting: Setting?
  private let text = Layer()
  /// A picture of what was there before, as far as it has not given way yet.
  private weak var going: Layer?
  /// Where the places of an outline stand, by its rows.
  private(set) var places: [Int: NodeID] = [:]
  var chosenRow: Int? { didSet { if chosenRow != oldValue { draw() } } }

  init() {
    super.init(frame: .zero)
    isHidden = true
    clipsToBounds = true
    text.fill = .default
    add(text)
  }

  private struct Setting: Equatable {
    var rows: Range<Int>
    var metrics: PageMetrics
    var depth: ColourDepth
    var tone: PageTone
    /// One of the signs, for all of them.
    var sign: String
    var key: String?
  }

  /// Gives it rows of its superlayer, if they are worth it.
  ///
  /// - Parameters:
  ///   - key: The key that gives it the keys, as the screen shows it.
  ///   - keeps: Whether it shows what it did also where it begins in another row than before.
  func layOut(in rows: Range<Int>, metrics: PageMetrics, look: Appearance, key: String?, keeps: Bool) {
    let theme = look.theme
    let setting = Setting(
      rows: rows, metrics: metrics, depth: theme.depth, tone: theme.tone, sign: look.symbols.ellipsis, key: key)
    guard setting != self.setting else { return }
    self.setting = setting
    let old = frame.cells
    isHidden = !metrics.previewsBelow || rows.count < Self.leastRows
    guard !isHidden else { return forget() }
    if !keeps, old.row != rows.lowerBound { forget() }
    frame = Rect(
      CellRect(column: metrics.ruleLeft, row: rows.lowerBound, columns: metrics.ruleWidth, rows: rows.count))
    picture = AsideDrawing(theme: look.theme, symbols: look.symbols, metrics: metrics, belowListIn: rows.count)
    draw()
  }

  /// Shows something else.
  ///
  /// - Parameter dissolve: How what is seen gives way; `nil` where nothing moves.
  func show(_ aside: Aside?, dissolve: Dissolve?) {
    guard aside != self.aside else { return }
    let old = dissolve == nil || isHidden ? nil : pictureToGiveWay(dissolve)
    self.aside = aside
    chosenRow = nil
    draw()
    guard let old else { return }
    // What was seen is a picture now, also what had not given way yet: it lies over what is there, and goes.
    add(old)
    going = old
    old.giveWay(within: Self.time)
  }

  /// Shows nothing until it is laid out again.
  func hide() {
    isHidden = true
    setting = nil
    forget()
  }

  private func forget() {
    aside = nil
    chosenRow = nil
    draw()
  }

  private func draw() {
    for old in sublayers where old !== text { old.removeFromSuperlayer() }
    text.frame = Rect(origin: .zero, size: frame.size)
    // Who has the keys needs not be told how to get them.
    picture?.key = chosenRow == nil ? setting?.key : nil
    guard let aside, let picture, !isHidden else {
      (text.content, places) = (nil, [:])
      return
    }
    var drawn = picture.preview(aside)
    markChosen(on: &drawn.surface, in: picture.theme[.strong])
    (text.content, places) = (drawn.surface, drawn.places)
  }

  /// What is seen of it, for a page that is taken apart; its rows count from the page's body.
  var part: PagePicture.Part? {
    guard !isHidden, text.content != nil || going != nil else { return nil }
    var part = PagePicture.Part(
      surface: text.content ?? Surface(frame.cells.size), rect: frame.cells, isPreview: true)
    part.goOn = { [weak going] in going?.goOnGivingWay(in: $0) }
    return part
  }

  /// The place that stands at a cell, of which the row counts from the page's body; `nil` where none does.
  func place(at point: CellPoint) -> NodeID? {
    frame.cells.contains(point) ? places[point.row - frame.cells.row] : nil
  }
}

/// A page whose list may have something below it.
@MainActor protocol PreviewingPage: Screen {
  var preview: PreviewLayer { get }
  /// The row of the terminal that the page's body begins in.
  var previewTop: Int { get }
}

extension ListScreen: PreviewingPage {
  var previewTop: Int { bodyRows.lowerBound }
}

extension TabPage: PreviewingPage {
  var previewTop: Int { metrics.bodyTop }
}

extension PreviewingPage {
  /// The place whose row below the list stands at a cell of the stage.
  func previewPlace(at point: CellPoint) -> NodeID? {
    preview.place(at: CellPoint(column: point.column, row: point.row - previewTop))
  }
}
