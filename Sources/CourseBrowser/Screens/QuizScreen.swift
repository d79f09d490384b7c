import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// A quiz. Questions are shown one after another; each is answered, checked and explained.
@MainActor final class QuizScreen: StepScreen {
  private(set) var session: QuizSession
  private(set) var days: RelativeDateFormat?
  /// The unfinished run that has been stored, or `nil`.
  var savedRun: QuizRun?
  private(set) var layOutText = QuizPage()
  /// The rows of each question in the results.
  var resultLines: [Range<Int>] = []
  /// The index of the attempt that is selected in the list before the first question, and the rows of that list.
  private(set) var chosenAttempt: Int?
  var attemptLines: [Range<Int>] = []
  var verdicts: [VerdictLayer] = []

  init(
    place: Place, page: PageModel, introduction: [Block], questions: [QuizQuestion], pass: Double,
    host: PageContext
  ) {
    session = QuizSession(questions, introduction: introduction, passingShare: pass)
    super.init(place: place, page: page, host: host)
  }

  /// The run on screen, or `nil` before the first question.
  var run: QuizRun? { session.run }
  var questions: [QuizQuestion] { session.questions }

  override func restore(_ history: ActivityHistory) {
    days = history.days
    session.restore(history.attempts, unfinished: history.run)
  }

  override func willDisappear(animated: Bool) {
    super.willDisappear(animated: animated)
    host.recorder.saveRun(session.runInProgress, in: place)
  }

  override func position(at time: Timestamp) -> ReadingPosition? { session.position(at: time) }

  override var shareText: String { session.attempts.first.map(session.score) ?? "" }

  override var matchContext: String { "this quiz" }

  override func show(matches query: String) {
    let matches = MatchingQuestions(in: questions, showsAnswers: !session.attempts.isEmpty) {
      numbers(of: $0, with: query)
    }
    guard !matches.isEmpty || !context.matches(of: query, in: session.introduction.plainText).places.isEmpty else {
      return
    }
    session.showMatches(matches)
    showText(with: query)
  }

  private func continueOrBegin() {
    let isNew = session.suspendedRun == nil
    session.continueOrBegin()
    if isNew { positionChanged() }
    beginStep()
  }

  private func restart() {
    session.restart()
    positionChanged()
    beginStep()
  }

  // MARK: - Earlier attempts

  /// Shows the last attempt, which may have been recorded by another process.
  ///
  /// - Parameter question: The question whose explanation opens, or `nil` for the list of all questions.
  func showLastAttempt(question: Int?) {
    context.trying { session.attempts = try context.navigation.progress.quizAttempts(at: place) }
    show(attempt: 0, question: question)
  }

  private func show(attempt number: Int, question: Int? = nil) {
    guard session.show(attempt: number, question: question) else {
      return context.notify("The questions have changed since this attempt.", .warn)
    }
    beginStep()
    chooseVisibleResult()
  }

  private func choose(attempt number: Int?) {
    chosenAttempt = number
    layOutPage()
    if let number { scroll(toShow: attemptLines[number]) }
    keysMayHaveChanged()
  }

  /// The attempt that *down* selects. `nil` if that attempt is not visible and the text can still scroll.
  private var nextAttempt: Int? {
    guard run == nil else { return nil }
    let next = (chosenAttempt ?? -1) + 1
    guard attemptLines.indices.contains(next) else { return nil }
    return !hasMoreBelow || visibleLines.contains(attemptLines[next].lowerBound) ? next : nil
  }

  // MARK: - Answering

