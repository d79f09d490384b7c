import CoursePages
import LearningModel
import TextCanvas

/// What is said around the cards.
extension FlashcardsScreen {
  private var isEnd: Bool { round?.isOver == true }

  var cardsHeader: PageModel.Header {
    var header = page.header
    header.fraction = isDone ? 1 : Double(grades.count) / Double(deck.count)
    header.bottomRight = isDone || page.seconds == 0 ? "" : timeLeft
    header.topRight = isDone ? doneWord : grades.isEmpty ? "" : "\(grades.count) of \(deck.count) turned"
    if let round, !round.isOver {
      header.topRight = "card \(round.position + 1) of \(round.cards.count)"
      if isDone { header.bottomRight = doneWord }
    }
    return header
  }

  private var timeLeft: String {
    let seconds = Double(page.seconds) * Double(remaining.count) / Double(deck.count)
    return Words.about(minutes: Int((seconds / 60).rounded(.up))) + (grades.isEmpty ? "" : " left")
  }

  /// Nothing where the next step is the best thing to do.
  var cardsHint: Footer.Hint? {
    let arrows = shell.appearance.symbols.arrows
    guard let round, !round.isOver else {
      if let roundAside {
        let detail = "card \(roundAside.position + 1) of \(roundAside.cards.count)"
        return Footer.Hint(key: beginKey, text: "Go on where you stopped", detail: detail)
      }
      guard !isEnd, !nextRound.isEmpty else { return nil }
      let words =
        grades.isEmpty ? "Begin" : remaining.isEmpty ? "Again what you did not know" : "Go on where you stopped"
      return Footer.Hint(key: beginKey, text: words, detail: Words.count(nextRound.count, "card"))
    }
    // While it turns there is nothing to say: that the key was heard is seen at once.
    guard isBackInSight == round.isTurned else { return Footer.Hint(key: "", text: "", detail: "") }
    return round.isTurned
      ? Footer.Hint(key: hasMoreBelow ? arrows[0] : "Space", text: "You knew it", detail: "")
      : Footer.Hint(key: "Space", text: "Turn the card over", detail: "Say it first; then look")
  }

  var cardsKeys: [KeyHint] {
    let arrows = shell.appearance.symbols.arrows
    guard let round, !round.isOver else {
      let space = roundAside != nil ? "go on" : isEnd || nextRound.isEmpty ? onward : "begin"
      let some = unknown.count == 1 ? "that one again" : "those \(unknown.count) again"
      let again = unknown.isEmpty || !isEnd ? "all again" : some
      return [KeyHint("Space", hasMoreBelow ? "page" : space)] + (grades.isEmpty ? [] : [KeyHint("r", again)])
    }
    let takingBack = round.position > 0 ? [KeyHint("b", "back", rank: 1)] : []
    let more = hasMoreBelow ? [KeyHint("Space", "more")] : []
    guard isBackInSight == round.isTurned else { return takingBack }
    guard round.isTurned else { return (more.isEmpty ? [KeyHint("Space", "turn")] : more) + takingBack }
    let knew = KeyHint(hasMoreBelow ? arrows[0] : "Space", "knew it")
    let turning = chosenLink == nil ? [KeyHint(shell.appearance.symbols.enter, "turn", rank: 1)] : []
    return more + [knew, KeyHint(arrows[1], "not yet")] + turning + takingBack
  }

  /// Before the first round: what these cards are. After one: what was known, and what was not, to be read once more.
  var wordsBetweenRounds: ReadingText {
    let layout = readingLayout
    guard let round, round.isOver else {
      return layout.text(introduction + [.paragraph([.text(standing)])] + foundBlocks)
    }
    let known = round.known
    var blocks: [Block] = [
      .heading(level: 2, text: [.text("You knew \(known) of \(round.cards.count).")], anchor: "")
    ]
    if round.cards.count < deck.count {
      blocks.append(.paragraph([.text("Of all \(deck.count) cards you know \(deck.count - unknown.count) now.")]))
    }
    if !round.unknown.isEmpty {
      blocks.append(.paragraph([.text("Look at these once more:")]))
      blocks += readable(round.unknown)
    } else {
      blocks.append(.paragraph([.text("Every one of them. Come back in a few days, and see how many have stayed.")]))
    }
    return layout.text(blocks)
  }

  /// The cards that have what was looked up, to be read: both sides, as nobody can look something up on one of them.
  private var foundBlocks: [Block] {
    guard !foundCards.isEmpty else { return [] }
    let heading: Block = .paragraph([.text("Found on \(Words.count(foundCards.count, "card")):")])
    return [heading] + readable(foundCards)
  }

  private func readable(_ cards: [Int]) -> [Block] {
    cards.flatMap { [.paragraph([.strong(deck[$0].front)]), .quote(deck[$0].back)] }
  }

  /// Where the learner stands with these cards.
  private var standing: String {
    let known = grades.values.count { $0 }
    if grades.isEmpty { return "\(Words.count(deck.count, "card")). Say what you remember, then turn each one over." }
    if remaining.isEmpty { return "You knew \(known) of \(Words.count(deck.count, "card")) the last time." }
    return "You have turned \(grades.count) of \(Words.count(deck.count, "card")), and knew \(known) of them."
  }
}
