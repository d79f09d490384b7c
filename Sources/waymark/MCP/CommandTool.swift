import Answers
import ArgumentParser
import Foundation
import LearningModel

/// A command of this program that `waymark mcp` offers as a tool.
///
/// The name, the description and the schema of a tool are derived from the declaration of its command.
struct CommandTool {
  /// The effect of a call on the data.
  enum Effect {
    /// The call only reads.
    case none
    /// The call adds to the data and removes nothing.
    case adds
    /// The call can replace or remove data.
    case replaces
    /// The call can replace data, and reads sources outside the database.
    case imports
  }

  /// The words of the command, such as `history list`.
  let command: String
  /// The command that the words name.
  let type: any ParsableCommand.Type
  let effect: Effect
  /// The options that a call cannot set.
  private let withheld: Set<String>

  private init(
    _ command: any ParsableCommand.Type, _ subcommand: (any ParsableCommand.Type)? = nil, _ effect: Effect = .none,
    withholding withheld: Set<String> = []
  ) {
    self.command = [command, subcommand].compactMap { $0?.configuration.commandName }.joined(separator: " ")
    type = subcommand ?? command
    self.effect = effect
    self.withheld = withheld
  }

  /// The tools in the order in which they are listed.
  static let all = [
    CommandTool(CoursesCommand.self), CommandTool(TreeCommand.self), CommandTool(ShowCommand.self),
    CommandTool(SearchCommand.self), CommandTool(WhereCommand.self, withholding: ["short"]),
    CommandTool(ProgressCommand.self, ProgressListCommand.self), CommandTool(AttemptsCommand.self),
    CommandTool(RecentsCommand.self), CommandTool(BookmarksCommand.self, BookmarksListCommand.self),
    CommandTool(NotesCommand.self, NotesListCommand.self), CommandTool(ReviewCommand.self, ReviewDueCommand.self),
    CommandTool(ReviewCommand.self, ReviewNextCommand.self), CommandTool(ReviewCommand.self, ReviewListCommand.self),
    CommandTool(ReviewCommand.self, ReviewStatsCommand.self),
    CommandTool(ReviewCommand.self, ReviewForecastCommand.self), CommandTool(ReviewCommand.self, ReviewLogCommand.self),
    CommandTool(ExerciseCommand.self, ExerciseShowCommand.self),
    CommandTool(HistoryCommand.self, HistoryListCommand.self),
    CommandTool(HistoryCommand.self, HistoryStatsCommand.self),
    CommandTool(HistoryCommand.self, HistoryNextFromCommand.self),
    CommandTool(HistoryCommand.self, HistoryAtCommand.self),
    CommandTool(HistoryCommand.self, HistoryReplayCommand.self),
    CommandTool(HistoryCommand.self, HistoryLeavingCommand.self),
    CommandTool(ExportCommand.self, withholding: ["output", "force", "as"]), CommandTool(FormatsCommand.self),
    CommandTool(NavCommand.self, NavOpenCommand.self, .adds), CommandTool(NavCommand.self, NavPushCommand.self, .adds),
    CommandTool(NavCommand.self, NavPopCommand.self, .adds), CommandTool(NavCommand.self, NavPopToCommand.self, .adds),
    CommandTool(NavCommand.self, NavPopToRootCommand.self, .adds),
    CommandTool(NavCommand.self, NavSelectCommand.self, .adds),
    CommandTool(NavCommand.self, NavNextCommand.self, .adds),
    CommandTool(NavCommand.self, NavPreviousCommand.self, .adds),
    CommandTool(NavCommand.self, NavBackCommand.self, .adds),
    CommandTool(NavCommand.self, NavForwardCommand.self, .adds),
    CommandTool(NavCommand.self, NavResumeCommand.self, .adds),
    CommandTool(ProgressCommand.self, ProgressMarkCommand.self, .adds),
    // The user allows the commands of a course, not the assistant.
    CommandTool(
      ExerciseCommand.self, ExerciseCheckCommand.self, .adds, withholding: ["trust", "unprotected", "watch", "all"]),
    CommandTool(BookmarksCommand.self, BookmarksAddCommand.self, .adds),
    CommandTool(BookmarksCommand.self, BookmarksRemoveCommand.self, .replaces),
    CommandTool(NotesCommand.self, NotesAddCommand.self, .adds),
    CommandTool(NotesCommand.self, NotesRemoveCommand.self, .replaces),
    CommandTool(ReviewCommand.self, ReviewAnswerCommand.self, .adds),
    CommandTool(ReviewCommand.self, ReviewUndoCommand.self, .adds),
    CommandTool(ReviewCommand.self, ReviewAddCommand.self, .adds),
    CommandTool(ReviewCommand.self, ReviewSetCommand.self, .replaces),
    CommandTool(ReviewCommand.self, ReviewSuspendCommand.self, .adds),
    CommandTool(ReviewCommand.self, ReviewResumeCommand.self, .adds),
    CommandTool(ReviewCommand.self, ReviewEditCommand.self, .replaces),
    CommandTool(ReviewCommand.self, ReviewDeleteCommand.self, .replaces),
    CommandTool(ReviewCommand.self, ReviewScheduleCommand.self, .replaces),
    CommandTool(ReviewCommand.self, ReviewFitCommand.self, .replaces),
    // A watched import never ends, so it cannot answer a call.
    CommandTool(ImportCommand.self, nil, .imports, withholding: ["watch"]),
  ]

