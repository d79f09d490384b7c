import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The texts around the card.
extension ReviewScreen {
  /// The values from which the card is drawn, or `nil` without a review.
  var cardModel: ReviewCardView.Model? {
    guard let session else { return nil }
    var typed: ReviewCardSides.Typed?
    let theme = drawing.theme
    if let field {
      var text = StyledText(field.isEmpty ? "Type the answer: " : "", style: theme[.quiet])
      text.append(
        field.styled(
          theme.bold(.strong), caret: theme.bold(.accent), bar: drawing.symbols.bar, width: metrics.textWidth - 8))
      typed = ReviewCardSides.Typed(text: text, isRight: nil)
    } else if session.isTurnedOver, session.card?.faces.isTyped == true {
      typed = ReviewCardSides.Typed(
        text: StyledText(session.typedAnswer ?? "", style: theme[.foreground]), isRight: session.isRight)
    }
    return ReviewCardView.Model(
      session: session, run: run, typed: typed, drawing: drawing, rows: listHeight,
      key: key(of:), imageStyle: context.appearance.imageStyle
    ) { [showsImages, isAtRest, unowned self] in showsImages && isAtRest ? imageSurface($0, $1) : nil }
  }

  /// The card's source, as the second row of the header.
  var sourceText: String {
    guard let card = session?.card else { return "" }
    let names = card.ancestorTitles + [card.place.title]
    return names.joined(separator: " \(drawing.symbols.breadcrumbSeparator) ")
  }

  /// The reason why the card is shown, or an empty text for a card that has left the learning steps.
  var cardState: String {
    guard let card = session?.card else { return "" }
    return switch card.state.phase {
    case .new: "New card"
    case .learning, .relearning: "Shown again"
    case .review: ""
    }
  }

  /// The share of the cards that were asked, 0…1.
  var reviewFraction: Double {
    guard let session, let count = session.count, count > 0 else { return session == nil ? 0 : 1 }
    let asked = session.position - (session.card == nil ? 0 : 1)
    return Double(asked) / Double(count)
  }

  /// The rows of the summary.
  var summaryRows: [ListedRow] {
    guard let summary else { return [] }
    let theme = drawing.theme
    let width = metrics.textWidth
    var lines = StyledText(summary.title, style: theme.bold(.strong)).wrapped(to: width) + [StyledLine()]
    for (name, value) in summary.facts(quotes: drawing.symbols.quotes) {
      var text = StyledText(name.padding(to: 12), style: theme[.quiet])
      text.append(value, style: theme[.foreground])
      lines.append(StyledLine(text.runs))
    }
    let sentences = summary.sentences { context.dayNames.time($0) }
    if !sentences.isEmpty {
      lines += [StyledLine()] + StyledText(sentences.joined(separator: " "), style: theme[.quiet]).wrapped(to: width)
    }
    let first = metrics.isSmall ? 0 : 1
    return lines.prefix(max(0, listHeight - first)).enumerated().map {
      ListedRow(row: first + $0, surface: row(StyledText($1.runs), ""))
    }
  }

  /// The hint during a review.
  var reviewHint: Footer.Hint {
    guard let session else { return Footer.Hint(text: "", detail: "") }
    let symbols = context.appearance.symbols
    if session.card == nil {
      if let end = summary?.nextStepAt, end <= context.now {
        return Footer.Hint(.proceed, text: "Show the due card", detail: "")
      }
      return Footer.Hint(.proceed, text: "Back to the overview", detail: "")
    }
    if showsSource {
      return Footer.Hint(
        .openSource, text: "Open " + symbols.quotes.around(session.card?.place.title ?? ""),
        detail: session.card?.ancestorTitles.last ?? "")
    }
    if field != nil { return Footer.Hint(key: symbols.enter, text: "Check the answer", detail: "") }
    if cardView.hasMoreBelow { return Footer.Hint(.readOn, text: "Read more", detail: "") }
    guard session.isTurnedOver else {
      guard let run else { return Footer.Hint(.turn, text: "Turn the card", detail: "Answer first, then check") }
      return run.ticked.contains(run.chosen)
        ? Footer.Hint(.check, text: "Check the answer", detail: "")
        : Footer.Hint(.selectChoice, text: "Select the choice", detail: "")
    }
    let answer = session.answers.first { $0.rating == primaryRating }
    let text = primaryRating == .again ? "You forgot it" : "You knew it"
    return Footer.Hint(
      primaryRating == .again ? .forgot : .known, text: text,
      detail: answer.map { "returns in " + ReviewText.shortInterval($0.interval) } ?? "")
  }

  /// The keys of the field for a typed answer, or `nil` if there is none.
  var answerFieldKeys: [KeyHint]? {
    field.map { _ in [KeyHint(context.appearance.symbols.enter, "check"), KeyHint("Esc", escapeTarget.label)] }
  }
}

extension String {
  /// The text with spaces at its end, so that it has at least a number of columns.
  fileprivate func padding(to columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - displayWidth))
  }
}
