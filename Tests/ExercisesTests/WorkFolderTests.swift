import Foundation
import LearningModel
import TestSupport
import Testing

@testable import Exercises

struct WorkFolderTests {
  @Test func `the learner's files are written once, tests and support files whenever they differ, the solution never`()
    throws
  {
    let fixture = try ExerciseFixture([
      "a.py": "x = 0\n", "test:t.py": "1\n", "support:lib/s.py": "2\n", "solution:b.py": "3\n",
    ])

    #expect(try fixture.update() == WorkFolder.Update(created: ["a.py", "lib/s.py", "t.py"]))
    #expect(fixture.folder.path == fixture.root.path + "/course/topic/first")
    try fixture.edit("a.py", "x = 1\n")
    try fixture.edit("t.py", "no test\n")
    try fixture.edit("lib/s.py", "no library\n")
    #expect(try fixture.update() == WorkFolder.Update())

    #expect(["a.py", "t.py", "lib/s.py", "b.py"].map(fixture.text) == ["x = 1\n", "1\n", "2\n", nil])
    #expect(try fixture.folder.state(of: fixture.exercise).isChanged)
  }

  @Test func `a file that does not differ keeps its time, so that nothing is built again`() throws {
    let fixture = try ExerciseFixture(["a.c": "", "test:t.c": "test\n"])
    try fixture.update()
    let past = Date(timeIntervalSince1970: 1_000_000_000)
    for name in ["a.c", "t.c"] {
      try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: "\(fixture.folder.path)/\(name)")
    }

    try fixture.update()

