import Foundation

/// What xAPI 1.0.3 demands of a statement, written from the specification and not from the code that makes them.
///
/// Source: xAPI 1.0.3, Part Two, sections 2.2 (formatting), 2.4 (statement properties) and 4 (special types).
enum StatementRules {
  private static let members: [String: Set<String>] = [
    "": [
      "id", "actor", "verb", "object", "result", "context", "timestamp", "stored", "authority", "version",
      "attachments",
    ],
    "actor": ["objectType", "name", "mbox", "mbox_sha1sum", "openid", "account"],
    "account": ["homePage", "name"],
    "verb": ["id", "display"],
    "object": ["objectType", "id", "definition"],
    "definition": ["name", "description", "type", "moreInfo", "extensions", "interactionType"],
    "result": ["score", "success", "completion", "response", "duration", "extensions"],
    "score": ["scaled", "raw", "min", "max"],
    "context": [
      "registration", "instructor", "team", "contextActivities", "revision", "platform", "language", "statement",
      "extensions",
    ],
    "contextActivities": ["parent", "grouping", "category", "other"],
  ]

  /// Returns what a statement breaks; one sentence each.
  static func problems(in data: Data) throws -> [String] {
    guard let statement = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      return ["it is no object"]
    }
    var problems: [String] = []
    func expect(_ holds: Bool, _ words: String) { if !holds { problems.append(words) } }
    func object(_ parent: [String: Any], _ name: String) -> [String: Any] {
      let value = parent[name] as? [String: Any] ?? [:]
      expect(Set(value.keys).isSubset(of: members[name] ?? Set(value.keys)), "\(name) has other members")
      expect(!value.values.contains { $0 is NSNull }, "\(name) has a null")
      return value
    }
    func activity(_ value: [String: Any]) {
      expect(Set(value.keys).isSubset(of: members["object"]!), "an activity has other members")
      expect(value["objectType"] as? String == "Activity", "an activity is of another type")
      expect(isIRI(value["id"]), "an activity's id is no IRI")
      let definition = object(value, "definition")
      expect(isIRI(definition["type"]), "a definition's type is no IRI")
      expect(isLanguageMap(definition["name"]), "a definition's name is no language map")
    }

    expect(Set(statement.keys).isSubset(of: members[""]!), "it has other members")
    expect(isUUID(statement["id"], version: "5"), "the id is no UUID")
    expect(isTime(statement["timestamp"]), "the timestamp is no time")

    let actor = object(statement, "actor")
    expect(actor["objectType"] as? String == "Agent", "the actor is no agent")
    let identifiers = ["mbox", "mbox_sha1sum", "openid", "account"].filter { actor[$0] != nil }
    expect(identifiers.count == 1, "an agent has exactly one identifier")
    let account = object(actor, "account")
    expect(isIRI(account["homePage"]), "the home page is no IRL")
    expect((account["name"] as? String)?.isEmpty == false, "the account has no name")

    let verb = object(statement, "verb")
    expect(isIRI(verb["id"]), "the verb's id is no IRI")
    expect(isLanguageMap(verb["display"]), "the verb's display is no language map")
    activity(statement["object"] as? [String: Any] ?? [:])

    let result = object(statement, "result")
    if statement["result"] != nil { expect(!result.isEmpty, "the result is empty") }
    if let duration = result["duration"] { expect(isDuration(duration), "the duration is none: \(duration)") }
    if let completion = result["completion"] { expect(completion is Bool, "the completion is no truth value") }
    if result["score"] != nil {
      let scaled = object(result, "score")["scaled"] as? Double
      expect(scaled.map { (-1...1).contains($0) } == true, "the scaled score is not between -1 and 1")
    }

    let context = object(statement, "context")
    expect(isUUID(context["registration"], version: "5"), "the registration is no UUID")
    let around = object(context, "contextActivities")
    for list in around.values {
      for value in list as? [[String: Any]] ?? [[:]] { activity(value) }
    }
    for name in (context["extensions"] as? [String: Any] ?? ["": 0]).keys {
      expect(isIRI(name), "an extension's name is no IRI")
    }
    return problems
  }

  private static func isUUID(_ value: Any?, version: Character) -> Bool {
    (value as? String)?.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-([1-5])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)?
      .output.1 == "\(version)"
  }

  /// Source: RFC 3987; ours keep to the characters of RFC 3986.
  private static func isIRI(_ value: Any?) -> Bool {
    (value as? String)?.wholeMatch(
      of: /[a-z][a-z0-9+.\-]*:\/\/[A-Za-z0-9.\-]+(\/([A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-F]{2})*)*/) != nil
  }

  private static func isLanguageMap(_ value: Any?) -> Bool {
    guard let map = value as? [String: String], !map.isEmpty else { return false }
    return map.allSatisfy { $0.key.wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil && !$0.value.isEmpty }
  }

  /// Source: RFC 3339, section 5.6.
  private static func isTime(_ value: Any?) -> Bool {
    (value as? String)?.wholeMatch(
      of: /\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+\-]\d{2}:\d{2})/)
      != nil
  }

  /// Source: ISO 8601:2004, section 4.4.3.2; to a hundredth of a second.
  private static func isDuration(_ value: Any) -> Bool {
    (value as? String)?.wholeMatch(of: /PT(\d+H)?(\d+M)?(\d+(\.\d{1,2})?S)?/).map { $0.output.0 != "PT" } == true
  }
}
