import CoursePages
import LearningModel
import NavigationKit
import TextCanvas

/// The end of a course: the results, and the place that Space opens next.
@MainActor final class CourseEndScreen: SheetScreen {
  private let end: CourseEnd
  private let path: PathTaken
  private let texts: CourseSummary
  private static let labelWidth = 10

  /// A destination from the end of a course.
  enum Choice {
    /// The part of the course that is not done.
    case unfinished
    case next(Place)
    /// Marks the last activity as done.
    case markDone
  }

  private let onChoose: (Choice) -> Void
  /// A notice about the last activity if it is not done.
  private let notice: String?

  init(
    _ end: CourseEnd, _ path: PathTaken, notice: String?, context: ScreenContext, source: @escaping () -> CellRect,
    onChoose: @escaping (Choice) -> Void
  ) {
    (self.end, self.path, self.notice) = (end, path, notice)
    self.onChoose = onChoose
    texts = CourseSummary(end, path, context.dayNames)
    super.init(title: "End of " + end.course.place.title, context: context, source: source)
  }

  override var role: Role { Role(.course) }
  override var fraction: Double { end.course.progress.fraction }
  override var topRight: String {
    // On a narrow screen, the row below shows this text.
    end.course.progress.isComplete && !metrics.isNarrow ? context.appearance.symbols.done + " done" : ""
  }

  /// The key that opens the part of the course that is not done, or `nil` if the course is complete.
  private var unfinishedKey: String? { end.course.progress.isComplete ? nil : context.label(of: .continueCourse) }

  override func text(width: Int) -> [StyledLine] {
    let (theme, symbols) = (drawing.theme, context.appearance.symbols)
    func row(_ leftText: StyledText, _ rightText: StyledText) -> [StyledLine] {
      let availableColumns = width - rightText.displayWidth - 2
      let leftLines = leftText.wrapped(to: max(8, availableColumns))
      guard let line = leftLines.first else { return [] }
      var text = StyledText(line.runs)
      text.append(String(repeating: " ", count: max(2, width - line.displayWidth - rightText.displayWidth)))
      text.append(rightText)
      return [StyledLine(text.runs)] + leftLines.dropFirst()
    }
    func heading(_ text: String) -> [StyledLine] { [StyledLine(), StyledLine(text, style: theme.bold(.strong))] }

    var lines = notice.map { StyledText($0, style: theme[.warn]).wrapped(to: width) + [StyledLine()] } ?? []
    lines += texts.facts.flatMap { fact in
      var line = StyledText(fact.label, style: theme[.quiet])
      line.append(String(repeating: " ", count: max(1, Self.labelWidth - fact.label.displayWidth)))
      line.append(fact.text, style: theme[.foreground])
      return line.wrapped(to: width, hangingIndent: Self.labelWidth)
    }
    lines += heading("Goals")
    for goal in texts.goals {
      let sign = goal.isDone ? symbols.done + " " : ""
      lines += row(
        StyledText(goal.title, style: theme[.foreground]), StyledText(sign + goal.done, style: theme[.quiet]))
    }
    if !texts.dueDecks.isEmpty {
      lines += heading("To review")
      for deck in texts.dueDecks {
        lines += row(
          StyledText(deck.card.place.title, style: theme[.foreground]), StyledText(deck.result, style: theme[.quiet]))
      }
    }
    lines += heading("Next")
    let next = end.next.map { ($0.place.title, CardModel($0).time) } ?? ("The list of courses", "")
    lines += row(StyledText(next.0, style: theme.bold(.course)), StyledText(next.1, style: theme[.quiet]))
    if unfinishedKey != nil {
      let remaining = end.course.progress.total - end.course.progress.done
      lines += row(
        StyledText("The rest of this course", style: theme[.foreground]),
        StyledText("\(remaining) remaining", style: theme[.quiet]))
    }
    let pathLines = drawnPath(path)
    return lines + (pathLines.isEmpty ? [] : heading("Path")) + pathLines
  }

  override func offer(_ command: Command) -> Offer? {
    func choose(_ choice: Choice, label: String = "", order: Int = 0) -> Offer {
      Offer(label, order: order) { [self] in
        close()
        onChoose(choice)
      }
    }
    let next = Choice.next(end.next?.place.place ?? .root)
    switch command {
    case .continueCourse where unfinishedKey != nil: return choose(.unfinished, label: "continue", order: -1)
    case .toggleDone where notice != nil: return choose(.markDone)
    case .open: return choose(next)
    case .openNext where isAtEnd:
      return choose(next, label: end.next == nil ? "courses" : "next course", order: -1)
    case .readOn where isAtEnd: return nil
    case .readOn:
      return super.offer(command).map { Offer("more", order: -1, run: $0.run) }
    default: return super.offer(command)
    }
  }
}
