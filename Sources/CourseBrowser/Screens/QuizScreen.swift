import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// A quiz: one question after another, each answered, checked and explained.
@MainActor final class QuizScreen: StepScreen {
  let introduction: [Block]
  let questions: [QuizQuestion]
  /// The share that must be right.
  let pass: Double
  /// What was answered before, the newest first.
  private(set) var attempts: [QuizAttempt] = []
  private(set) var days: DayNames?
  /// The questions that are being asked; `nil` before the first.
  private(set) var run: QuizRun?
  /// The questions that were being asked when something was looked up: they come next.
  private(set) var runAside: QuizRun?
  /// The questions that have what was looked up.
  private(set) var foundQuestions = FoundQuestions()
  /// What is kept of it beyond this sitting; `nil` where nothing is.
  var kept: QuizRun?
  private(set) var set = QuizPage()
  /// At the end, the question that is chosen, and its lines in what is said there.
  private(set) var result = 0
  var resultLines: [Range<Int>] = []
  /// Whether that question is looked at.
  private(set) var isResultOpen = false
  /// Before the first question, the attempt that is chosen, by its number among ``attempts``, and the rows of all of them.
  private(set) var chosenAttempt: Int?
  var attemptLines: [Range<Int>] = []
  /// The attempt that is looked at again, by its number; `nil` where the run is of now.
  private(set) var shownAttempt: Int?
  /// Whether the run is the newest of the attempts already.
  private var isRunListed = false
  /// The attempts before the run.
  var earlierAttempts: [QuizAttempt] {
    Array(attempts.dropFirst(shownAttempt.map { $0 + 1 } ?? (isRunListed && run?.isOver == true ? 1 : 0)))
  }
  var verdicts: [VerdictLayer] = []

  init(
    place: Place, page: PageModel, introduction: [Block], questions: [QuizQuestion], pass: Double,
    host: PageContext
  ) {
    self.introduction = introduction
    self.questions = questions
    self.pass = pass
    super.init(place: place, page: page, host: host)
  }

  override func take(_ past: ActivityPast) {
    attempts = past.attempts
    days = past.days
    if let left = past.run, left.questions == questions {
      run = left
    } else if introduction.isEmpty, attempts.isEmpty {
      run = QuizRun(questions: questions)
    }
  }

  override func willDisappear(animated: Bool) {
    super.willDisappear(animated: animated)
    let left = runAside ?? run
    host.recorder.keep(left.flatMap { isInTheMiddle($0) ? $0 : nil }, in: place)
  }

  private func isInTheMiddle(_ run: QuizRun) -> Bool { !run.isOver && run != QuizRun(questions: questions) }

  override func position(at moment: Timestamp) -> ReadingPosition? { (runAside ?? run)?.position(at: moment) }

  /// What there is to go on with, beyond this sitting too.
  var unfinished: QuizRun? { (runAside ?? run).flatMap { $0.isUnfinished ? $0 : nil } }

  override var foundWhere: String { "this quiz" }

  override func show(found query: String) {
    let found = FoundQuestions(in: questions, withAnswers: !attempts.isEmpty) { numbers(of: $0, with: query) }
    guard !found.isEmpty || !context.matches(of: query, in: introduction.plainText).places.isEmpty else { return }
    if let run, isInTheMiddle(run) { runAside = run }
    (run, foundQuestions) = (nil, found)
    showText(with: query)
  }

  /// Takes up the questions that were laid aside, else begins.
  private func goOnOrBegin() {
    guard let runAside else { return begin() }
    (run, self.runAside, foundQuestions, shownAttempt) = (runAside, nil, FoundQuestions(), nil)
    beginStep()
  }

  /// - Parameter before: The run whose wrong answers are asked again; `nil` where all is asked.
  private func begin(after before: QuizRun? = nil) {
    let run = before.map(QuizRun.init(again:)) ?? QuizRun(questions: questions)
    (self.run, runAside, foundQuestions) = (run, nil, FoundQuestions())
    (result, isResultOpen, shownAttempt, isRunListed) = (0, false, nil, false)
    positionChanged()
    beginStep()
  }

  // MARK: - Earlier attempts

  /// Takes the attempts until now, the newest first.
  func take(attempts: [QuizAttempt]) { self.attempts = attempts }

