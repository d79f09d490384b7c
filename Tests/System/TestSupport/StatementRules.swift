public import Foundation

/// The rules of xAPI 1.0.3 for statements, written from the specification and independent of the code under test.
///
/// Source: xAPI 1.0.3, Part Two, sections 2.2 (formatting), 2.4 (statement properties) and 4 (special types).
public enum StatementRules {
  private typealias JSON = [String: Any]

  /// The members that each object may have. The content of `extensions` is not restricted.
  private static let members: [String: Set<String>] = [
    "statement": [
      "id", "actor", "verb", "object", "result", "context", "timestamp", "stored", "authority", "version",
      "attachments",
    ],
    "actor": ["objectType", "name", "mbox", "mbox_sha1sum", "openid", "account"],
    "account": ["homePage", "name"],
    "verb": ["id", "display"],
    "activity": ["objectType", "id", "definition"],
    "definition": [
      "name", "description", "type", "moreInfo", "extensions", "interactionType", "correctResponsesPattern", "choices",
      "scale", "source", "target", "steps",
    ],
    "result": ["score", "success", "completion", "response", "duration", "extensions"],
    "score": ["scaled", "raw", "min", "max"],
    "context": [
      "registration", "instructor", "team", "contextActivities", "revision", "platform", "language", "statement",
      "extensions",
    ],
    "contextActivities": ["parent", "grouping", "category", "other"],
  ]

