import LearningModel
import NavigationService
import TextCanvas

/// The end of a course: what was learned, when and how well, and where Space goes from here.
@MainActor final class CourseEndScreen: SheetScreen {
  private let end: CourseEnd
  private let words: CourseEndWords
  private static let wordWidth = 10

  init(_ end: CourseEnd, browser: Browser, source: @escaping () -> CellRect) {
    self.end = end
    words = CourseEndWords(end, browser.dayNames)
    super.init(title: "The end of " + end.course.place.title, browser: browser, source: source)
  }

  override var role: Role { Role(.course) }
  override var fraction: Double { end.course.progress.fraction }
  override var topRight: String {
    end.course.progress.isComplete ? browser.appearance.symbols.done + " done" : ""
  }

  /// What Space leads to, in a word for the last row.
  private var spaceDoes: String { end.next == nil ? "courses" : "next course" }

  override var keys: [KeyHint] {
    [KeyHint("Space", isAtEnd ? spaceDoes : "page")] + super.keys
  }

  override func text(width: Int) -> [StyledLine] {
    let (theme, symbols) = (drawing.theme, browser.appearance.symbols)
    func row(_ left: StyledText, _ right: StyledText) -> [StyledLine] {
      let room = width - right.displayWidth - 2
      let first = left.wrapped(to: max(8, room))
      guard let line = first.first else { return [] }
      var text = StyledText(line.runs)
      text.append(String(repeating: " ", count: max(2, width - line.displayWidth - right.displayWidth)))
      text.append(right)
      return [StyledLine(text.runs)] + first.dropFirst()
    }
    func heading(_ text: String) -> [StyledLine] { [StyledLine(), StyledLine(text, style: theme.bold(.strong))] }

    var lines = words.facts.flatMap { fact in
      var line = StyledText(fact.word, style: theme[.quiet])
      line.append(String(repeating: " ", count: max(1, Self.wordWidth - fact.word.displayWidth)))
      line.append(fact.text, style: theme[.ink])
      return line.wrapped(to: width, hangingIndent: Self.wordWidth)
    }
    lines += heading("What was learned")
    for goal in words.goals {
      let sign = goal.isDone ? symbols.done + " " : ""
      lines += row(StyledText(goal.title, style: theme[.ink]), StyledText(sign + goal.done, style: theme[.quiet]))
    }
    if !words.again.isEmpty {
      lines += heading("Worth another look")
      for quiz in words.again {
        lines += row(StyledText(quiz.title, style: theme[.ink]), StyledText(quiz.result, style: theme[.quiet]))
      }
    }
    lines += heading("What could be next")
    let next = end.next.map { ($0.place.title, CardModel($0).bottomRight) } ?? ("The list of courses", "")
    lines += row(StyledText(next.0, style: theme.bold(.course)), StyledText(next.1, style: theme[.quiet]))
    return lines
  }

  override func perform(_ command: Command) -> Bool {
    guard command == .open || command == .readOn && isAtEnd else { return super.perform(command) }
    let next = end.next?.place.place ?? .root
    close()
    browser.go(to: next)
    return true
  }
}