  /// The name of the tool: the words of the command, joined by underscores.
  var name: String { command.replacing(" ", with: "_").replacing("-", with: "_") }

  /// Whether a call may change data.
  var writes: Bool { effect != .none }

  private var declaration: CommandDeclaration {
    // The argument parser creates the JSON. A test decodes it for every tool.
    try! CommandDeclaration(of: type)
  }

  /// Returns whether an option selects between a table and formats for programs. Tools do not offer it, because they
  /// always answer in JSON.
  private static func isTableFormat(_ parameter: CommandDeclaration.Parameter) -> Bool {
    parameter.name == "format" && parameter.defaultValue == "table"
  }

  /// Returns the parameters that a call can set.
  private func parameters(in declaration: CommandDeclaration) -> [CommandDeclaration.Parameter] {
    // The database and the learner are those of the server, so a call cannot select others.
    let withheld = withheld.union(["database", "learner", "help", "version"])
    return declaration.arguments.filter {
      $0.shouldDisplay && !withheld.contains($0.name) && !Self.isTableFormat($0)
    }
  }

  /// The tool in the list of tools.
  ///
  /// Source: Model Context Protocol 2026-07-28, "Tools".
  var definition: OutputValue {
    let declaration = declaration
    let parameters = parameters(in: declaration)
    var schema: [(key: String, value: OutputValue)] = [
      ("type", .text("object")), ("properties", .object(parameters.map { ($0.name, $0.schema) })),
    ]
    let required = parameters.filter { !$0.isOptional }.map { OutputValue.text($0.name) }
    if !required.isEmpty { schema.append(("required", .array(required))) }
    schema.append(("additionalProperties", .bool(false)))

    var annotations: [(key: String, value: OutputValue)] = [("readOnlyHint", .bool(!writes))]
    if writes { annotations.append(("destructiveHint", .bool(effect != .adds))) }
    annotations.append(("openWorldHint", .bool(effect == .imports)))
    return [
      "name": .text(name), "description": .text(declaration.abstract), "inputSchema": .object(schema),
      "annotations": .object(annotations),
    ]
  }

  /// Returns the command line of a call, without the name of the program.
  ///
  /// The command itself validates the values.
  ///
  /// - Throws: ``ToolInputError`` if a name is unknown or a value cannot be written on a command line.
  func commandLine(_ values: [(key: String, value: OutputValue)]) throws(ToolInputError) -> [String] {
    let declaration = declaration
    let parameters = parameters(in: declaration)
    for (key, _) in values where !parameters.contains(where: { $0.name == key }) {
      throw ToolInputError.unknownName(key, known: parameters.map(\.name))
    }
    var options = declaration.arguments.contains(where: Self.isTableFormat) ? ["--format=json"] : []
    var operands: [String] = []
    for parameter in parameters {
      guard let value = values.last(where: { $0.key == parameter.name })?.value else { continue }
      let arguments = try parameter.arguments(for: value)
      if parameter.kind == .positional { operands += arguments } else { options += arguments }
    }
    return command.split(separator: " ").map(String.init) + options + (operands.isEmpty ? [] : ["--"] + operands)
  }