  /// Returns the violated rules of a statement in JSON, one sentence each.
  public static func problems(in data: Data) throws -> [String] {
    guard let statement = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      return ["it is no object"]
    }
    return problems(in: statement)
  }

  /// Returns the violated rules of a statement, one sentence each.
  public static func problems(in statement: [String: Any]) -> [String] {
    var rules = Checking()
    rules.expectNoNull(statement, at: "statement")
    rules.expectMembers(of: statement, "statement")
    rules.expect(uuidForm.matches(statement["id"]), "the id is no UUID")
    rules.expect(isTime(statement["timestamp"]), "the timestamp is no time")
    if let version = statement["version"] { rules.expect(version as? String == "1.0.0", "the version is not 1.0.0") }
    rules.actor(statement["actor"])
    rules.verb(statement["verb"])
    rules.activity(statement["object"], "object")
    if let result = statement["result"] { rules.result(result) }
    if let context = statement["context"] { rules.context(context) }
    return rules.problems
  }

  private struct Checking {
    var problems: [String] = []

    mutating func expect(_ holds: Bool, _ problem: String) { if !holds { problems.append(problem) } }

    mutating func expectMembers(of object: JSON, _ name: String) {
      let others = Set(object.keys).subtracting(members[name]!).sorted()
      expect(others.isEmpty, "\(name) has the members \(others)")
    }

    /// Section 2.2: null is only allowed in extensions.
    mutating func expectNoNull(_ value: Any, at path: String) {
      if value is NSNull { problems.append("\(path) is null") }
      for (key, member) in value as? JSON ?? [:] where key != "extensions" {
        expectNoNull(member, at: "\(path).\(key)")
      }
      for (index, element) in (value as? [Any] ?? []).enumerated() { expectNoNull(element, at: "\(path).\(index)") }
    }

    mutating func actor(_ value: Any?) {
      guard let actor = value as? JSON else { return problems.append("there is no actor") }
      expectMembers(of: actor, "actor")
      expect(actor["objectType"].map { $0 as? String == "Agent" } ?? true, "the actor is no agent")
      if let name = actor["name"] { expect(name is String, "the actor's name is no text") }
      let identifiers = ["mbox", "mbox_sha1sum", "openid", "account"].filter { actor[$0] != nil }
      expect(identifiers.count == 1, "an agent has exactly one identifier")
      if let account = actor["account"] {
        let account = account as? JSON ?? [:]
        expectMembers(of: account, "account")
        expect(iriForm.matches(account["homePage"]), "the home page is no IRL")
        expect((account["name"] as? String)?.isEmpty == false, "the account has no name")
      }
    }

    mutating func verb(_ value: Any?) {
      guard let verb = value as? JSON else { return problems.append("there is no verb") }
      expectMembers(of: verb, "verb")
      expect(iriForm.matches(verb["id"]), "the verb's id is no IRI")
      if let display = verb["display"] { expect(isLanguageMap(display), "the verb's display is no language map") }
    }

    mutating func activity(_ value: Any?, _ name: String) {
      guard let activity = value as? JSON else { return problems.append("\(name) is no activity") }
      expectMembers(of: activity, "activity")
      expect(activity["objectType"].map { $0 as? String == "Activity" } ?? true, "\(name) is of another type")
      expect(iriForm.matches(activity["id"]), "\(name)'s id is no IRI")
      guard let definition = activity["definition"] else { return }
      guard let definition = definition as? JSON else { return problems.append("\(name)'s definition is no object") }
      expectMembers(of: definition, "definition")
      if let type = definition["type"] { expect(iriForm.matches(type), "\(name)'s type is no IRI") }
      for text in ["name", "description"] {
        if let map = definition[text] { expect(isLanguageMap(map), "\(name)'s \(text) is no language map") }
      }
      extensions(definition["extensions"])
    }

    mutating func result(_ value: Any) {
      guard let result = value as? JSON else { return problems.append("the result is no object") }
      expectMembers(of: result, "result")
      // Not a rule of xAPI, but an empty result has no information.
      expect(!result.isEmpty, "the result is empty")
      if let duration = result["duration"] { expect(isDuration(duration), "the duration is none: \(duration)") }
      for name in ["completion", "success"] {
        if let answer = result[name] { expect(isTruth(answer), "the \(name) is no truth value") }
      }
      if let response = result["response"] { expect(response is String, "the response is no text") }
      if let score = result["score"] {
        let score = score as? JSON ?? [:]
        expectMembers(of: score, "score")
        let scaled = score["scaled"].flatMap { isTruth($0) ? nil : $0 as? Double }
        expect(scaled.map { (-1...1).contains($0) } == true, "the scaled score is not between -1 and 1")
      }
      extensions(result["extensions"])
    }

    mutating func context(_ value: Any) {
      guard let context = value as? JSON else { return problems.append("the context is no object") }
      expectMembers(of: context, "context")
      if let registration = context["registration"] {
        expect(uuidForm.matches(registration), "the registration is no UUID")
      }
      if let platform = context["platform"] { expect(platform is String, "the platform is no text") }
      if let language = context["language"] { expect(languageForm.matches(language), "the language is none") }
      if let around = context["contextActivities"] {
        let around = around as? JSON ?? [:]
        expectMembers(of: around, "contextActivities")
        for (name, list) in around {
          expect(list is [Any], "\(name) is no list")
          for value in list as? [Any] ?? [] { activity(value, name) }
        }
      }
      extensions(context["extensions"])
    }

    /// Section 4.1: the keys of the map are IRIs.
    mutating func extensions(_ value: Any?) {
      guard let value else { return }
      guard let map = value as? JSON else { return problems.append("the extensions are no object") }
      for name in map.keys { expect(iriForm.matches(name), "the extension '\(name)' is no IRI") }
    }
  }

  // MARK: - Formats

  /// Foundation parses both `true` and `1` as `NSNumber`. Only the type code distinguishes them.
  private static func isTruth(_ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return value is Bool }
    return String(cString: number.objCType) == String(cString: NSNumber(value: true).objCType)
  }

  /// A text format. The regular expression is stored, since a literal in a function would be compiled at each call.
  private struct Form<Output>: @unchecked Sendable {
    let pattern: Regex<Output>

    func matches(_ value: Any?) -> Bool { (value as? String).map { $0.wholeMatch(of: pattern) != nil } ?? false }
  }

  /// Source: RFC 4122, section 3; in lower case, as section 2.2 recommends.
  private static let uuidForm = Form(
    pattern: /[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)

  /// Source: RFC 3987. Waymark only uses the characters of RFC 3986.
  private static let iriForm = Form(
    pattern: /[a-z][a-z0-9+.\-]*:\/\/[A-Za-z0-9.\-]+(\/([A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-F]{2})*)*/)

  /// Source: RFC 5646, section 2.1. Only the lengths of the subtags are checked.
  private static let languageForm = Form(pattern: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/)

  private static func isLanguageMap(_ value: Any) -> Bool {
    guard let map = value as? [String: String], !map.isEmpty else { return false }
    return map.allSatisfy { languageForm.matches($0.key) && !$0.value.isEmpty }
  }

  /// Source: RFC 3339, section 5.6; section 4.5 forbids the offset -00:00.
  private static let timeForm = Form(
    pattern: /\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+\-]\d{2}:\d{2})/)

  private static func isTime(_ value: Any?) -> Bool {
    (value as? String)?.hasSuffix("-00:00") == false && timeForm.matches(value)
  }

  /// Source: ISO 8601:2004, section 4.4.3.2; with at most two decimals, as section 4.6 recommends.
  private static let durationForm = Form(pattern: /PT(\d+H)?(\d+M)?(\d+(\.\d{1,2})?S)?/)

  private static func isDuration(_ value: Any) -> Bool { durationForm.matches(value) && value as? String != "PT" }
}