    for name in ["a.c", "t.c"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(fixture.folder.path)/\(name)")
      #expect(attributes[.modificationDate] as? Date == past)
    }
  }

  @Test func `a new edition replaces only a file that the learner has not edited`() throws {
    let first = try ExerciseFixture(["a.py": "old a\n", "b.py": "old b\n", "c.py": "old c\n"])
    let second = try ExerciseFixture(["a.py": "new a\n", "b.py": "new b\n", "c.py": "new c\n"], root: first.root)
    try first.update()
    try first.edit("b.py", "my b\n")
    try first.edit("c.py", "new c\n")

    #expect(try second.update() == WorkFolder.Update(changedByAuthor: ["b.py"]))
    #expect(["a.py", "b.py", "c.py"].map(second.text) == ["new a\n", "my b\n", "new c\n"])
    #expect(try second.update() == WorkFolder.Update(changedByAuthor: ["b.py"]))
  }

  @Test func `starting again keeps the learner's files, and they can be brought back`() throws {
    let fixture = try ExerciseFixture(["a.py": "author\n", "lib/b.py": "author\n"])
    try fixture.update()
    func startAgain() throws -> String? {
      try fixture.folder.startAgain(fixture.exercise) { try #require(fixture.contents[$0.digest]) }
    }
    #expect(try startAgain() == nil)
    try fixture.edit("a.py", "mine\n")

    let kept = try #require(try startAgain())

    #expect(["a.py", "lib/b.py"].map(fixture.text) == ["author\n", "author\n"])
    #expect(try !fixture.folder.state(of: fixture.exercise).isChanged)
    try fixture.folder.restore(fixture.exercise, from: kept)
    #expect(["a.py", "lib/b.py"].map(fixture.text) == ["mine\n", "author\n"])
    #expect(throws: WorkFolderError.missing(kept + "x")) {
      try fixture.folder.restore(fixture.exercise, from: kept + "x")
    }
  }

  @Test func `exercises with a shared workspace have one folder, and their editions are known separately`() throws {
    let first = try ExerciseFixture(["src/a.rs": "a\n", "support:Cargo.toml": "[package]\n"], workspace: .shared)
    let second = try ExerciseFixture(
      ["src/b.rs": "b\n", "support:Cargo.toml": "[package]\n"], workspace: .shared, place: "course/topic/second",
      root: first.root)
    try first.update()
    try second.update()

    #expect(first.folder.path == first.root.path + "/course/_shared" && second.folder.path == first.folder.path)
    #expect(["src/a.rs", "src/b.rs", "Cargo.toml"].map(first.text) == ["a\n", "b\n", "[package]\n"])
  }

  @Test func `the program follows no link that a check has planted`() throws {
    let outside = try TemporaryFolder()
    try outside.write(Data("secret\n".utf8), to: "file")
    for (name, target) in [("a.py", "file"), ("t.py", "file"), ("lib", "")] {
      let fixture = try ExerciseFixture(["a.py": "a\n", "test:t.py": "t\n", "support:lib/s.py": "s\n"])
      try fixture.update()
      let path = "\(fixture.folder.path)/\(name)"
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside.file(target))

      #expect(throws: WorkFolderError.self) { try fixture.update() }
      #expect(try outside.names == ["file"])
      #expect(try outside.bytes(of: "file") == Data("secret\n".utf8))
    }
    let planted = try ExerciseFixture(["a.py": "a\n"])
    try FileManager.default.createDirectory(
      atPath: planted.root.path + "/course/topic", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: planted.folder.path, withDestinationPath: outside.path)
    #expect(throws: WorkFolderError.wrongKind(planted.folder.path)) { try planted.update() }
    #expect(try outside.names == ["file"])
  }

  @Test func `a named pipe or a huge file in the place of a learner's file is an error, and no wait`() throws {
    let fixture = try ExerciseFixture(["a.py": "a\n", "b.py": "b\n"])
    try fixture.update()
    let path = "\(fixture.folder.path)/a.py"
    try FileManager.default.removeItem(atPath: path)
    mkfifo(path, 0o600)
    #expect(throws: WorkFolderError.wrongKind(path)) { _ = try fixture.folder.state(of: fixture.exercise) }
    try FileManager.default.removeItem(atPath: path)
    _ = FileManager.default.createFile(atPath: path, contents: Data(count: (8 << 20) + 1))
    #expect(throws: WorkFolderError.tooLarge(path)) { _ = try fixture.folder.state(of: fixture.exercise) }
  }

  @Test func `a removed folder is written again, and a damaged record replaces nothing`() throws {
    let fixture = try ExerciseFixture(["a.py": "a\n"])
    try fixture.update()
    try FileManager.default.removeItem(atPath: fixture.folder.path)
    #expect(try fixture.update().created == ["a.py"])
    let new = try ExerciseFixture(["a.py": "new\n"], root: fixture.root)
    try Data("{".utf8).write(to: URL(filePath: fixture.root.path + "/.waymark/originals/course.json"))

    #expect(try new.update() == WorkFolder.Update())
    #expect(new.text(of: "a.py") == "a\n")
  }

  @Test func `a name that begins with a dot does not leave the folder of all courses`() throws {
    let folder = WorkFolder(root: "/r", place: PlacePath("course/..hidden/x"), workspace: .own)
    #expect(folder.path == "/r/course/_..hidden/x")
  }

  @Test func `each error names the file and what to do`() {
    #expect(
      WorkFolderError.wrongKind("/w/a").description
        == "Could not use '/w/a': it is a link, or not the expected kind of file. Move it away, or start the exercise again."
    )
    #expect(
      WorkFolderError.failed("/w/a", reason: "No space left on device").description
        == "Could not use '/w/a': No space left on device. Check the folder's permissions and the free space, and try again."
    )
    #expect(
      WorkFolderError.inUse("/w").description
        == "Could not use '/w': another program checks the exercise. Wait until the check has ended, and try again.")
    #expect(WorkFolderError.inUse("/w").kind == .tryAgain)
    #expect(
      WorkFolderError.removed("/w").description
        == "Could not check the exercise: '/w' was removed during the check. Check again, which writes the author's files."
    )
    #expect(
      WorkFolderError.missing("/k").description == "Could not find the kept files in '/k'. They cannot be brought back."
    )
    #expect(
      WorkFolderError.tooLarge("/w/a").description == "Could not read '/w/a': it has more than 8 MiB. Make it shorter.")
    #expect(
      WorkFolderError.notStored("a.py", of: "Boxes").description
        == "Could not write 'a.py' of 'Boxes': its content is not stored. Import the course again.")
  }
}