  /// The advice in the error message about an answer that is too long.
  var narrowing: String {
    parameters(in: declaration).contains { $0.name == "limit" }
      ? "Set a smaller 'limit'." : "Request a smaller part, such as one lesson."
  }
}

/// An error in the arguments of a call. Such arguments cannot be written on a command line.
enum ToolInputError: Error, CustomStringConvertible {
  case unknownName(String, known: [String])
  case wrongType(String, expected: String)
  case hasNUL(String)

  var description: String {
    switch self {
    case .unknownName(let name, let knownNames):
      "there is no argument \(quoted: name). "
        + (knownNames.isEmpty ? "Call it without arguments." : "Use one of: \(knownNames.joined(separator: ", ")).")
    case .wrongType(let name, let expected): "the value of \(quoted: name) has the wrong type. Pass \(expected)."
    case .hasNUL(let name): "the value of \(quoted: name) contains a NUL character. Remove it."
    }
  }
}

/// The arguments and options of a command, as the argument parser describes them to other programs.
struct CommandDeclaration: Decodable {
  let abstract: String
  let arguments: [Parameter]

  struct Parameter: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }
    struct Name: Decodable { let name: String }

    let kind: Kind
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool
    let preferredName: Name?
    let valueName: String?
    let abstract: String?
    let defaultValue: String?
    let allValues: [String]?
  }

  /// Reads the declaration of a command, which need not be the root.
  init(of command: any ParsableCommand.Type) throws {
    struct Dump: Decodable { let command: CommandDeclaration }
    self = try JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8)).command
  }
}

extension CommandDeclaration.Parameter {
  /// The long name of an option or flag. For an argument, its name in the usage text.
  var name: String { preferredName?.name ?? valueName ?? "" }

  /// Whether the value is a whole number. In this program, the value of such an option is named `n` or `columns`.
  var isInteger: Bool { kind == .option && ["n", "columns"].contains(valueName) }

  /// The JSON Schema of the value.
  var schema: OutputValue {
    var members: [(key: String, value: OutputValue)]
    if kind == .flag {
      members = [("type", .text("boolean"))]
    } else if isRepeating {
      members = [("type", .text("array")), ("items", ["type": "string"])]
    } else {
      members = [("type", .text(isInteger ? "integer" : "string"))]
    }
    if let allValues { members.append(("enum", .array(allValues.map(OutputValue.text)))) }
    if let abstract { members.append(("description", .text(abstract))) }
    if let defaultValue {
      members.append(("default", isInteger ? .integer(Int64(defaultValue) ?? 0) : .text(defaultValue)))
    }
    return .object(members)
  }

  /// Returns the words of a command line that pass a value.
  ///
  /// A number may be given as a string, and an array with one element as the element itself.
  ///
  /// - Throws: ``ToolInputError`` if the value has another type.
  func arguments(for value: OutputValue) throws(ToolInputError) -> [String] {
    switch (kind, value) {
    case (_, .null), (.flag, .bool(false)): return []
    case (.flag, .bool(true)): return ["--" + name]
    case (.flag, _): throw ToolInputError.wrongType(name, expected: "true or false")
    case (.positional, .array(let values)) where isRepeating:
      return try values.map { value throws(ToolInputError) in try text(value) }
    case (.positional, _): return [try text(value)]
    // With `=`, a value that begins with a hyphen is not parsed as an option.
    case (.option, _): return ["--\(name)=\(try text(value))"]
    }
  }

  private func text(_ value: OutputValue) throws(ToolInputError) -> String {
    switch value {
    case .integer(let number): return String(number)
    case .text(let text) where text.utf8.contains(0): throw ToolInputError.hasNUL(name)
    case .text(let text): return text
    default:
      throw ToolInputError.wrongType(
        name, expected: isInteger ? "a whole number" : isRepeating ? "a list of texts" : "a text")
    }
  }
}
