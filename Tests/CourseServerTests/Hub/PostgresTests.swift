import Foundation
import TestSupport
import Testing

struct PostgresTests {
  @Test func `all keys start with tenant and learner, and no object spans learners or shards`() throws {
    let home = try ServerFixture()
    let server = try PostgresServer.shared.get()
    let address = try server.database(in: home)

    let keys = try server.query(
      """
      SELECT relname || ': ' || (
        SELECT string_agg(attname, ' ' ORDER BY place) FROM unnest(indkey) WITH ORDINALITY AS part (number, place)
        JOIN pg_attribute ON attrelid = indrelid AND attnum = number)
      FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = 'waymark'::regnamespace AND relname NOT IN ('migration', 'class') AND indisunique ORDER BY 1
      """, of: address, in: home
    ).split(separator: "\n")
    let others = try server.query(
      """
      SELECT (SELECT count(*) FROM pg_class WHERE relkind = 'S' AND relnamespace = 'waymark'::regnamespace),
        (SELECT count(*) FROM pg_trigger), (SELECT count(*) FROM pg_constraint
          WHERE contype = 'f' AND connamespace = 'waymark'::regnamespace)
      """, of: address, in: home)

    #expect(keys.count >= 12)
    #expect(keys.filter { !$0.contains(": tenant learner") } == [])
    #expect(others == "0\t0\t0\n")
  }

