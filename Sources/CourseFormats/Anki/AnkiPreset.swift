import Foundation
import LearningModel
import WholeNumbers

/// The options of a deck.
///
/// Source: the messages `DeckConfig.Config` and `Deck.Normal` in Anki's `deck_config.proto` and `decks.proto`; the columns
/// `dconf` and `decks` of the schema 11.
struct AnkiPreset {
  private let name: String
  /// In minutes.
  private var learningSteps: [Double] = []
  private var relearningSteps: [Double] = []
  /// The weights of FSRS by version, the newest first. Empty for a version whose weights the collection does not contain.
  private var weights: [[Double]] = [[], [], []]
  private var newCards = 0.0
  private var reviews = 0.0
  private var maximumInterval = 0.0
  private var leechLapses = 0.0
  /// 0 for the default.
  private var retention = 0.0
  /// Whether siblings of an answered card wait until the next day. `nil` if the collection does not contain it.
  private var buries: (new: Bool, reviews: Bool)?
  private var suspendsLeeches = false
  /// The names of options that differ from Anki's defaults and that reviews here do not have.
  private(set) var foreignOptions: [String] = []

  /// Reads the configuration of the schema 18. A number that is missing is 0.
  ///
  /// - Throws: ``ProtobufMessage/Fault``.
  init(name: String, message bytes: [UInt8]) throws(ProtobufMessage.Fault) {
    self.name = name
    suspendsLeeches = true
    var (buriesNew, buriesReviews) = (false, false)
    var numbers: [Int: UInt64] = [:]
    var message = ProtobufMessage(bytes)
    while let (field, value) = try message.next() {
      switch (field, value) {
      case (1, .bytes(let packed)): learningSteps = ProtobufMessage.floats(packed)
      case (2, .bytes(let packed)): relearningSteps = ProtobufMessage.floats(packed)
      case (3, .bytes(let packed)): weights[2] = ProtobufMessage.floats(packed)
      case (5, .bytes(let packed)): weights[1] = ProtobufMessage.floats(packed)
      case (6, .bytes(let packed)): weights[0] = ProtobufMessage.floats(packed)
      case (9, .number(let number)): newCards = Double(number)
      case (10, .number(let number)): reviews = Double(number)
      case (16, .number(let number)): maximumInterval = Double(number)
      case (22, .number(let number)): leechLapses = Double(number)
      case (37, .float(let number)): retention = number
      case (21, .number(let number)): suspendsLeeches = number == 0
      case (27, .number(let number)): buriesNew = number != 0
      case (28, .number(let number)): buriesReviews = number != 0
      case (let field, .number(let number)): numbers[field] = number
      default: continue
      }
    }
    buries = (buriesNew, buriesReviews)
    func number(_ field: Int) -> Int { Int(clamping: numbers[field] ?? 0) }
    foreignOptions = Self.foreignOptions(
      gathering: number(34), sorting: number(32), reviewOrder: number(33), mixing: [number(30), number(31)])
  }

  private static func foreignOptions(gathering: Int, sorting: Int, reviewOrder: Int, mixing: [Int]) -> [String] {
    // The order of reviews 7, the most forgotten first, is that of reviews here.
    [
      (gathering != 0 || sorting != 0, "the order of new cards"),
      (![0, 7].contains(reviewOrder), "the order of reviews"),
      (mixing.contains { $0 != 0 }, "new cards or learning steps before or after the reviews"),
    ].filter(\.0).map(\.1)
  }

  /// A configuration of the schema 11.
  struct Document: Decodable {
    struct Phase: Decodable {
      let delays: [Double]?
      let perDay: Double?
      let maxIvl: Double?
      let leechFails: Double?
      let leechAction: Int?
      let bury: Bool?
    }
    let name: String?
    let new: Phase?
    let rev: Phase?
    let lapse: Phase?
    let fsrsWeights: [Double]?
    let fsrsParams5: [Double]?
    let fsrsParams6: [Double]?
    let desiredRetention: Double?
    let newGatherPriority: Int?
    let newSortOrder: Int?
    let reviewOrder: Int?
    let newMix: Int?
    let interdayLearningMix: Int?
  }

  init(_ document: Document) {
    name = document.name ?? ""
    learningSteps = document.new?.delays ?? [1, 10]
    relearningSteps = document.lapse?.delays ?? [10]
    weights = [document.fsrsParams6, document.fsrsParams5, document.fsrsWeights].map { $0 ?? [] }
    newCards = document.new?.perDay ?? 20
    reviews = document.rev?.perDay ?? 200
    maximumInterval = document.rev?.maxIvl ?? 36_500
    leechLapses = document.lapse?.leechFails ?? 8
    retention = document.desiredRetention ?? 0
    suspendsLeeches = document.lapse?.leechAction == 0
    if let new = document.new?.bury ?? document.rev?.bury { buries = (new, document.rev?.bury ?? false) }
    foreignOptions = Self.foreignOptions(
      gathering: document.newGatherPriority ?? 0, sorting: document.newSortOrder ?? 0,
      reviewOrder: document.reviewOrder ?? 0, mixing: [document.newMix ?? 0, document.interdayLearningMix ?? 0])
  }

