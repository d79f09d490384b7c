import Foundation
import HTTPTypes
import LearningModel
import NavigationKit
import TestSupport
import Testing

@testable import waymark_server

/// The OpenAPI document, checked by programs of other projects.
struct InterfaceTests {
  /// The folder of the checking programs, which are installed next to the tests at the first use. `nil` if they cannot
  /// be installed.
  private static let judges: String? = {
    let folder = URL(filePath: ServerFixture.path("waymark")).deletingLastPathComponent().appending(
      path: "interface-judges"
    ).path
    let program = "\(folder)/bin/schemathesis"
    if FileManager.default.isExecutableFile(atPath: program) { return folder }
    guard let home = try? ServerFixture() else { return nil }
    let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": home.folder.path]
    for command in [
      "python3 -m venv '\(folder)'", "'\(folder)/bin/pip' install -q schemathesis openapi-spec-validator",
    ] {
      guard (try? home.run("/bin/sh", ["-c", command], variables: path))?.code == 0 else { return nil }
    }
    return folder
  }()

  @Test(.enabled(if: judges != nil, "schemathesis and openapi-spec-validator cannot be had."))
  func `the OpenAPI document is valid`() throws {
    let home = try ServerFixture()
    try home.serve()
    let document = try home.ask("GET", "/v1/openapi.json").body
    try home.folder.write(Data(document.utf8), to: "openapi.json")

    let answer = try home.run("\(Self.judges!)/bin/openapi-spec-validator", [home.folder.file("openapi.json")])

    #expect(answer.code == 0, "\(answer)")
  }

  @Test(.enabled(if: judges != nil, "schemathesis and openapi-spec-validator cannot be had."))
  func `the server conforms to its OpenAPI document`() throws {
    let home = try ServerFixture()
    let token = try home.token("admin", "--scope", "admin")
    try home.serve()
    // An unknown place or an unreadable time may be refused even if the document allows its type.
    try home.folder.write(
      Data(
        """
        [checks]
        positive_data_acceptance.expected-statuses = ["2xx", "304", "400", "401", "403", "404", "409", "410", "422", "429"]
        negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "409", "414", "415", "422", "428", "429"]
        """.utf8), to: "schemathesis.toml")

    // The event stream is excluded because it has no end, and `deleteMe` because its token is invalid afterwards.
    let answer = try home.run(
      "/bin/sh",
      [
        "-c",
        "cd '\(home.folder.path)' && exec '\(Self.judges!)/bin/schemathesis' run http://127.0.0.1:\(home.port)/v1/openapi.json "
          + "-H 'Authorization: Bearer \(token)' --seed 1 --max-examples \(Tier.count(20, long: 480)) "
          + "--phases coverage,fuzzing --exclude-path /v1/events --exclude-operation-id deleteMe --exclude-checks ignored_auth --no-color",
      ])

    #expect(answer.code == 0, "\(answer.output)")
    #expect(try home.waymark("database", "check").code == 0)
  }

  @Test func `the OpenAPI document describes exactly what the routes declare`() throws {
    let document = try InterfaceDocument()

    let described = Set(document.facts)
    let declared = Set(InterfaceDocument.facts(of: Endpoint.all))

    #expect(described.subtracting(declared) == [], "only in the document")
    #expect(declared.subtracting(described) == [], "only in the routes")
    #expect(document.facts.count == described.count)
    #expect(Set(document.operationNames).count == Endpoint.all.count)
    for name in Endpoint.all.flatMap({ [$0.shape.body, $0.shape.answer] }).compactMap(\.self) {
      #expect(document.schemas[name] != nil, "\(name)")
    }
    #expect(!Endpoint.documentText.contains("\"description\": \"\""))
  }

  @Test func `the OpenAPI document lists the values of the model`() throws {
    let document = try InterfaceDocument()
    func member(_ name: String, of schema: String) -> [String: Any]? {
      (document.schemas[schema]?["properties"] as? [String: [String: Any]])?[name]
    }
    func words(_ schema: String, _ name: String) -> [String]? { member(name, of: schema)?["enum"] as? [String] }
    let laterValues = ", or a value of a later version."
    let kind = member("kind", of: "PlaceReference")

    for schema in ["CardAnswer", "ReviewLogRow", "AnswerRequest"] {
      #expect(words(schema, "rating") == CardRating.allCases.map(\.name))
    }
    for schema in ["NextCard", "CardRow", "CardAnswer"] {
      #expect(words(schema, "phase") == CardPhase.allCases.map(\.rawValue))
    }
    for schema in ["Step", "StepRequest"] {
      #expect(
        words(schema, "operation") == NavigationOperation.allCases.filter { $0 != .repair }.map(\.rawValue))
    }
    #expect(words("ActRequest", "act") == ActivityEventRequest.allowedKinds.map(\.rawValue))
    #expect(words("StepTransition", "kind") == TransitionKind.allCases.map(\.rawValue))
    #expect(
      kind?["description"] as? String == PlaceKind.allCases.map(\.rawValue).joined(separator: ", ") + laterValues)
  }
}