  /// The last attempt, as it was answered; `nil` where there is none, or the questions have changed since.
  var lastRun: QuizRun? { attempts.first.flatMap { QuizRun(questions: questions, answered: $0) } }

  /// Shows how an earlier attempt went; what is being answered continues from there afterwards.
  ///
  /// - Parameters:
  ///   - number: Its number among ``attempts``.
  ///   - question: The question that is looked at; `nil` for the list of all.
  /// - Returns: Whether its questions are still those of the quiz.
  @discardableResult func show(attempt number: Int, question: Int? = nil) -> Bool {
    guard attempts.indices.contains(number), let past = QuizRun(questions: questions, answered: attempts[number])
    else { return false }
    if let run, isInTheMiddle(run) { runAside = run }
    (run, foundQuestions, shownAttempt) = (past, FoundQuestions(), number)
    (result, isResultOpen) = (question ?? past.wrong.first ?? 0, question != nil)
    beginStep()
    chooseSeenResult()
    return true
  }

  private func choose(attempt number: Int?) {
    chosenAttempt = number
    layOutPage()
    if let number { scroll(toShow: attemptLines[number]) }
    keysMayHaveChanged()
  }

  /// The attempt that the way down leads to, where that is seen or there is no more to scroll to.
  private var nextAttempt: Int? {
    guard run == nil else { return nil }
    let next = (chosenAttempt ?? -1) + 1
    guard attemptLines.indices.contains(next) else { return nil }
    return !hasMoreBelow || visibleLines.contains(attemptLines[next].lowerBound) ? next : nil
  }

  private func lookAtAttempt(_ number: Int) {
    if !show(attempt: number) { context.notify("Its questions have changed since.") }
  }

  /// Back from an earlier attempt to where they are listed.
  private func leaveAttempt() {
    (run, shownAttempt) = (nil, nil)
    beginStep()
  }

  // MARK: - Answering

  override func perform(_ command: Command) -> Bool {
    if performOnFound(command) || performOnLinks(command) { return true }
    guard let run, let question = run.question else { return performOutside(command) }
    switch command {
    case .readOn where hasMoreBelow && (run.isChecked || question.isOpen):
      scrollOn()
    case .choosePrevious where question.isOpen, .chooseNext where question.isOpen: return super.perform(command)
    case .readOn where question.isOpen && !run.isChecked: check()
    case .choosePrevious where !run.isChecked && run.chosen == 0: scroll(to: scroll - 1, gliding: false)
    case .chooseNext where !run.isChecked && !isSeen(run.chosen): scroll(to: scroll + 1, gliding: false)
    case .readOn where !run.isChecked && !isSeen(run.chosen): scrollOn()
    case .choosePrevious where !run.isChecked: choose(run.chosen - 1)
    case .chooseNext where !run.isChecked: choose(run.chosen + 1)
    case .readOn where !run.isChecked: tick(run.chosen)
    case .open where !run.isChecked: check()
    case .readOn, .open: goOn()
    case .again: begin()
    default: return super.perform(command)
    }
    return true
  }

  /// Before the first question, and after the last.
  private func performOutside(_ command: Command) -> Bool {
    switch command {
    case .readOn where hasMoreBelow: scrollOn()
    case .readOn where isResultOpen, .open where isResultOpen, .up where isResultOpen: look(at: false)
    case .up where shownAttempt != nil: leaveAttempt()
    case .open where run != nil: look(at: true)
    case .chooseNext where nextAttempt != nil: choose(attempt: nextAttempt)
    case .choosePrevious where run == nil && chosenAttempt != nil:
      choose(attempt: chosenAttempt.flatMap { $0 == 0 ? nil : $0 - 1 })
    case .open where run == nil && chosenAttempt != nil: chosenAttempt.map(lookAtAttempt)
    case .choosePrevious where isListOfResults && result > 0: choose(result: result - 1)
    case .chooseNext where isListOfResults && result < questions.count - 1: choose(result: result + 1)
    case .readOn, .open: if run == nil { goOnOrBegin() } else { host.navigator.navigate(.next, cause: .key) }
    case .again: begin(after: run ?? (runAside == nil ? lastRun : nil))
    default: return super.perform(command)
    }
    return true
  }

  private var isListOfResults: Bool { run?.isOver == true && !isResultOpen }