  override func offer(_ command: Command) -> Offer? {
    if let offer = offerOnMatches(command) ?? offerOnLinks(command) { return offer }
    guard let run, let question = run.question else { return offerOutside(command) }
    switch command {
    case .readOn where run.isChecked || question.isFreeText:
      return hasMoreBelow ? Offer("more") { [self] in if !run.isChecked || isResultDrawn { scrollOn() } } : nil
    case .readOn: return isVisible(run.chosen) ? nil : Offer("more") { [self] in scrollOn() }
    case .proceed where run.isChecked:
      return Offer("continue", order: -1) { [self] in if isResultDrawn { showNextQuestion() } }
    case .restart where session.runInProgress != nil:
      return Offer("start again", rank: Offer.helpRank) { [self] in restart() }
    case .choice(let number):
      guard run.canTick(number - 1) else { return .unused }
      return Offer("select it", rank: Offer.helpRank) { [self] in tick(number - 1) }
    case .check where !run.isChecked && question.isFreeText:
      return Offer(hasMoreBelow ? "" : "show answer") { [self] in check() }
    case _ where run.isChecked || question.isFreeText: return super.offer(command)
    case .choosePrevious:
      return Offer("move") { [self] in
        if run.chosen == 0 { scroll(to: scroll - 1, gliding: false) } else { choose(run.chosen - 1) }
      }
    case .chooseNext:
      return Offer("move") { [self] in
        if isVisible(run.chosen) { choose(run.chosen + 1) } else { scroll(to: scroll + 1, gliding: false) }
      }
    // On a choice that is ticked already, the key checks the answer.
    case .selectChoice where !run.ticked.contains(run.chosen): return Offer("select") { [self] in tick(run.chosen) }
    case .check: return Offer(run.ticked.isEmpty ? "" : "check") { [self] in check() }
    default: return super.offer(command)
    }
  }

  override var escapeTargets: Set<EscapeTarget> {
    var targets = super.escapeTargets
    if run == nil, chosenAttempt != nil { targets.insert(.attempt) }
    if session.isResultOpen { targets.insert(.explanation) }
    if session.shownAttempt != nil { targets.insert(.pastResults) }
    return targets
  }

  override func leave(_ target: EscapeTarget) -> Bool {
    switch target {
    case .attempt: choose(attempt: nil)
    case .explanation: setResultOpen(at: false)
    case .pastResults:
      session.leaveAttempt()
      beginStep()
    default: return super.leave(target)
    }
    return true
  }

  /// Returns what a command does before the first question or after the last one.
  private func offerOutside(_ command: Command) -> Offer? {
    let results = run == nil && !session.attempts.isEmpty ? "results" : ""
    switch command {
    case .makeCard where canMakeCard: return Offer { [self] in makeCard() }
    case .proceed where session.isResultOpen: return Offer { [self] in setResultOpen(at: false) }
    case .open where session.isListOfResults: return Offer("open") { [self] in setResultOpen(at: true) }
    case .open: return chosenAttempt.map { number in Offer { [self] in show(attempt: number) } }
    case .chooseNext where nextAttempt != nil: return Offer(results) { [self] in choose(attempt: nextAttempt) }
    case .choosePrevious where run == nil && chosenAttempt != nil:
      return Offer(results) { [self] in choose(attempt: chosenAttempt.flatMap { $0 == 0 ? nil : $0 - 1 }) }
    case .choosePrevious where session.isListOfResults && session.result > 0:
      return Offer { [self] in choose(result: session.result - 1) }
    case .chooseNext where session.isListOfResults && session.result < questions.count - 1:
      return Offer { [self] in choose(result: session.result + 1) }
    case .chooseNext where run == nil, .choosePrevious where run == nil:
      return super.offer(command).map { Offer(results.isEmpty ? $0.label : results, run: $0.run) }
    case .begin where run == nil:
      return Offer(session.suspendedRun != nil ? "continue" : "begin") { [self] in continueOrBegin() }
    case .restart: return Offer(retryLabel) { [self] in restart() }
    default: return super.offer(command)
    }
  }

  /// Whether a question of the results can become a card.
  var canMakeCard: Bool { session.isListOfResults || session.isResultOpen }

  /// Asks for a card of the selected question. Its text is suggested, and the answer is the right one with the
  /// explanation.
  private func makeCard() {
    let question = questions[session.result]
    let answer = question.faces.answer.map { [$0].plainText }.joined(separator: "\n\n")
    host.overlays.askForCard(question: question.question.plainText, answer: answer, at: nil, in: place)
  }

