#if os(Linux)
import Foundation
import TerminalHarness
import Testing

/// Imports with a program that pretends to be pandoc.
struct ConverterSandboxTests {
  /// A duration of `sleep` that no other process has.
  private let mark = "3599.\(UInt32.random(in: 0 ... .max))"

  private func home(_ script: String) throws -> HomeFixture {
    let home = try HomeFixture()
    try home.write("* Heading\ntext\n", to: "notes.org")
    let path = try home.write("#!/bin/sh\n\(script)\n", to: "bin/pandoc")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    home.environment["PATH"] = home.path("bin") + ":/usr/bin:/bin"
    return home
  }

  /// Waits until a number of processes with the mark runs. Returns the number after at most 20 seconds.
  private func processes(_ expected: Int, in home: HomeFixture) throws -> Int {
    // The pattern does not match the process that searches for it.
    let pattern = "[3]" + mark.dropFirst().replacing(".", with: "[.]")
    var count = -1
    for _ in 0..<100 where count != expected {
      let script = "grep -lsa '^sleep.*\(pattern)' /proc/[0-9]*/cmdline | wc -l; sleep 0.2"
      count = Int(try home.run("/bin/sh", ["-c", script]).output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }
    return count
  }

  @Test func `a converter changes no file, and its processes end with the import`() throws {
    let home = try home(
      """
      cd "$(dirname "$0")/../mine" 2> /dev/null
      mine="$(dirname "$0")/../mine"
      for file in kept "$mine/kept"; do
        (: > $file; truncate -s 0 $file; chmod 600 $file; touch -d 2001-01-01 $file; rm -f $file) 2> /dev/null
      done
      (mkdir "$mine/folder"; : > "$mine/created"; mv "$mine/deleted" "$mine/moved"; ln -s kept "$mine/link") 2> /dev/null
      setsid sleep \(mark) < /dev/null > /dev/null 2>&1 &
      echo '<h1>Heading</h1><p>text</p>'
      """)
    try home.write("kept", to: "mine/kept")
    try home.write("deleted", to: "mine/deleted")
    let before = try FileManager.default.attributesOfItem(atPath: home.path("mine/kept"))

    let answer = try home.waymark("import", home.path("notes.org"))

    let after = try FileManager.default.attributesOfItem(atPath: home.path("mine/kept"))
    #expect(answer.code == 0, "\(answer)")
    guard !answer.errors.contains("neither user namespaces nor Landlock") else { return }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("mine")).sorted() == ["deleted", "kept"])
    #expect(try Data(contentsOf: home.folder.appending(path: "mine/kept")) == Data("kept".utf8))
    #expect(after[.posixPermissions] as? Int == before[.posixPermissions] as? Int)
    #expect(after[.modificationDate] as? Date == before[.modificationDate] as? Date)
    #expect(try processes(0, in: home) == 0)
  }

  @Test(arguments: [SIGINT, SIGHUP, SIGKILL])
  func `the processes of a converter end with the program`(_ signal: Int32) throws {
    let home = try home("setsid sleep \(mark) &\nsleep \(mark)")
    let program = try home.start(["import", home.path("notes.org")])
    #expect(try processes(2, in: home) == 2)

    program.signal(signal)

    #expect(try program.waitForExit() == .signalled(Int(signal)))
    #expect(try processes(0, in: home) == 0)
  }

  @Test func `without user namespaces an import reports the weaker protection`() throws {
    let home = try home("echo '<h1>Heading</h1><p>text</p>'")
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" import notes.org"

    let answer = try home.run("/usr/bin/unshare", ["-Ur", "/bin/sh", "-c", script, BuiltProgram.path])

    // The system may not allow the namespace that the test itself needs.
    guard answer.code == 0 else { return }
    #expect(answer.errors.hasPrefix("notes.org: warning: pandoc ran without a part of its sandbox: "), "\(answer)")
    #expect(answer.errors.contains("this system does not allow user namespaces") || answer.errors.contains("neither"))
  }

  @Test func `a converter in a folder of its own reads a document below a symbolic link`() throws {
    let home = try home("false")
    let program = "#!/bin/sh\ncat; cat \"$(dirname \"$(readlink -f \"$0\")\")/../share/text\"\n"
    let path = try home.write(program, to: "real/tool/bin/pandoc")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    try home.write("<p>from its folder</p>", to: "real/tool/share/text")
    for (link, target) in [("link", "."), ("tools", "real/tool/bin")] {
      try FileManager.default.createSymbolicLink(atPath: home.path(link), withDestinationPath: target)
    }
    home.environment["PATH"] = home.path("link/tools") + ":/usr/bin:/bin"

    let answer = try home.waymark("import", home.path("link/notes.org"))
    let found = try home.waymark("search", "folder")

    #expect(answer.code == 0, "\(answer)")
    #expect(found.output.contains("from its folder"), "\(found)")
  }
}
#endif