/// The facts about an HTTP interface, each as one text: those of the OpenAPI document, and those of the routes.
private struct InterfaceDocument {
  private(set) var facts: [String] = []
  private(set) var operationNames: [String] = []
  let schemas: [String: [String: Any]]

  init() throws {
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(Endpoint.documentText.utf8)) as? [String: Any])
    let components = document["components"] as? [String: Any]
    schemas = try #require(components?["schemas"] as? [String: [String: Any]])
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    for (route, operations) in paths {
      for (method, operation) in operations {
        let name = "\(method.uppercased()) \(route)"
        operationNames.append(try #require(operation["operationId"] as? String))
        facts.append("\(name) \(operation["security"] == nil ? "with a token" : "open")")
        for var parameter in operation["parameters"] as? [[String: Any]] ?? [] {
          // The routes declare only the descriptions of query parameters.
          if parameter["in"] as? String != "query" { parameter["description"] = nil }
          facts.append("\(name) \(Self.text(parameter))")
        }
        if let body = operation["requestBody"] { facts.append("\(name) body \(Self.text(body))") }
        for (status, response) in try #require(operation["responses"] as? [String: [String: Any]]) {
          let headers = (response["headers"] as? [String: Any] ?? [:]).keys.sorted()
          facts.append("\(name) \(status) \(headers) \(Self.text(response["content"] ?? [:]))")
        }
      }
    }
  }

  /// Returns the facts that routes declare.
  static func facts(of endpoints: [Endpoint]) -> [String] {
    endpoints.flatMap { endpoint in
      let name = "\(endpoint.method.rawValue) \(endpoint.route)"
      let shape = endpoint.shape
      var facts = [endpoint.access == .open ? "open" : "with a token"]
      facts += parameters(of: endpoint).map(text)
      if let body = shape.body {
        facts.append("body " + text(["required": true, "content": content("application/json", reference(body))]))
      }
      facts += responses(of: endpoint)
      return facts.map { "\(name) \($0)" }
    }
  }

  private static func parameters(of endpoint: Endpoint) -> [[String: Any]] {
    func header(_ name: String, _ pattern: String, isRequired: Bool = false) -> [String: Any] {
      ["name": name, "in": "header", "required": isRequired, "schema": ["type": "string", "pattern": pattern]]
    }
    let shape = endpoint.shape
    var parameters: [[String: Any]] = endpoint.parameters.map {
      [
        "name": $0.name, "in": "query", "required": $0.isRequired, "description": $0.summary,
        "schema": schema(of: $0.kind),
      ]
    }
    if let name = endpoint.placeholder {
      let schema: [String: Any] = ["type": "string", "minLength": 1, "maxLength": Parameter.maximumTextLength]
      parameters.append(["name": name, "in": "path", "required": true, "schema": schema])
    }
    if shape.isRepeatable { parameters.append(header("Idempotency-Key", "^[!-~]{1,255}$")) }
    if shape.isConfirmed {
      parameters.append(header("Waymark-Confirm", "^\(RequestExchange.confirmation)$", isRequired: true))
    }
    if shape.type == "text/event-stream" { parameters.append(header("Last-Event-ID", "^[1-9][0-9]{0,17}$")) }
    return parameters
  }

  private static func schema(of kind: Parameter.Kind) -> [String: Any] {
    switch kind {
    case .text:
      [
        "type": "string", "minLength": 1, "maxLength": Parameter.maximumTextLength, "pattern": #"[^\t\n\v\f\r ]"#,
      ]
    case .number(let range): ["type": "integer", "minimum": range.lowerBound, "maximum": range.upperBound]
    case .word(let values): ["type": "string", "enum": values]
    case .device: ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"]
    }
  }

  private static func responses(of endpoint: Endpoint) -> [String] {
    let shape = endpoint.shape
    var responses: [String] = []
    if let answer = shape.answer {
      let schema = shape.isList ? ["type": "array", "items": reference(answer)] : reference(answer)
      let headers = (endpoint.hasTag ? ["ETag"] : []) + (shape.isList && endpoint.method == .get ? ["Link"] : [])
      responses.append("200 \(headers) " + text(content(String(shape.type.prefix { $0 != ";" }), schema)))
      if endpoint.hasTag { responses.append("304 [] {}") }
    } else {
      responses.append("204 [] {}")
    }
    let problems =
      [400, 413, 414, 415, 417, 431, 500, 501] + (endpoint.access == .open ? [] : [401, 429, 503]) + shape.problems
      + (shape.isRepeatable ? [422] : []) + (shape.isConfirmed ? [428] : [])
    return responses
      + Set(problems).map { status in
        let headers = [429, 503].contains(status) ? ["Retry-After"] : []
        return "\(status) \(headers) " + text(content("application/problem+json", reference("Problem")))
      }
  }

  private static func reference(_ schema: String) -> [String: Any] { ["$ref": "#/components/schemas/\(schema)"] }

  private static func content(_ type: String, _ schema: [String: Any]) -> [String: Any] { [type: ["schema": schema]] }

  private static func text(_ value: Any) -> String {
    let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
