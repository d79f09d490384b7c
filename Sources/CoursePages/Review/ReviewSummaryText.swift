package import LearningModel

/// The end of a review, in words.
extension ReviewSession.Summary {
  /// The first line: whether the cards of today are done.
  package var title: String {
    answers == 0 ? "No card was answered." : stillDue == 0 && nextStepAt == nil ? "Done for today." : "Well done."
  }

  /// Returns the results, each with its name.
  ///
  /// - Parameter quotes: The quotation marks around the title of the place.
  package func facts(quotes: Quotes) -> [(name: String, value: String)] {
    guard let share = rememberedShare else { return [] }
    let repeated = answers == cards ? "" : ", with \(ReviewText.count(answers, "answer"))"
    return [
      ("Cards", ReviewText.number(cards) + repeated),
      ("Known", "\(rememberedText), \(DisplayFormat.percent(share))"),
      ("Time", DisplayFormat.duration(milliseconds: milliseconds)),
      (
        "Tomorrow",
        ReviewText.cards(of: tomorrow, in: placeTitle.map { " of " + quotes.around($0) } ?? " in all courses")
      ),
    ]
  }

  /// Returns sentences about the cards that remain. They do not blame the learner for an unfinished day.
  ///
  /// - Parameter time: Returns a time of day.
  package func sentences(time: (Timestamp) -> String) -> [String] {
    var sentences: [String] = []
    if practised > 0 { sentences.append("\(ReviewText.count(practised, "answer")) did not change the schedule.") }
    if let nextStepAt { sentences.append("A card of today returns at \(time(nextStepAt)).") }
    if stillDue > 0 { sentences.append("\(ReviewText.count(stillDue, "card")) can wait until another day.") }
    return sentences
  }

  /// The number of answers in which the learner remembered the card, and all answers: `11 of 21 answers`.
  package var rememberedText: String {
    "\(ReviewText.number(remembered)) of \(ReviewText.count(answers, "answer"))"
  }

  /// The results in one sentence, for a review that was left.
  package var sentence: String {
    guard answers > 0 else { return "No card was answered." }
    return "You reviewed \(ReviewText.count(cards, "card")) in \(DisplayFormat.duration(milliseconds: milliseconds)), "
      + "and remembered \(rememberedText)."
  }
}