  /// Shows a question as it was checked, with its explanation, or all of them again.
  private func look(at isOpen: Bool) {
    isResultOpen = isOpen
    beginStep()
    if !isOpen { scroll(toShow: resultLines[result]) }
  }

  private func choose(result number: Int) {
    result = number
    layOutPage()
    scroll(toShow: resultLines[number])
    keysMayHaveChanged()
  }

  override func handle(_ event: InputEvent) -> Bool {
    guard let run, !run.isOver else { return super.handle(event) }
    guard !run.isChecked else { return isDigit(event) || super.handle(event) }
    switch event {
    case .key(let key) where key.modifiers.isEmpty && key.phase != .release:
      switch key.key {
      case .character(let digit):
        guard let number = digit.asciiDigit else { return false }
        if set.choices.indices.contains(number - 1) { tick(number - 1) }
      default: return false
      }
      return true
    case .mouse(let mouse) where mouse.action == .press(.left):
      guard let choice = choice(at: mouse.position) else { return super.handle(event) }
      tick(choice)
      return true
    default: return super.handle(event)
    }
  }

  /// Elsewhere the digits are tabs; among questions they are the numbers that stand before the choices, and nothing where
  /// there is no such choice, or none any more: nobody who means an answer is led away.
  override var takesDigits: Bool { run?.isOver == false }

  private func isDigit(_ event: InputEvent) -> Bool {
    guard case .key(let key) = event, key.modifiers.isEmpty, case .character(let digit) = key.key else { return false }
    return digit.asciiDigit != nil
  }

  private func choice(at point: CellPoint) -> Int? {
    let line = point.row - bodyRows.lowerBound - airRows + scroll
    return set.choices.firstIndex { $0.contains(line) }
  }

  /// Whether a choice is seen, at least where it begins: what is not seen is neither chosen nor ticked by Space.
  func isSeen(_ choice: Int) -> Bool {
    set.choices.indices.contains(choice) && pane.visible.contains(set.choices[choice].lowerBound)
  }

  private func choose(_ choice: Int) {
    run?.choose(choice)
    layOutPage()
    if let run { scroll(toShow: set.choices[run.chosen]) }
  }

  private func tick(_ choice: Int) {
    run?.tick(choice)
    positionChanged()
    layOutPage()
    scroll(toShow: set.choices[choice])
    host.observer.pageChanged(self)
  }

  private func check() {
    defer { positionChanged() }
    guard run?.check() == true, let run else { return tickedInstead() }
    layOutPage()
    showVerdict(run)
    playVerdict(run)
    if run.isLast { record(run) }
    host.observer.pageChanged(self)
  }

  private func tickedInstead() {
    layOutPage()
    host.observer.pageChanged(self)
  }

  private func record(_ run: QuizRun) {
    let before = attempts
    host.recorder.record(
      .quizChecked(answers: run.answers.map { $0.sorted() }, score: run.score, pass: pass, of: questions.judged),
      in: place, on: self)
    context.trying { attempts = try context.navigation.quizAttempts(at: place) }
    isRunListed = attempts.count > before.count
  }

  private func goOn() {
    run?.goOn()
    if let run, run.isOver { result = run.wrong.first ?? 0 }
    positionChanged()
    beginStep()
    chooseSeenResult()
  }

  /// Chooses the first question where the one that is chosen is not seen: it opens with Enter.
  private func chooseSeenResult() {
    guard isListOfResults, isLayerLoaded, !visibleLines.contains(resultLines[result].lowerBound) else { return }
    choose(result: 0)
  }

  // MARK: - Layout

  override func layOutPage() {
    endVerdict()
    super.layOutPage()
  }

  override var stepText: ReadingText {
    guard let run else { return wordsOutside }
    if run.isOver, !isResultOpen { return results(of: run) }
    set = QuizPage(run.isOver ? run.checked(result) : run, layout: readingLayout)
    return set.text
  }

  override var header: PageModel.Header { quizHeader }
  override var hint: Footer.Hint? { linkHint ?? foundHint ?? quizHint }
  override var ownKeys: [KeyHint] { quizKeys + (found == nil ? linkKeys : []) }
  override var otherKeys: [KeyHint] {
    guard let run, !run.isOver else { return [] }
    let ticks = run.question?.isOpen == false && !run.isChecked ? KeyHint("1 2 3", "tick that one") : nil
    return [ticks, keys(of: .again, does: "begin anew")].compactMap { $0 }
  }
}

