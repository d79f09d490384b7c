/// The law of credit: time in front of a text is paid out to its rows, so that what counts as read was in view for as long
/// as a very fast reader needs.
///
/// The unit is the word, reckoned as six cells of ink. Law: in any time, whatever keys are pressed, at most
/// `credit(for: seconds)` words are paid.
///
/// Source: `Documentation/progress.md`.
public enum ReadingCredit {
  /// Words that a second pays: three times the pace of somebody who reads 300 words a minute.
  public static let wordsPerSecond = 15.0
  /// Cells of ink that make a word.
  public static let cellsPerWord = 6.0
  /// The share of a text that must be read for it to be done, 0…1, once its end was in view.
  public static let shareOfDone = 0.95

  /// Returns how many words a time pays.
  ///
  /// - Parameter seconds: For which a page was in view and at rest. Negative values count as 0.
  public static func credit(for seconds: Double) -> Double { wordsPerSecond * max(0, seconds) }

  /// Returns what a row costs, in words: at least one.
  ///
  /// - Parameter ink: Its cells that are not blank, from 0.
  public static func price(ofRowWith ink: Int) -> Double { max(1, Double(ink) / cellsPerWord) }
}
