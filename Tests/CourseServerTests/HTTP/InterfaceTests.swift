import Answers
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import waymark_server

/// The interface as it describes itself, judged by other people's programs.
struct InterfaceTests {
  /// A folder with the programs that judge, made beside the tests the first time; `nil` where they cannot be had.
  private static let judges: String? = {
    let folder = URL(filePath: ServedHome.path("waymark")).deletingLastPathComponent().appending(
      path: "interface-judges"
    ).path
    let program = "\(folder)/bin/schemathesis"
    if FileManager.default.isExecutableFile(atPath: program) { return folder }
    guard let home = try? ServedHome() else { return nil }
    let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": home.folder.path]
    for command in [
      "python3 -m venv '\(folder)'", "'\(folder)/bin/pip' install -q schemathesis openapi-spec-validator",
    ] {
      guard (try? home.run("/bin/sh", ["-c", command], variables: path))?.code == 0 else { return nil }
    }
    return folder
  }()

  @Test(.enabled(if: judges != nil, "schemathesis and openapi-spec-validator cannot be had."))
  func `the description is one of OpenAPI`() throws {
    let home = try ServedHome()
    try home.serve()
    let document = try home.ask("GET", "/v1/openapi.json").body
    try home.folder.write(Data(document.utf8), to: "openapi.json")

    let answer = try home.run("\(Self.judges!)/bin/openapi-spec-validator", [home.folder.file("openapi.json")])

    #expect(answer.code == 0, "\(answer)")
  }

  @Test(.enabled(if: judges != nil, "schemathesis and openapi-spec-validator cannot be had."))
  func `the server does what the description says, and nothing else`() throws {
    let home = try ServedHome()
    let token = try home.token("admin", "--scope", "admin")
    try home.serve()
    // A place that is not there, and a text that means no time, are no faults of the description.
    try home.folder.write(
      Data(
        """
        [checks]
        positive_data_acceptance.expected-statuses = ["2xx", "304", "400", "401", "403", "404", "409", "410", "422", "429"]
        negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "409", "414", "415", "422", "428", "429"]
        """.utf8), to: "schemathesis.toml")

    // A stream of events has no end to be waited for, and who has erased themselves is answered 401 from then on.
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

  @Test func `every route is described, with what it answers`() {
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
