import Testing

struct RenameCommandTests {
  @Test func `renaming a place and restoring the author's title do not change its path`() throws {
    let home = try HomeFixture.walked()

    let named = try home.waymark("rename", "english-for-business/meetings", "Sitting", "together")
    let again = try home.waymark("rename", "english-for-business/meetings", "Sitting together")
    let tree = try home.waymark("tree", "english-for-business/meetings", "--depth", "0", "--format", "csv")
    let back = try home.waymark("rename", "english-for-business/meetings", "--as-written")

    #expect(named == Answer(code: 0, output: "Renamed “Meetings” to “Sitting together”. The path is unchanged.\n"))
    #expect(again.output == "“Sitting together” already has this name.\n")
    #expect(tree.output.contains("english-for-business/meetings") && tree.output.contains("Sitting together"))
    #expect(back.output == "Renamed “Sitting together” to “Meetings”. The path is unchanged.\n")
  }

  @Test func `an unknown place, a missing name and contradictory options are refused`() throws {
    let home = try HomeFixture.walked()

    #expect(try home.waymark("rename", "english-for-busines", "Mine").code == 66)
    try expectAnswer(
      home.waymark("rename", "english-for-business", " "), code: 1,
      errors: "Could not rename 'english-for-business': the name is empty. Write at least one letter.\n")
    #expect(try home.waymark("rename", "english-for-business").code == 64)
    #expect(try home.waymark("rename", "english-for-business", "Mine", "--as-written").code == 64)
  }
}