  /// Opens the explanation of a result, or returns to the list of results.
  private func setResultOpen(at isOpen: Bool) {
    session.openResult(isOpen)
    beginStep()
    if !isOpen { scroll(toShow: resultLines[session.result]) }
  }

  private func choose(result number: Int) {
    session.choose(result: number)
    layOutPage()
    scroll(toShow: resultLines[number])
    keysMayHaveChanged()
  }

  override func handle(_ event: InputEvent) -> Bool {
    guard let run, !run.isOver, !run.isChecked, case .mouse(let mouse) = event, mouse.action == .press(.left),
      let choice = choice(at: mouse.position)
    else { return super.handle(event) }
    tick(choice)
    return true
  }

  private func choice(at point: CellPoint) -> Int? {
    let line = point.row - bodyRows.lowerBound - spacingRows + scroll
    return layOutText.choices.firstIndex { $0.contains(line) }
  }

  /// Returns whether the first line of a choice is visible. Only visible choices can be selected, or ticked with Space.
  func isVisible(_ choice: Int) -> Bool {
    layOutText.choices.indices.contains(choice) && pane.visible.contains(layOutText.choices[choice].lowerBound)
  }

  private func choose(_ choice: Int) {
    session.choose(choice)
    layOutPage()
    if let run { scroll(toShow: layOutText.choices[run.chosen]) }
    // The action of Space depends on the selected choice.
    host.observer.pageChanged(self)
  }

  private func tick(_ choice: Int) {
    session.tick(choice)
    positionChanged()
    layOutPage()
    scroll(toShow: layOutText.choices[choice])
    host.observer.pageChanged(self)
  }

  private func check() {
    defer { positionChanged() }
    guard session.check(), let run else { return tickedInstead() }
    resultWillAppear()
    layOutPage()
    showVerdict(run)
    playVerdict(run)
    if let event = session.completion { record(event) }
    host.observer.pageChanged(self)
  }

  private func tickedInstead() {
    layOutPage()
    host.observer.pageChanged(self)
  }

  private func record(_ event: ActivityEventContent) {
    host.recorder.record(event, in: place, on: self)
    context.trying { session.recorded(try context.navigation.progress.quizAttempts(at: place)) }
  }

  private func showNextQuestion() {
    session.advance()
    positionChanged()
    beginStep()
    chooseVisibleResult()
  }

  /// If the selected question is not visible, selects the first visible one, because Enter opens the selected question.
  private func chooseVisibleResult() {
    guard session.isListOfResults, isLayerLoaded,
      !visibleLines.contains(resultLines[session.result].lowerBound)
    else { return }
    choose(result: 0)
  }

  // MARK: - Layout

  override func layOutPage() {
    endVerdict()
    super.layOutPage()
  }

  override var stepText: ReadingText {
    guard let run else { return overviewText }
    if session.isListOfResults { return results(of: run) }
    layOutText = QuizPage(session.openResult ?? run, layout: readingLayout)
    return layOutText.text
  }

  override var continuesWithSpace: Bool { session.isListOfResults && !hasMoreBelow }
  override var header: PageModel.Header { quizHeader }
  override var hint: Footer.Hint? { linkHint ?? matchHint ?? quizHint }
}

/// The verdict on an answer.
extension QuizScreen {
  /// Scrolls so that the ticked choices and the verdict are visible. If both do not fit, shows the verdict.
  func showVerdict(_ run: QuizRun) {
    let first = layOutText.choices.indices.first { run.ticked.contains($0) }.map { layOutText.choices[$0].lowerBound }
    if let first, layOutText.verdict.lowerBound + 2 - first <= paneFrame.rows {
      scroll(toShow: first..<layOutText.verdict.upperBound)
    } else {
      scroll(toShow: layOutText.verdict.lowerBound + 1..<layOutText.verdict.upperBound)
    }
  }

