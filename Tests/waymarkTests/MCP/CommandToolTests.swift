import Answers
import ArgumentParser
import Testing

@testable import waymark

struct CommandToolTests {
  @Test func `tool names are unique and contain only letters and underscores`() {
    let names = CommandTool.all.map(\.name)

    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z_]{1,64}/) != nil })
  }

  @Test(arguments: CommandTool.all.map(\.command))
  func `a tool is described by the declaration of its command`(command: String) throws {
    let tool = try #require(CommandTool.all.first { $0.command == command })
    let type = tool.type
    let properties = try #require(tool.definition["inputSchema"]?["properties"]?.members)
    let integers = properties.filter { $0.value["type"] == .text("integer") }.map(\.key)
    let declared = Self.integerOptions(of: type)

    #expect(tool.definition["description"] == .text(type.configuration.abstract))
    #expect(Set(properties.map(\.key)).count == properties.count)
    #expect(Set(integers) == declared)
    #expect(
      Set(properties.map(\.key)).isDisjoint(with: [
        "", "database", "learner", "help", "version", "output", "force", "watch", "if-empty",
      ]))
  }

  @Test func `the definition of a tool contains lists, enumerations and defaults`() throws {
    let tool = try #require(CommandTool.all.first { $0.name == "search" })
    let description = """
      {"name":"search","description":"\(SearchCommand.configuration.abstract)","inputSchema":{"type":"object",\
      "properties":{"query":{"type":"array","items":{"type":"string"},\
      "description":"The words to find. All words must occur; the last one can be incomplete."},\
      "course":{"type":"string","description":"Search only this course."},\
      "kind":{"type":"string","enum":["course","goal","lesson","activity"],\
      "description":"Search only places of this kind."},\
      "limit":{"type":"integer","description":"The maximum number of results.","default":20}},"required":["query"],\
      "additionalProperties":false},"annotations":{"readOnlyHint":true,"openWorldHint":false}}
      """

    #expect(tool.definition.json == description)
  }

  @Test(arguments: [
    ("courses", "{}", ["courses", "--format=json"]),
    ("show", #"{"place": "-x", "answers": true}"#, ["show", "--answers", "--", "-x"]),
    ("show", #"{"answers": false, "format": "markdown", "place": "a"}"#, ["show", "--format=markdown", "--", "a"]),
    (
      "search", #"{"query": ["--learner", "x"], "limit": 5}"#,
      ["search", "--format=json", "--limit=5", "--", "--learner", "x"]
    ),
    ("search", #"{"query": "first offer", "course": null}"#, ["search", "--format=json", "--", "first offer"]),
    (
      "history_list", #"{"after": 41, "text": "--learner=all"}"#,
      ["history", "list", "--format=json", "--text=--learner=all", "--after=41"]
    ),
    ("nav_pop_to", #"{"place": "", "dry-run": true}"#, ["nav", "pop-to", "--dry-run", "--format=json", "--", ""]),
    ("progress_mark", #"{"mark": "done", "place": "a"}"#, ["progress", "mark", "--", "a", "done"]),
  ])
  func `a call becomes the matching command line`(
    name: String, arguments: String, line: [String]
  ) throws {
    let tool = try #require(CommandTool.all.first { $0.name == name })
    let values = try #require(ReceivedJSON(Array(arguments.utf8))?.value.members)

    // The order of options is not significant.
    #expect(try tool.commandLine(values).sorted() == line.sorted())
    #expect(try tool.commandLine(values).last == line.last)
  }

  @Test(arguments: [
    ("courses", #"{"learner": "ben"}"#, "there is no argument 'learner'. Use one of: limit."),
    (
      "export", #"{"course": "a", "output": "b"}"#,
      "there is no argument 'output'. Use one of: course, with-progress, without-own-cards."
    ),
    ("formats", #"{"limit": 1}"#, "there is no argument 'limit'. Call it without arguments."),
    ("courses", #"{"limit": 1.5}"#, "the value of 'limit' has the wrong type. Pass a whole number."),
    ("courses", #"{"limit": true}"#, "the value of 'limit' has the wrong type. Pass a whole number."),
    ("show", #"{"place": {}}"#, "the value of 'place' has the wrong type. Pass a text."),
    ("show", #"{"place": ["a"]}"#, "the value of 'place' has the wrong type. Pass a text."),
    ("show", #"{"answers": "yes"}"#, "the value of 'answers' has the wrong type. Pass true or false."),
    ("search", #"{"query": [["a"]]}"#, "the value of 'query' has the wrong type. Pass a list of texts."),
    ("show", #"{"place": "a\u0000b"}"#, "the value of 'place' contains a NUL character. Remove it."),
  ])
  func `arguments that cannot be written on a command line are rejected`(name: String, arguments: String, text: String)
    throws
  {
    let tool = try #require(CommandTool.all.first { $0.name == name })
    let values = try #require(ReceivedJSON(Array(arguments.utf8))?.value.members)

    let error = #expect(throws: ToolInputError.self) { try tool.commandLine(values) }
    #expect(error?.description == text)
  }

  /// Returns the long names of the options whose Swift type is `Int`.
  private static func integerOptions(of arguments: any ParsableArguments.Type) -> Set<String> {
    Set(
      Mirror(reflecting: arguments.init()).children.flatMap { child -> Set<String> in
        if let group = child.value as? any GroupOfArguments { return integerOptions(of: type(of: group).group) }
        guard let option = child.value as? any TypedOption, let label = child.label else { return [] }
        let type = type(of: option).value
        guard type == Int.self || type == Int?.self else { return [] }
        return [label.dropFirst().map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()]
      })
  }
}

private protocol TypedOption {
  static var value: Any.Type { get }
}

extension Option: TypedOption {
  static var value: Any.Type { Value.self }
}

private protocol GroupOfArguments {
  static var group: any ParsableArguments.Type { get }
}

extension OptionGroup: GroupOfArguments {
  static var group: any ParsableArguments.Type { Value.self }
}

extension OutputValue {
  /// The members of an object, or `nil` for other values.
  fileprivate var members: [(key: String, value: OutputValue)]? {
    guard case .object(let members) = self else { return nil }
    return members
  }
}
