import Answers
import HTTPTypes

/// The OpenAPI document, which is generated from the routes and the schemas in ``OpenAPISchemas``.
///
/// Source: OpenAPI Specification 3.1.0.
enum OpenAPI {
  /// The document as JSON.
  static let text = document.indentedJSON + "\n"

  static let document: OutputValue = [
    "openapi": "3.1.0",
    "info": [
      "title": "Waymark", "version": "1",
      "description": .text(
        "Courses, progress and the history of learners. "
          + "Lists are paginated: follow the Link header until there is none. "
          + "Errors are problem documents (RFC 9457). Changes are committed to disk before the response is sent."),
      "license": ["name": "MIT", "identifier": "MIT"],
    ], "servers": [["url": "/"]], "security": [["token": []]], "paths": .object(paths),
    "components": [
      "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]], "schemas": OpenAPISchemas.all,
    ],
  ]

  private static var paths: [(key: String, value: OutputValue)] {
    var routes: [String] = []
    for endpoint in Endpoint.all where !routes.contains(endpoint.route) { routes.append(endpoint.route) }
    return routes.map { route in
      let operations = Endpoint.all.filter { $0.route == route }
      return (route, .object(operations.map { ($0.method.rawValue.lowercased(), operation($0)) }))
    }
  }

  private static func operation(_ endpoint: Endpoint) -> OutputValue {
    var members: [(key: String, value: OutputValue)] = [
      ("operationId", .text(identifier(of: endpoint))), ("summary", .text(endpoint.summary)),
    ]
    if endpoint.access == .open { members.append(("security", [])) }
    let parameters = pathParameters(of: endpoint) + endpoint.parameters.map(parameter) + headers(of: endpoint)
    if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
    if let body = endpoint.shape.body {
      members.append(("requestBody", ["required": true, "content": ["application/json": ["schema": reference(body)]]]))
    }
    members.append(("responses", .object(responses(of: endpoint))))
    return .object(members)
  }

