#if os(Linux)
import Testing

struct ArgumentTests {
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
}
#endif
