import Answers
import ArgumentParser
import Foundation

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

  /// The declaration of a command, which need not be the root.
  init(of command: any ParsableCommand.Type) throws {
    struct Dump: Decodable { let command: CommandDeclaration }
    self = try JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8)).command
  }
}

extension CommandDeclaration.Parameter {
  /// The long name of an option or flag, or the name of an argument in the usage.
  var name: String { preferredName?.name ?? valueName ?? "" }

  /// True if the value is a whole number: the options of this program name such a value `n` or `columns`.
  var isInteger: Bool { kind == .option && ["n", "columns"].contains(valueName) }

  /// The JSON Schema of the value.
  var schema: OutputValue {
    var members: [(key: String, value: OutputValue)]
    if kind == .flag {
      members = [("type", .text("boolean"))]
    } else if isRepeating {
      members = [("type", .text("array")), ("items", .object([("type", .text("string"))]))]
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
  /// Numbers are accepted as texts, and one text as a list of one.
  ///
  /// - Throws: ``ToolInputError`` if the value has another type.
  func words(for value: OutputValue) throws(ToolInputError) -> [String] {
    switch (kind, value) {
    case (_, .null), (.flag, .bool(false)): return []
    case (.flag, .bool(true)): return ["--" + name]
    case (.flag, _): throw ToolInputError.wrongType(name, expected: "true or false")
    case (.positional, .array(let values)) where isRepeating:
      return try values.map { value throws(ToolInputError) in try text(value) }
    case (.positional, _): return [try text(value)]
    // A value that begins with a hyphen is not taken for another option.
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
