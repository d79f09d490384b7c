import LearningModel
import Testing

@testable import LearningStore

struct LearningDatabaseErrorTests {
  static let words: [(LearningDatabaseError, FailureKind, String)] = [
    (
      .anotherLearner(learner: "ada", other: "ben"), .refused,
      "Could not import learner 'ada': this database already contains the same history for learner 'ben'. "
        + "Import it under that name, or erase that learner first. Nothing was changed."
    ),
    (
      .contradictoryRecord(learner: "ada", detail: "it names a node that it does not list"), .badData,
      "Could not import learner 'ada': the record contradicts itself (it names a node that it does not list). "
        + "Nothing was changed. Export it again from its database."
    ),
    (
      .otherContent(uuid: "0192f0c1-2222-7333-8444-555566667777"), .refused,
      "Could not merge the history of the learner: the event 0192f0c1-2222-7333-8444-555566667777 differs in this "
        + "database. Nothing was changed. Check whether one of the databases or the file was edited."
    ),
    (
      .noTemporarySpace(reason: "database or disk is full"), .inputOutput,
      "Could not store the course temporarily: SQLite reports 'database or disk is full'. "
        + "Set TMPDIR to a folder that you can write, on a disk with free space."
    ),
    (
      .notADatabase(path: "/a/w.sqlite"), .badData,
      "Could not open the database at '/a/w.sqlite': the file is not a SQLite database."
    ),
    (
      .anotherProgram(path: "/a/w.sqlite"), .badData,
      "Could not open the database at '/a/w.sqlite': it belongs to another program."
    ),
    (
      .damaged(path: "/a/w.sqlite", detail: "its last page is incomplete"), .badData,
      "Could not use the database at '/a/w.sqlite': it is damaged (its last page is incomplete)."
    ),
    (
      .brokenLink(path: "/a/w.sqlite", link: "/a", target: "b", isCircular: false), .cannotCreate,
      "Could not open the database at '/a/w.sqlite': '/a' is a symbolic link to 'b', which does not exist."
    ),
    (
      .brokenLink(path: "/a/w.sqlite", link: "/a/w.sqlite", target: "w.sqlite", isCircular: true), .cannotCreate,
      "Could not open the database at '/a/w.sqlite': '/a/w.sqlite' is a symbolic link to 'w.sqlite', which leads back to "
        + "itself."
    ),
    (
      .copyMissing(path: "/a/c.sqlite"), .notFound,
      "Could not restore from '/a/c.sqlite': there is no such file."
    ),
    (
      .copyUnusable(path: "/a/c.sqlite", detail: "it is empty"), .badData,
      "Could not restore from '/a/c.sqlite': the copy cannot be used (it is empty). Nothing was changed. "
        + "Name another copy."
    ),
    (
      .copyIsDatabase(path: "/a/w.sqlite"), .refused,
      "Could not restore from '/a/w.sqlite': it is the database itself."
    ),
    (
      .inUse(path: "/a/w.sqlite"), .tryAgain,
      "Could not restore the database at '/a/w.sqlite': another program is using it. "
        + "Close it, or stop the server, and try again. Nothing was changed."
    ),
    (
      .newer(path: "/a/w.sqlite", migration: "0009_x"), .badData,
      "Could not open the database at '/a/w.sqlite': a newer version of waymark has changed it (0009_x)."
    ),
    (
      .migrationFailed(path: "/a/w.sqlite", migration: "0002_log", detail: "no such table: x"), .refused,
      "Could not update the database at '/a/w.sqlite': 0002_log failed (no such table: x). The database was not "
        + "changed. Please report this."
    ),
    (
      .noPermission(path: "/a/w.sqlite"), .noPermission,
      "Could not open the database at '/a/w.sqlite': this user has no permission to read it."
    ),
    (
      .readOnly(path: "/a/w.sqlite"), .noPermission,
      "Could not write the database at '/a/w.sqlite': this user has no permission to write the file or its folder."
    ),
    (
      .cannotCreate(path: "/a/w.sqlite", reason: "permission denied"), .cannotCreate,
      "Could not create the database at '/a/w.sqlite': permission denied."
    ),
    (
      .networkFolder(path: "/a/w.sqlite", fileSystem: "nfs4"), .unavailable,
      "Could not open the database at '/a/w.sqlite': it is on a network folder (nfs4), "
        + "where access by two programs can damage it."
    ),
    (
      .busy(path: "/a/w.sqlite"), .tryAgain,
      "Could not use the database at '/a/w.sqlite': another program is keeping it busy. Try again when it has finished."
    ),
    (
      .tooOld(path: "/a/w.sqlite", migration: "0015_moving"), .badData,
      "Could not open the database at '/a/w.sqlite': it was created by a prerelease of waymark 0.1.0, whose tables "
        + "(0015_moving) this version does not support."
    ),
    (
      .diskFull(path: "/a/w.sqlite"), .inputOutput,
      "Could not write the database at '/a/w.sqlite': the disk is full. "
        + "Free some disk space and try again. No data was lost."
    ),
    (
      .fileTooLarge(path: "/a/w.sqlite"), .inputOutput,
      "Could not write the database at '/a/w.sqlite': this process may not make a file that large. "
        + "Raise the limit, for example with 'ulimit -f unlimited', and try again. No data was lost."
    ),
    (
      .notAPath("/a", reason: .folder), .refused,
      "Could not open the database '/a': it is a folder. Name a file in it, such as 'waymark.sqlite'."
    ),
    (
      .inputOutput(path: "/a/w.sqlite", detail: "disk I/O error"), .inputOutput,
      "Could not use the database at '/a/w.sqlite': the disk reported an error (disk I/O error). "
        + "Check that the disk and the file are available, and try again."
    ),
    (
      .ruleBroken(path: "/a/w.sqlite", detail: "a node keeps its id and its course"), .refused,
      "Could not write the database at '/a/w.sqlite': the change violates a constraint (a node keeps its id and its "
        + "course). Nothing was changed. Please report this."
    ),
    (
      .changedMeanwhile(path: "/a/w.sqlite", course: "english"), .tryAgain,
      "Could not write the course 'english' to the database at '/a/w.sqlite': another program has just changed it. "
        + "Import it again."
    ),
    (
      .notAPath("", reason: .empty), .refused,
      "Could not open the database '': its path is empty. Name a file."
    ),
    (
      .notAPath(":memory:", reason: .memory), .refused,
      "Could not open the database ':memory:': this name means a database in memory, not a file. Name a file, or write "
        + "'./:memory:' for a file of this name."
    ),
    (
      .notAPath("file:w.sqlite", reason: .uri), .refused,
      "Could not open the database 'file:w.sqlite': it is a URI. Name a file by its path."
    ),
    (
      .notAPath("~ben/w.sqlite", reason: .otherHome), .refused,
      "Could not open the database '~ben/w.sqlite': '~' is only replaced before a slash. Name the file by its full "
        + "path, or write './~ben/w.sqlite' for a file of this name."
    ),
    (
      .missing(path: "/a/w.sqlite"), .notFound,
      "Could not open the database at '/a/w.sqlite': there is no such file, and it is opened read-only. "
        + "Open it for writing to create it."
    ),
    (
      .empty(path: "/a/w.sqlite"), .refused,
      "Could not open the database at '/a/w.sqlite': it has no tables, and it is opened read-only. "
        + "Open it for writing to create them."
    ),
    (
      .openedReadOnly(path: "/a/w.sqlite"), .refused,
      "Could not write the database at '/a/w.sqlite': it was opened read-only. Open it for writing."
    ),
    (
      .busyOpening(path: "/a/w.sqlite", preparation: .creation, waited: .seconds(10)), .tryAgain,
      "Could not create the tables of the database at '/a/w.sqlite': another program kept it locked for 10 s. "
        + "Try again when that program has finished."
    ),
    (
      .busyOpening(path: "/a/w.sqlite", preparation: .migration, waited: .milliseconds(250)), .tryAgain,
      "Could not update the database at '/a/w.sqlite': another program kept it locked for 250 ms. "
        + "Try again when that program has finished."
    ),
    (
      .removed(path: "/a/w.sqlite"), .inputOutput,
      "Could not use the database at '/a/w.sqlite': the file was deleted, emptied or replaced while it was open. "
        + "Open the database again."
    ),
    (
      .unexpected(path: "/a/w.sqlite", code: 21, detail: "bad parameter"), .refused,
      "Could not use the database at '/a/w.sqlite': SQLite reported bad parameter (21)."
    ),
  ]

  @Test(arguments: words)
  func `each error has the expected kind and description`(
    error: LearningDatabaseError, kind: FailureKind, description: String
  ) {
    #expect(error.description == description)
    #expect(error.kind == kind)
  }
}

struct NetworkFolderTests {
  static let mounts = """
    /dev/sda1 / ext4 rw,relatime 0 0
    proc /proc proc rw 0 0
    server:/home /home nfs4 rw 0 0
    /dev/sdb1 /home/local ext4 rw 0 0
    //server/share /mnt/my\\040share cifs rw 0 0
    me@host: /home/local/far fuse.sshfs rw 0 0
    /dev/sdc1 /stick fuseblk rw 0 0

    """

  @Test(arguments: [
    ("/var/lib", nil), ("/home/me", "nfs4"), ("/home", "nfs4"), ("/homes", nil), ("/home/local/share", nil),
    ("/mnt/my share/waymark", "cifs"), ("/home/local/far/away", "fuse.sshfs"), ("/stick", nil),
  ])
  func `the network file system of a folder is that of its mount point`(folder: String, fileSystem: String?) {
    #expect(NetworkFolder.fileSystem(of: folder, mounts: Self.mounts) == fileSystem)
  }
}
