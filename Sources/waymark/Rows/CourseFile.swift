import Answers
import CourseBrowser
import CourseLibrary
import LearningModel

extension CourseExport {
  /// The forms of the command line, each by the end of a file's name.
  ///
  /// - Parameter database: The one in use, which is not to be written over.
  static func of(_ library: CourseLibrary, database: String) -> CourseExport {
    let forms = [
      HistoryExport.Form(ending: "json", name: "one file, pictures in it"),
      HistoryExport.Form(ending: "zip", name: "an archive, each picture a file"),
    ]
    return CourseExport(forms: forms) { course, form, path, replaces in
      guard let name = try OutputName(path, database: database, replacing: replaces ? .always : .never) else { return }
      let file = try FileOutput(name, isPrivate: false)
      if form == forms[0] {
        try library.export(course) { try file.write($0.harmlessJSON) }
      } else {
        try library.exportArchive(course) { try file.write($0) }
      }
      try file.finish()
    } writeNotes: { markdown, path, replaces in
      guard let name = try OutputName(path, database: database, replacing: replaces ? .always : .never) else { return }
      let file = try FileOutput(name, isPrivate: true)
      try file.write(markdown.harmlessLines)
      try file.finish()
    }
  }
}