extension Character {
  /// Its value where it is one of `0` to `9`.
  fileprivate var asciiDigit: Int? { isASCII ? wholeNumberValue : nil }
}

/// What is said of an answer as it is checked.
extension QuizScreen {
  /// Shows what was ticked and the verdict on it together where there is room for both, else the verdict.
  func showVerdict(_ run: QuizRun) {
    let first = set.choices.indices.first { run.ticked.contains($0) }.map { set.choices[$0].lowerBound }
    if let first, set.verdict.lowerBound + 2 - first <= paneFrame.rows {
      scroll(toShow: first..<set.verdict.upperBound)
    } else {
      scroll(toShow: set.verdict.lowerBound + 1..<set.verdict.upperBound)
    }
  }

  /// Shakes what was wrong and lets what was right shine.
  func playVerdict(_ run: QuizRun) {
    guard context.motion == .full, let question = run.question else { return }
    for (number, choice) in question.choices.enumerated() where run.ticked.contains(number) {
      let rows = set.choices[number]
      guard rows.lowerBound >= scroll, !hasPicture(in: rows) else { continue }
      let layer = VerdictLayer(
        Array(text.lines[rows]), isRight: choice.isRight,
        frame: CellRect(
          column: paneFrame.column - VerdictLayer.margin, row: paneFrame.row + rows.lowerBound - scroll,
          columns: paneFrame.columns + 2 * VerdictLayer.margin, rows: rows.count),
        plain: drawing.theme[.ink], band: drawing.theme.bold(.activity))
      body.add(layer)
      verdicts.append(layer)
      layer.play()
    }
  }

  /// A picture is neither shaken nor coloured.
  private func hasPicture(in lines: Range<Int>) -> Bool {
    text.pictures.contains { $0.cells.map { lines.contains($0.row) } ?? false }
  }

  /// Ends that at once, as where the page is laid out anew.
  func endVerdict() {
    for layer in verdicts {
      layer.removeAllAnimations()
      layer.removeFromSuperlayer()
    }
    verdicts = []
  }
}

/// The checked choices of a question while their verdict is said: over what is right a band of colour goes from left to
/// right, and leaves its signs coloured; what is not is shaken, as a head is. It lies on the choices as they are in the end, and goes when it is over.
@MainActor final class VerdictLayer: Layer {
  /// Seconds.
  static let duration = 0.4
  private static let sweep: LayerKey = "sweep"
  private static let shake: LayerKey = "shake"
  /// Where the shaken rows are at the end of each part: when, as a fraction of the whole, and how many columns away.
  private static let shakes: [(end: Double, columns: Double)] = [(0.2, 2), (0.45, -2), (0.7, 1), (0.9, -1), (1, 0)]

  /// Makes the layer of some rows.
  ///
  /// - Parameters:
  ///   - lines: As they are in the end, checked.
  ///   - plain: The style of what the band has not come to yet.
  ///   - band: The style of what is in it.
  init(_ lines: [StyledLine], isRight: Bool, frame: CellRect, plain: Style, band: Style) {
    super.init(frame: Rect(frame))
    drawing = { state in
      var surface = Surface(state.cells.size, filledWith: .blank)
      let shift = isRight ? 0 : nearestCell(state.values[Self.shake] ?? 0)
      for (row, line) in lines.enumerated() {
        surface.draw(line, at: CellPoint(column: Self.margin + shift, row: row))
      }
      if isRight {
        // It begins and ends out of sight.
        let edge = nearestCell((state.values[Self.sweep] ?? 0) * Double(surface.columns + Self.bandWidth))
        let whole = CellRect(surface.size)
        let lit = CellRect(column: edge - Self.bandWidth, row: 0, columns: Self.bandWidth, rows: surface.rows)
        let rest = CellRect(column: edge, row: 0, columns: max(0, surface.columns - edge), rows: surface.rows)
        surface.mapStyles(in: lit.intersection(whole)) { _ in band }
        surface.mapStyles(in: rest) { _ in plain }
      }
      return surface
    }
  }

  /// Columns of the band.
  private static let bandWidth = 16

  /// Columns at both sides of the words, for them to be shaken in.
  static let margin = 2

  /// Says the verdict, then goes.
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
