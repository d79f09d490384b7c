import ArgumentParser
import Testing

@testable import waymark

/// Compares the fast parsing of arguments with the argument parser.
struct NamedCommandTests {
  @Test(arguments: [
    ["courses"], ["courses", "--format", "json", "--learner", "ada"], ["tree", "english", "--database", "a.sqlite"],
    ["search", "--", "--learner"], ["nav", "push", "a/b", "--learner", "ada"], ["nav", "--learner", "ada", "pop"],
    ["nav", "pop", "--learner", "ada", "--learner", "ben"], ["history"], ["history", "--since", "7d"],
    ["history", "stats", "--by", "lesson"], ["progress"], ["progress", "english"], ["bookmarks"], ["browse"],
    ["browse", "english", "--motion", "reduced"], ["english"], ["english", "--motion", "none", "--learner", "ada"],
    [], ["histroy"], ["database", "check"], ["learners", "list"],
  ])
  func `valid arguments name the same command as the parser`(_ arguments: [String]) throws {
    let named = try #require(Waymark.named(by: arguments))

    #expect("\(named)" == "\(try Waymark.parseAsRoot(arguments))")
  }

  @Test(arguments: [
    ["help"], ["help", "nav"], ["nav", "help", "push"], ["--help"], ["courses", "--help"], ["--version"],
    ["nav", "push", "--version"], ["--learner", "ada", "courses"], ["courses", "--nonsense"], ["nav", "psh", "a"],
    ["courses", "--learner", ""], [""],
  ])
  func `help and invalid arguments are left to the parser`(_ arguments: [String]) {
    #expect(Waymark.named(by: arguments) == nil)
  }

  @Test(arguments: [[], ["browse"], ["english"], ["browse", "english"], ["browse", "courses"]])
  func `arguments without flags open the browser as the parser does`(_ arguments: [String]) throws {
    let parsed = try #require(try Waymark.parseAsRoot(arguments) as? BrowseCommand)

    #expect(BrowserStart(plain: arguments, besides: Waymark.isCommand) == parsed.start)
  }

  @Test(arguments: [
    ["courses"], ["help"], ["--help"], ["browse", "help"], ["browse", "--motion", "none"], ["english", "lessons"],
    ["browse", ""], [""], ["--learner", "ada"],
  ])
  func `commands, flags and several words are not taken for a place`(_ arguments: [String]) {
    #expect(BrowserStart(plain: arguments, besides: Waymark.isCommand) == nil)
  }
}