  /// Replaces the values that a deck has of its own.
  ///
  /// - Parameter retention: The desired retention in percent.
  func replacing(newCards: Double?, reviews: Double?, retention: Double?) -> AnkiPreset {
    var preset = self
    preset.newCards = newCards ?? preset.newCards
    preset.reviews = reviews ?? preset.reviews
    preset.retention = retention.map { $0 / 100 } ?? preset.retention
    return preset
  }

  /// Returns the settings that differ from Anki's defaults. Values that are out of range are limited as in Anki.
  ///
  /// - Throws: ``CourseFormatError`` if a value is negative or not a number, or the number of weights is wrong.
  func settings(in database: ForeignDatabase) throws -> ReviewPreset {
    func wrong(_ what: String, _ found: String) -> CourseFormatError {
      database.fault("the \(what) of its preset \(quoted: name.onOneLine) is \(quoted: found)")
    }
    func number(_ value: Double, _ range: ClosedRange<Double>, _ what: String) throws -> Double {
      guard value.isFinite, value >= 0 else { throw wrong(what, "\(value)") }
      return min(range.upperBound, max(range.lowerBound, value))
    }
    func steps(_ minutes: [Double], _ what: String) throws -> String {
      ReviewSteps.text(
        try minutes.prefix(20).map { Int(clamping: try number($0 * 60, 1...365 * 86_400, what)) })
    }
    func count(_ value: Double, _ range: ClosedRange<Int>, _ what: String) throws -> String {
      String(Int(clamping: try number(value, Double(range.lowerBound)...Double(range.upperBound), what)))
    }
    var settings: ReviewPreset = [
      .learningSteps: try steps(learningSteps, "learning steps"),
      .relearningSteps: try steps(relearningSteps, "relearning steps"),
      .newCards: try count(newCards, ReviewRules.countRange, "number of new cards a day"),
      .reviews: try count(reviews, ReviewRules.countRange, "number of reviews a day"),
      .maximumInterval: try count(maximumInterval, ReviewRules.intervalRange, "maximum interval"),
      .leechLapses: try count(leechLapses, ReviewRules.countRange, "leech threshold"),
    ]
    if retention != 0 {
      // Anki stores it with the precision of 32 bits.
      let share = try number(retention, ReviewRules.retentionRange, "desired retention")
      settings[.retention] = "\((share * 10_000).rounded() / 10_000)"
    }
    if let own = weights.first(where: { !$0.isEmpty }) {
      guard let model = MemoryModel(converting: own) else {
        throw wrong("weights", own.map { "\($0)" }.joined(separator: " "))
      }
      settings[.weights] = model.storedText
    }
    settings[.suspendsLeeches] = "\(suspendsLeeches)"
    settings[.waitingSiblings] = buries.map { $0.reviews ? "all" : $0.new ? "new" : "none" }
    let changed = settings.filter { Self.defaults[$0.key] != $0.value }
    // The siblings alone are not a reason to call a preset changed, because Anki's default preset does not bury them.
    return changed == [.waitingSiblings: "none"] ? [:] : changed
  }

  private static let defaults: ReviewPreset = [
    .learningSteps: "1m 10m", .relearningSteps: "10m", .newCards: "20", .reviews: "200", .maximumInterval: "36500",
    .leechLapses: "8", .suspendsLeeches: "false", .waitingSiblings: "new", .retention: "0.9",
    .weights: MemoryModel.standard.storedText, .dayStart: "4",
  ]
}

extension AnkiPreset {
  /// The preset of a deck, and the values that the deck has of its own.
  struct Reference: Decodable {
    var conf: Int64?
    var newLimit: Double?
    var reviewLimit: Double?
    /// In percent.
    var desiredRetention: Double?

    /// Reads the kind of a deck in the schema 18. A filtered deck has no preset.
    ///
    /// - Throws: ``ProtobufMessage/Fault``.
    init(kind: [UInt8]) throws(ProtobufMessage.Fault) {
      var message = ProtobufMessage(kind)
      while let (field, value) = try message.next() {
        guard field == 1, case .bytes(let normal) = value else { continue }
        var message = ProtobufMessage(normal)
        while let (field, value) = try message.next() {
          switch (field, value) {
          case (1, .number(let id)): conf = Int64(truncatingIfNeeded: id)
          case (6, .number(let number)): reviewLimit = Double(number)
          case (7, .number(let number)): newLimit = Double(number)
          case (10, .float(let number)): desiredRetention = number * 100
          default: continue
          }
        }
      }
    }
  }
}
