import TerminalHarness
import TestSupport
import Testing

/// The limits and standard streams that the server inherits from its parent process.
struct InheritedServerProcessTests {
  private func run(_ script: String, in home: ServerFixture) throws -> ServerFixture.Answer {
    try home.run("/bin/sh", ["-c", script, ServerFixture.path("waymark-server")])
  }

  @Test(arguments: [8, 20, 63])
  func `with few open files the server ends with a message`(_ limit: Int) throws {
    let answer = try run("ulimit -n \(limit); exec \"$0\" serve --port 0", in: try ServerFixture())

    #expect(
      answer
        == ServerFixture.Answer(
          code: 69, output: "",
          errors: "Could not start: only \(limit) files can be open. Raise the limit with 'ulimit -n 256'.\n"))
  }

  @Test(arguments: [0, 1, 8])
  func `with a limit of the size of files the server ends with a message`(_ limit: Int) throws {
    let answer = try run("ulimit -f \(2 * limit); exec \"$0\" serve --port 0", in: try ServerFixture())

    #expect(answer.code == 74)
    #expect(answer.errors.contains("this process may not make a file that large. Raise the limit"))
  }

  @Test func `output that cannot be written is reported as an error`() throws {
    let answer = try run("exec \"$0\" tokens list 1>&-", in: try ServerFixture())

    #expect(
      answer
        == ServerFixture.Answer(
          code: 74, output: "",
          errors: "Could not write the output: bad file descriptor. "
            + "The command has been performed; list its result with another output.\n"))
  }

  @Test(arguments: ["--help", "--version", "help serve", "tokens add --help"])
  func `help that cannot be written is reported as an error`(arguments: String) throws {
    let answer = try run("exec \"$0\" \(arguments) >/dev/full", in: try ServerFixture())

    #expect(
      answer
        == ServerFixture.Answer(
          code: 74, output: "",
          errors: "Could not write the output: no space left on device. Free some disk space and try again.\n"))
  }

  @Test func `a server with closed standard streams opens no file with their numbers`() throws {
    let script = """
      "$0" serve --port 0 0<&- 1>&- 2>&- &
      for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        ls -l /proc/$!/fd | grep -q 'eventpoll' && break
        sleep 0.5
      done
      sleep 1
      readlink /proc/$!/fd/0 /proc/$!/fd/1 /proc/$!/fd/2
      kill $! && wait $!
      echo $?
      """

    let answer = try run(script, in: try ServerFixture())

    #expect(answer.output == "/dev/null\n/dev/null\n/dev/null\n0\n")
  }
}
