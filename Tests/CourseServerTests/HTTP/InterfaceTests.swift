import Answers
import Foundation
import HTTPTypes
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

  @Test func `the OpenAPI document describes every route and its schemas`() {
    let document = OpenAPI.document.json
    let schemas: [(key: String, value: OutputValue)] =
      if case .object(let members) = OpenAPISchemas.all { members } else { [] }

    for endpoint in Endpoint.all {
      #expect(document.contains("\"\(endpoint.route)\":{"))
      for name in [endpoint.shape.body, endpoint.shape.answer].compactMap(\.self) {
        #expect(schemas.contains { $0.key == name }, "\(name)")
      }
    }
    let routes = Endpoint.all.map { "\($0.method) \($0.route)" }
    #expect(Set(routes).count == routes.count)
    #expect(!document.contains("\"description\":\"\""))
  }
}