  /// Returns an operation's identifier, such as `getCourses` or `putBookmarksPath`.
  private static func identifier(of endpoint: Endpoint) -> String {
    let segments = endpoint.route.split { !$0.isLetter }.filter { $0 != "v" }
    return endpoint.method.rawValue.lowercased() + segments.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static let placeholders = [
    "path": "The path of a place, such as english-for-business/meetings. Its slashes may be encoded.",
    "name": "The name of the learner.", "digest": "The SHA-256 digest of the image file, from the page.",
  ]

  private static func pathParameters(of endpoint: Endpoint) -> [OutputValue] {
    endpoint.placeholder.map { name in
      [
        [
          "name": .text(name), "in": "path", "required": true, "description": .text(placeholders[name] ?? ""),
          "schema": ["type": "string", "minLength": 1, "maxLength": .integer(Int64(Parameter.maximumTextLength))],
        ]
      ]
    } ?? []
  }

  private static func parameter(_ parameter: Parameter) -> OutputValue {
    [
      "name": .text(parameter.name), "in": "query", "required": .bool(parameter.isRequired),
      "description": .text(parameter.summary), "schema": schema(of: parameter.kind),
    ]
  }

  private static func schema(of kind: Parameter.Kind) -> OutputValue {
    switch kind {
    case .text:
      [
        "type": "string", "minLength": 1, "maxLength": .integer(Int64(Parameter.maximumTextLength)),
        "pattern": .text(.visiblePattern),
      ]
    case .number(let range):
      ["type": "integer", "minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound))]
    case .word(let values): ["type": "string", "enum": .array(values.map { .text($0) })]
    case .device: ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"]
    }
  }

  private static func headers(of endpoint: Endpoint) -> [OutputValue] {
    func header(_ name: String, _ summary: String, _ pattern: String, isRequired: Bool = false) -> OutputValue {
      [
        "name": .text(name), "in": "header", "required": .bool(isRequired), "description": .text(summary),
        "schema": ["type": "string", "pattern": .text(pattern)],
      ]
    }
    if endpoint.shape.isRepeatable {
      return [
        header(
          "Idempotency-Key",
          "A key for this request. "
            + "If the request is repeated within a day, it is performed once, with the same response.",
          "^[!-~]{1,255}$")
      ]
    }
    if endpoint.shape.isConfirmed {
      return [
        header(
          "Waymark-Confirm", "Confirms the erasure of all data of the learner.",
          "^\(RequestExchange.confirmation)$", isRequired: true)
      ]
    }
    return endpoint.shape.type == "text/event-stream"
      ? [header("Last-Event-ID", "The id of the last known event.", "^[1-9][0-9]{0,17}$")] : []
  }

  // MARK: - Answers

  private static func responses(of endpoint: Endpoint) -> [(key: String, value: OutputValue)] {
    let shape = endpoint.shape
    var members: [(key: String, value: OutputValue)] = []
    if let answer = shape.answer {
      let schema: OutputValue =
        shape.isList ? ["type": "array", "items": reference(answer)] : reference(answer)
      var headers: [(key: String, value: OutputValue)] = []
      if shape.isList, endpoint.method == .get {
        headers.append(("Link", header("The next page with rel=next, if there is one (RFC 8288).")))
      }
      if endpoint.hasTag {
        headers.append(("ETag", header("The digest of the response.")))
      }
      var success: [(key: String, value: OutputValue)] = [("description", .text("Success."))]
      if !headers.isEmpty { success.append(("headers", .object(headers))) }
      success.append(("content", [String(shape.type.prefix { $0 != ";" }): ["schema": schema]]))
      members.append(("200", .object(success)))
      if endpoint.hasTag {
        members.append(("304", ["description": "Not modified: the response matches If-None-Match."]))
      }
    } else {
      members.append(("204", ["description": "Success, without content."]))
    }
    for status in Set(problems(of: endpoint)).sorted() {
      var problem: [(key: String, value: OutputValue)] = [("description", .text(meanings[status] ?? ""))]
      if [429, 503].contains(status) {
        problem.append(
          ("headers", ["Retry-After": header("The number of seconds after which to repeat the request.")]))
      }
      problem.append(
        ("content", ["application/problem+json": ["schema": reference("Problem")]]))
      members.append((String(status), .object(problem)))
    }
    return members
  }

  private static let meanings = [
    400: "The request is malformed. The detail names the invalid part.",
    401: "The token is missing or invalid.", 403: "The token does not permit the request.",
    404: "Not found. Nothing was changed.",
    409: "The request conflicts with the current state. Nothing was changed.",
    410: "The place was removed from its course.", 413: "The body is longer than 32 KiB, or 1 MiB for /v1/sync.",
    414: "The address is too long.", 415: "The body is not application/json, or is compressed.",
    417: "The request has an expectation other than 100-continue.",
    422: "The request is well-formed but not possible, or its Idempotency-Key was used for another request.",
    428: "The header field that confirms the request is missing.",
    429: "Too many requests. Wait for the seconds in Retry-After.",
    431: "The header fields are too long.",
    500: "The server failed. Its log has the cause under the X-Request-Id of the response.",
    501: "The server does not support the method or the transfer coding.",
    503:
      "The database is busy, unavailable, not migrated or full, or the access to other learners' data cannot be "
      + "recorded. Nothing was changed. Repeat the request after the seconds in Retry-After.",
  ]

  private static func problems(of endpoint: Endpoint) -> [Int] {
    let shape = endpoint.shape
    let common = [400, 413, 414, 415, 417, 431, 500, 501] + (endpoint.access == .open ? [] : [401, 429, 503])
    return common + shape.problems + (shape.isRepeatable ? [422] : [])
      + (shape.isConfirmed ? [428] : [])
  }

  private static func header(_ summary: String) -> OutputValue {
    ["description": .text(summary), "schema": ["type": "string"]]
  }

  private static func reference(_ name: String) -> OutputValue {
    ["$ref": "#/components/schemas/\(name)"]
  }
}
