/// How many bytes may be under way to a terminal that has not yet said that it has read them.
///
/// A pseudo-terminal swallows 17 kB at once and an SSH connection much more; what lies there makes every answer to a
/// key late. So a question follows the bytes (`CSI 5 n`), and from the time its answer takes comes the number of bytes
/// that a line reads within a moment that nobody notices: the window. It begins at what a line of 64 kB a second reads
/// in 64 milliseconds, grows while answers come as quickly as the line's own delay allows, and shrinks when they lag.
struct FlowControl {
  /// The window on a line of which nothing is known.
  static let firstWindow = 4096
  /// The window on the slowest line.
  static let smallestWindow = 512
  /// The window on the quickest line.
  static let largestWindow = 64 * 1024
  /// Bytes that may go without a question behind them.
  static let questionAfter = 1024
  /// Seconds that a window is given on a terminal that does not answer.
  static let timeBudget = 0.064
  /// Seconds after which an answer of a terminal that did answer is not waited for any more.
  static let patience = 2.5
  /// Seconds of waiting in line, below which the window grows.
  private static let quick = 0.02
  /// Seconds of waiting in line, above which it shrinks.
  private static let slow = 0.07

  private struct Question {
    var bytes: Int
    var sent: Double
  }

  /// Whether the terminal is known to answer.
  private(set) var answers = false
  /// The bytes that may be unanswered.
  private(set) var window = firstWindow
  private var questions: [Question] = []
  private var unasked = 0
  /// Questions that were given up; their answers may still come, and must not be taken for others'.
  private var lost = 0
  private var disappointments = 0
  /// Whether one of these questions was ever answered. There are terminals that answer others, and not this one: they are
  /// waited for once.
  private(set) var hasAnswered = false
  private var budgetEnds: Double?
  /// The line's own delay: the shortest time that any answer took.
  private var delay: Double?

  /// The most bytes of the next slice: half a window, so that one is read while the next is sent.
  var sliceLimit: Int { max(256, min(FrameEncoder.sliceLimit, window / 2)) }

  /// How many questions have no answer yet.
  var openQuestions: Int { questions.count }

  /// Whether so many bytes may go now.
  func hasRoom(for bytes: Int) -> Bool {
    questions.isEmpty || questions.reduce(unasked) { $0 + $1.bytes } + bytes <= window
  }

  /// Whether a question has to follow so many bytes: when they are many, or when more are to come.
  func mustAsk(after bytes: Int, isLast: Bool) -> Bool { unasked + bytes >= Self.questionAfter || !isLast }

  /// Bytes went out, with or without a question behind them.
  mutating func sent(_ bytes: Int, asking: Bool, now: Double) {
    unasked += bytes
    guard asking else { return }
    questions.append(Question(bytes: unasked, sent: now))
    unasked = 0
    if !answers { budgetEnds = now + Self.timeBudget }
  }

  /// The terminal answered something that was asked when nothing else was unread, so long after.
  mutating func noteRoundTrip(_ seconds: Double) {
    if hasAnswered || disappointments == 0 { answers = true }
    delay = min(delay ?? .infinity, max(0, seconds))
  }

  /// The terminal answered the oldest question.
  mutating func answered(now: Double) {
    (answers, hasAnswered) = (true, true)
    disappointments = 0
    if lost > 0 {
      lost -= 1
      return
    }
    guard !questions.isEmpty else { return }
    let inFlight = questions.reduce(0) { $0 + $1.bytes }
    let question = questions.removeFirst()
    let seconds = now - question.sent
    let waited = seconds - min(delay ?? 0, seconds)
    if waited > Self.slow {
      window = max(Self.smallestWindow, window / 2)
    } else if waited < Self.quick, inFlight * 2 >= window {
      window = min(Self.largestWindow, window * 2)
    }
    if question.bytes < Self.questionAfter * 2 { delay = min(delay ?? .infinity, seconds) }
  }

  /// Stops waiting for answers whose time is over.
  mutating func giveUp(now: Double) {
    guard let first = questions.first else { return }
    if !answers {
      guard let ends = budgetEnds, now >= ends else { return }
      forgetQuestions()
    } else if now - first.sent >= Self.patience {
      // The line has become very slow, or another program reads what the terminal says.
      window = max(Self.smallestWindow, window / 2)
      disappointments += 1
      if disappointments > 1 || !hasAnswered { answers = false }
      forgetQuestions()
    }
  }

  /// When ``giveUp(now:)`` would stop waiting, if an answer is waited for.
  var deadline: Double? {
    guard let first = questions.first else { return nil }
    return answers ? first.sent + Self.patience : budgetEnds
  }

  /// Nothing is unread any more.
  mutating func reset() {
    questions.removeAll()
    unasked = 0
    lost = 0
    budgetEnds = nil
  }

  private mutating func forgetQuestions() {
    if disappointments > 0 { lost += questions.count }
    questions.removeAll()
    budgetEnds = nil
  }
}