  @Test func `migrations run once and are listed`() throws {
    let home = try ServerFixture()
    let address = try PostgresServer.shared.get().database(in: home, migrated: false)
    let program = ServerFixture.path("waymark-server")

    let before = try home.run(program, ["tokens", "list", "--hub", address])
    let first = try home.run(program, ["migrate", address])
    let second = try home.run(program, ["migrate", address])

    #expect(
      before.code == 65 && before.errors.contains("Run 'waymark-server migrate' with the same URL"), "\(before)")
    #expect(first == .init(code: 0, output: "Applied 0001_hub.\nApplied 0002_renamed_places.\n"))
    #expect(second == .init(code: 0, output: "The tables are up to date.\n"))
  }

  @Test func `a foreign migration or an existing table stops the migration without changes`() throws {
    let home = try ServerFixture()
    let server = try PostgresServer.shared.get()
    let program = ServerFixture.path("waymark-server")
    let (other, strange) = (try server.database(in: home), try server.database(in: home, migrated: false))
    _ = try server.query("UPDATE waymark.migration SET digest = 'x'", of: other, in: home)
    _ = try server.query("CREATE SCHEMA waymark; CREATE TABLE waymark.learner ()", of: strange, in: home)

    let differs = try home.run(program, ["migrate", other])
    let refused = try home.run(program, ["migrate", strange])

    #expect(
      differs.code == 65
        && differs.errors.contains("Could not migrate: '0001_hub' was applied with different statements"),
      "\(differs)")
    #expect(refused.code == 74 && refused.errors.contains("\"learner\" already exists (42P07)"), "\(refused)")
    #expect(try server.query("SELECT count(*) FROM waymark.migration", of: strange, in: home) == "0\n")
  }

  @Test func `a hub on PostgreSQL that was restored from a backup receives the lost events again`() throws {
    let hub = try Hub(.postgres)
    let server = try PostgresServer.shared.get()
    let leaf = try LeafDatabase(hub.home)
    try leaf.walk(10)
    #expect(try hub.sync(leaf).count("sent", "steps") == 11)
    let backup = try server.run("pg_dump", [], of: hub.store[1], in: hub.home)
    try hub.home.folder.write(Data(backup.utf8), to: "backup.sql")
    try leaf.walk(5)
    #expect(try hub.sync(leaf).code == 0)
    let older = try server.database(in: hub.home, migrated: false)
    _ = try server.run(
      "psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", hub.home.folder.file("backup.sql")], of: older, in: hub.home)
    try hub.home.stop()
    try hub.home.serve(["--hub", older])

    let answer = try hub.sync(leaf)

    #expect(answer.code == 0 && (5...6).contains(answer.count("sent", "steps") ?? 0), "\(answer)")
    #expect(
      try server.query("SELECT count(*), sum(number) FROM waymark.event", of: older, in: hub.home)
        == server.query("SELECT count(*), sum(number) FROM waymark.event", of: hub.store[1], in: hub.home))
  }

  @Test func `a leaf database reports that its data is saved locally while the hub's database is down`() throws {
    let hub = try Hub(.postgres)
    let leaf = try LeafDatabase(hub.home)
    try leaf.walk(3)
    try hub.home.stop()
    let lost = try PostgresServer.shared.get().database(in: hub.home)
    try hub.home.serve(["--hub", lost])
    try PostgresServer.shared.get().drop(lost, in: hub.home)

    let away = try hub.sync(leaf)
    let ready = try hub.home.ask("GET", "/ready").status
    try hub.home.stop()
    try hub.home.serve(hub.store)
    let back = try hub.sync(leaf)

    #expect(away.code == 69 && away.errors.contains("Your changes are saved in this database."), "\(away)")
    #expect(ready == 503)
    #expect(back.count("sent", "steps") == 4)
  }

  /// The numbers of messages after which the statistics of the tables are renewed. PostgreSQL chooses its plans by them.
  @Test(arguments: [[], [0], [1], [1, 6]])
  func `a push reads the same number of pages in a short and in a long session`(analysed: Set<Int>) throws {
    let home = try ServerFixture()
    let server = try PostgresServer.shared.get()
    let address = try server.database(in: home)
    let learner = "6f0c1f2e-0000-4000-8000-000000000001"
    var script = "SELECT waymark.add_learner('school', '\(learner)', 'ada', now());\n"
    for message in 0..<8 {
      if analysed.contains(message) { script += "ANALYZE;\n" }
      let record = PushLoad.message(of: learner, after: message * PushLoad.batch).dropFirst(
        #"{"push":{"record":"#.count
      )
      .dropLast(#"},"version":2}"#.count)
      script +=
        "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) SELECT waymark.push('school', '\(learner)', '\(record)', '{0,1}', "
      script += "NULL, NULL, now());\n"
    }
    try home.folder.write(Data(script.utf8), to: "pushes.sql")

    let output = try server.run(
      "psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", home.folder.file("pushes.sql")], of: address,
      in: home)

    // The first "Buffers" of each plan counts all statements of the function. The second one counts its planning.
    let pages = output.split(separator: "\n").filter { $0.contains("Buffers: shared hit=") }
      .compactMap { $0.firstMatch(of: /hit=(\d+)/).flatMap { Int($0.1) } }.filter { $0 > PushLoad.batch }
    #expect(pages.count == 8 && pages.last! < 2 * pages[1], "\(output)")
    #expect(try server.query("SELECT count(*) FROM waymark.event", of: address, in: home) == "4000\n")
  }

  @Test(arguments: [
    (["--hub", "mysql://x"], 1, "it does not begin with postgres://"),
    (["--hub", "postgres://ada:secret@127.0.0.1:1/x"], 69, "Could not reach PostgreSQL at '127.0.0.1:1/x': "),
    (["--hub", "postgres://127.0.0.1/x", "--tenant", "A b"], 1, "Could not use 'A b' as a tenant"),
  ])
  func `the error about an unusable address does not contain its password`(
    options: [String], code: Int, message: String
  )
    throws
  {
    let home = try ServerFixture()

    let answer = try home.run(ServerFixture.path("waymark-server"), ["tokens", "list"] + options)

    #expect(answer.code == code && answer.errors.contains(message) && !answer.errors.contains("secret"), "\(answer)")
    if options.count == 2 {
      let again = try home.run(
        ServerFixture.path("waymark-server"), ["tokens", "list"], variables: ["WAYMARK_HUB": options[1]])
      #expect(again == answer)
    }
  }
}
