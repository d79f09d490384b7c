import Foundation
import TestSupport
import Testing

struct ArgumentTests {
  #if os(Linux)
  @Test func `a preloaded library that changes the environment does not change the arguments`() throws {
    let home = try HomeFixture()
    let source = try home.write(
      "#include <stdlib.h>\n"
        + "__attribute__((constructor)) static void change(void) { setenv(\"ADDED\", \"1\", 1); }\n", to: "added.c")
    let compiled = try home.run("/usr/bin/cc", ["-shared", "-fPIC", "-o", home.path("added.so"), source])
    try #require(compiled.code == 0, "\(compiled)")
    home.environment["LD_PRELOAD"] = home.path("added.so")

    let answer = try home.waymark("database", "path", "--database", "elsewhere.sqlite")

    #expect(answer == Answer(code: 0, output: "elsewhere.sqlite\n"))
  }
  #endif

  @Test func `too many arguments are refused before they are parsed`() throws {
    let home = try HomeFixture.withBundledCourse()
    let message =
      "arguments, and the maximum is 1000. "
      + "Quote words that belong together, or run the command several times.\n"

    let answer = try home.waymark(["search"] + Array(repeating: "a", count: 1_000))

    expectAnswer(answer, code: 64, errors: "Could not read the command line: it has 1001 " + message)
    #expect(try home.waymark(["search"] + Array(repeating: "a", count: 200)).code == 0)
  }

  @Test(arguments: [
    ["search", "--limit"], ["search", "--kind"], ["--"], ["nav", "open"], ["nav"], ["history", "list", "--query"],
    ["history", "list", "--since"], ["history", "list"], ["show"], ["import"], ["help"], ["search"],
    ["courses", "--database"],
    ["export"], ["review", "set", "english-for-business", "--retention"], ["learners", "import"],
  ])
  func `an error never repeats more than 200 characters of an argument`(command: [String]) throws {
    let home = try HomeFixture.withBundledCourse()

    for argument in [String(repeating: "x", count: 100_000), "kind:" + String(repeating: "é", count: 50_000)] {
      let answer = try home.waymark(command + [argument])

      #expect(answer.errors.count < 2_500, "\(answer.errors.prefix(3_000))")
      #expect(!answer.errors.contains(argument.suffix(201)) && !answer.errors.contains(argument.prefix(201)))
    }
  }
}