  /// Animates the ticked choices: wrong ones shake, and a band of colour crosses right ones.
  func playVerdict(_ run: QuizRun) {
    guard context.motion == .full, let question = run.question else { return }
    for (number, choice) in question.choices.enumerated() where run.ticked.contains(number) {
      let rows = layOutText.choices[number]
      guard rows.lowerBound >= scroll, !hasImage(in: rows) else { continue }
      let layer = VerdictLayer(
        Array(text.lines[rows]), isRight: choice.isRight,
        frame: CellRect(
          column: paneFrame.column - VerdictLayer.margin, row: paneFrame.row + rows.lowerBound - scroll,
          columns: paneFrame.columns + 2 * VerdictLayer.margin, rows: rows.count),
        plain: drawing.theme[.foreground], band: drawing.theme.bold(.activity))
      body.add(layer)
      verdicts.append(layer)
      layer.play()
    }
  }

  /// Returns whether some lines contain an image. Choices with images are not animated.
  private func hasImage(in lines: Range<Int>) -> Bool {
    text.images.contains { $0.cells.map { lines.contains($0.row) } ?? false }
  }

  /// Removes the animation, for example before a new layout.
  func endVerdict() {
    for layer in verdicts {
      layer.removeAllAnimations()
      layer.removeFromSuperlayer()
    }
    verdicts = []
  }
}

/// Animates one choice after it was checked.
///
/// A band of colour moves from left to right across a right choice; a wrong choice shakes horizontally. The layer
/// covers the choice in its final form and is removed at the end.
@MainActor final class VerdictLayer: Layer {
  /// The duration in seconds.
  static let duration = 0.4
  private static let sweep: LayerKey = "sweep"
  private static let shake: LayerKey = "shake"
  /// The motion of shaking. For each part, `end` is the time at which the part ends, as a fraction of the duration, and
  /// `columns` is the offset at that time.
  private static let shakes: [(end: Double, columns: Double)] = [(0.2, 2), (0.45, -2), (0.7, 1), (0.9, -1), (1, 0)]

  /// Creates a layer for the rows of a choice.
  ///
  /// - Parameters:
  ///   - lines: The lines in their final, checked form.
  ///   - plain: The style to the right of the band.
  ///   - band: The style of the band.
  init(_ lines: [StyledLine], isRight: Bool, frame: CellRect, plain: Style, band: Style) {
    super.init(frame: Rect(frame))
    drawing = { state in
      var surface = Surface(state.cells.size, filledWith: .blank)
      let shift = isRight ? 0 : nearestCell(state.values[Self.shake] ?? 0)
      for (row, line) in lines.enumerated() {
        surface.draw(line, at: CellPoint(column: Self.margin + shift, row: row))
      }
      if isRight {
        // The band starts and ends outside the layer.
        let edge = nearestCell((state.values[Self.sweep] ?? 0) * Double(surface.columns + Self.bandWidth))
        let allCells = CellRect(surface.size)
        let bandCells = CellRect(column: edge - Self.bandWidth, row: 0, columns: Self.bandWidth, rows: surface.rows)
        let plainCells = CellRect(column: edge, row: 0, columns: max(0, surface.columns - edge), rows: surface.rows)
        surface.mapStyles(in: bandCells.intersection(allCells)) { _ in band }
        surface.mapStyles(in: plainCells) { _ in plain }
      }
      return surface
    }
  }

  private static let bandWidth = 16

  /// The number of additional columns on both sides of the text, within which the text can shake.
  static let margin = 2

  /// Plays the animation, then removes the layer.
  func play() {
    var start = 0.0
    var frames = [Keyframe(start: 0, duration: 1) { self.values[Self.sweep] = 1 }]
    for shake in Self.shakes {
      frames.append(Keyframe(start: start, duration: shake.end - start) { self.values[Self.shake] = shake.columns })
      start = shake.end
    }
    animateKeyframes(duration: Self.duration, frames) { [weak self] _ in self?.removeFromSuperlayer() }
  }
}
