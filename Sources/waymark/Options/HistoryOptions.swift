public import ArgumentParser
import Foundation
import LearningModel
public import NavigationKit

/// The filters of the history, which all commands share: one option for each row of `HistoryCriteria`.
///
/// The parser finds options by reflection, so `customMirror` lists these options in place of stored properties.
struct HistoryOptions: ParsableArguments, CustomReflectable {
  /// A paragraph of the help of every command that has these filters.
  static let everyone = "\n\nUse --learner all to include every learner."

  private var values: [String: String] = [:]

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OptionKey.self)
    for option in HistoryCriteria.options { values[option.name] = try option.value(in: container) }
  }

  var customMirror: Mirror {
    Mirror(self, children: HistoryCriteria.options.map { ($0.name, $0.argument) }, displayStyle: .struct)
  }

  /// Returns the filter that the options describe.
  func filter(of scope: LearnerScope, for service: NavigationService) throws -> HistoryFilter {
    try HistoryFilter(of: scope, now: Date(), in: service.timeZone) { values[$0] }
  }
}

/// The name of an option.
private struct OptionKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension HistoryOption {
  /// The declaration of the option.
  fileprivate var argument: Any {
    func word<Word: HistoryWord>(of type: Word.Type) -> Any {
      Option<WordArgument<Word>?>(help: ArgumentHelp(help))
    }
    func text(
      _ valueName: String, _ completion: CompletionKind? = nil,
      transform: @escaping @Sendable (String) throws -> String = { $0 }
    ) -> Any {
      Option<String?>(help: ArgumentHelp(help, valueName: valueName), completion: completion, transform: transform)
    }
    return switch form {
    case .course: text("path", .courses, transform: ArgumentParsers.place)
    case .place: text("path", .places, transform: ArgumentParsers.place)
    case .session: text("session", transform: ArgumentParsers.session)
    case .time: text("time")
    case .text: text("words")
    case .word(let type): word(of: type)
    }
  }

  /// Decodes the value, or returns `nil` if the option is missing.
  fileprivate func value(in container: KeyedDecodingContainer<OptionKey>) throws -> String? {
    let key = OptionKey(stringValue: name)
    func word<Word: HistoryWord>(of type: Word.Type) throws -> String? {
      try container.decode(Option<WordArgument<Word>?>.self, forKey: key).wrappedValue?.word.rawValue
    }
    if case .word(let type) = form { return try word(of: type) }
    return try container.decode(Option<String?>.self, forKey: key).wrappedValue
  }
}

/// A value of an enumeration as an argument. The parser lists the values in help and in errors.
private struct WordArgument<Word: HistoryWord>: ExpressibleByArgument {
  let word: Word

  init?(argument: String) {
    guard let word = Word(rawValue: argument) else { return nil }
    self.word = word
  }

  static var allValueStrings: [String] { Word.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The time zone in which days begin and times are parsed and printed.
struct ZoneOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The time zone of dates and times (default: the system's).", valueName: "zone"))
  var timeZone: String?

  /// Returns the named time zone, or that of the system.
  func zone() throws -> TimeZone { try timeZone.map { try TimeZone(named: $0) } ?? .current }
}

extension HistoryTime {
  /// Parses a time that may be relative to now.
  init(_ text: String, in zone: TimeZone) throws(NavigationError) {
    try self.init(text, now: Date(), in: zone)
  }
}

// Enumerations of the history that are used as arguments.

extension StatisticsGroup: ExpressibleByArgument {}

extension HistoryCursor: ExpressibleByArgument {
  /// Parses a cursor as printed by an earlier command.
  public init?(argument: String) {
    self.init(argument)
  }
}
