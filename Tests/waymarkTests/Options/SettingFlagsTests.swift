import ArgumentParser
import CoursePages
import Testing

@testable import waymark

@Suite struct SettingFlagsTests {
  @Test(arguments: SettingName.allCases) func `a flag sets the setting of its name and no other`(
    _ name: SettingName
  ) throws {
    let row = name.row
    let texts = name == .linear ? ["on"] : row.allowedWords.isEmpty ? ["74"] : row.allowedWords

    for text in texts {
      let arguments = ["--\(name.rawValue)"] + (name == .linear ? [] : [text])
      var expected = Settings()
      _ = expected.set(name, to: text)
      if row.flag == nil {
        #expect(throws: (any Error).self) { try BrowserFlags.parse(arguments) }
      } else {
        #expect(try BrowserFlags.parse(arguments).settings == expected)
      }
    }
  }

  @Test func `help shows the flag of each setting with its text and its values`() throws {
    let lines = BrowserFlags.helpMessage(columns: 200).split(separator: "\n")

    for row in SettingName.allCases.map(\.row) {
      let line = lines.first { $0.contains("--\(row.name.rawValue)") && !$0.contains("USAGE") }
      guard let flag = row.flag else {
        #expect(line == nil)
        continue
      }
      let hasWords = !row.allowedWords.isEmpty && row.name != .linear
      let values = hasWords ? " (values: \(row.allowedWords.joined(separator: ", ")))" : ""
      let helpLine = try #require(line)
      #expect(helpLine.hasSuffix("  " + flag.help + values), "\(helpLine)")
    }
  }

  @Test func `an invalid value of a flag is rejected with the valid ones`() {
    #expect {
      try BrowserFlags.parse(["--motion", "slow"])
    } throws: { error in
      BrowserFlags.message(for: error)
        == "The value 'slow' is invalid for '--motion <motion>'. Please provide one of 'full', 'reduced' or 'none'."
    }
    #expect {
      try BrowserFlags.parse(["--frame-rate", "0"])
    } throws: { error in
      BrowserFlags.message(for: error) == "--frame-rate must be from 1 to 240, not 0."
    }
  }
}
