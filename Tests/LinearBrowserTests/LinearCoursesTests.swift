import CourseKit
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import TestSupport
import Testing

@testable import LinearBrowser

struct LinearCoursesTests {
  @Test func `a course is removed after a yes and kept after anything else`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/meetings")

    let question = fixture.type("remove")
    let declined = fixture.type("no")
    fixture.type("courses")
    fixture.type("remove 1")
    let removed = fixture.type("yes")

    #expect(
      question == [
        "Remove: English for Business. Its history is kept.",
        "Type yes to remove it. Anything else cancels.",
      ])
    #expect(declined == ["Not removed."])
    #expect(removed.first == "Removed: English for Business. Its history is kept.")
    #expect(try fixture.library.courses().isEmpty)
    #expect(
      fixture.type("remove").joined(separator: " ")
        == "Remove which course? Open it, or type remove and its number in the list of courses.")
  }

  @Test func `the command “import again” compares the source and prints the changes`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    try FileManager.default.createDirectory(atPath: fixture.folder.file("lab"), withIntermediateDirectories: true)
    try fixture.folder.write(Data("# Lab\n\nSome words.\n".utf8), to: "lab/README.md")
    try fixture.folder.write(Data("# One\n\nWords to read.\n".utf8), to: "lab/1-one.md")
    fixture.type("import \(fixture.folder.file("lab"))")
    fixture.type("yes")
    let nowhere = fixture.type("import again")
    fixture.type("1")

    let lab = fixture.folder.file("lab")
    try FileManager.default.moveItem(atPath: lab, toPath: lab + "-away")
    let missing = fixture.type("import again")
    try FileManager.default.moveItem(atPath: lab + "-away", toPath: lab)
    let unchanged = fixture.type("import again")
    try fixture.folder.write(Data("# Two\n\nMore to read.\n".utf8), to: "lab/2-two.md")
    let changed = fixture.type("import again")
    let imported = fixture.type("yes")

    #expect(nowhere == ["Open the course first, then import it again."])
    #expect(
      missing.joined(separator: " ")
        == "The source '\(lab)' was not found. Type add, and the new path of the source.")
    #expect(unchanged.first == "From: \(lab)")
    #expect(unchanged.joined(separator: " ").hasSuffix("This course is already imported; nothing has changed."))
    #expect(changed.joined(separator: " ").contains("This import changes your course: "))
    #expect(changed.last == "Type yes to import it. Anything else cancels.")
    #expect(imported.first == "Imported:")
  }

  @Test func `the command “export” writes the course and asks before it replaces a file`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/meetings")
    let file = fixture.folder.file("course.json")
    let unavailable = fixture.type("export \(file)")
    let library = fixture.library
    fixture.browser.exportCourse = { course, file, _ in
      try library.export(course).write(toFile: file, atomically: true, encoding: .utf8)
      return ""
    }

    let unnamed = fixture.type("export")
    let written = fixture.type("export \(file)")
    let again = fixture.type("export \(file)")
    let declined = fixture.type("no")
    fixture.type("export \(file)")
    let replaced = fixture.type("yes")

    #expect(unavailable == ["Files cannot be written here."])
    #expect(
      unnamed.joined(separator: " ")
        == "Export to which file? Type export, and the path of a file that ends in .json, .zip or .apkg, or of a folder "
        + "that ends in .html or .markdown.")
    #expect(written == ["Saved: English for Business.", file])
    #expect(again.joined(separator: " ").hasPrefix("This file already exists: "))
    #expect(again.last == "Type yes to replace it. Anything else cancels.")
    #expect(declined == ["Not written."])
    #expect(replaced == written)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == library.export(PlacePath("english-for-business")))
  }

  @Test func `the command “copy” prints the path on a line of its own`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/meetings")

    #expect(fixture.type("copy") == ["english-for-business/meetings"])
    fixture.type("courses")
    #expect(fixture.type("copy") == ["The list of courses has no path."])
    #expect(fixture.type("export x.json") == ["Files cannot be written here."])
  }

  @Test func `settings are printed and written to the file`() throws {
    let fixture = try LinearFixture()
    let none = fixture.type("settings")
    fixture.browser.settings = SettingsStore(
      path: fixture.folder.file("config.yml"), flags: Settings(), environment: Settings())

    let all = fixture.type("settings")
    let one = fixture.type("settings motion")
    let written = fixture.type("settings motion none")
    let next = fixture.type("settings linear on")
    let unknown = fixture.type("settings taste sweet")
    let wrong = fixture.type("settings motion wild")

    #expect(none == ["Settings cannot be changed here."])
    #expect(all.first == "Settings: type settings, a name and a value to change one.")
    #expect(all.contains("motion: full, set by default. Meaning: the amount of animation."))
    #expect(one == ["motion: full, set by default. It can be one of full, reduced, none."])
    #expect(written == ["Saved: motion is none."])
    #expect(next == ["Saved: linear is on after the next start."])
    #expect(unknown == ["No setting is called 'taste'. Type settings to list them."])
    #expect(wrong.joined(separator: " ").contains("wild"))
    #expect(
      try String(contentsOfFile: fixture.folder.file("config.yml"), encoding: .utf8) == "motion: none\nlinear: on\n")
  }
}
