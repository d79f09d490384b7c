import LearningModel

/// Reads Waymark's own format: a folder that can be written by hand, or a JSON file with the same tree, to which a
/// folder of images may belong.
struct WaymarkReader: CourseReader {
  let name = "waymark"
  let summary =
    "Waymark's own: a folder of Markdown and YAML with a course.yml, or one JSON file, in a zip with its images."
  let requirements = "a file 'course.yml', or JSON that begins with '{\"waymark\": 1, …'"
  let mapping = FormatMapping(
    goal: "a folder in the course's folder", lesson: "a folder in a goal's or a lesson's folder",
    activity: "a Markdown file in a lesson's folder")
  let hasPathKeys = false

  /// Returns whether the source is a folder with a `course.yml`, or a JSON file that contains `"waymark"` near its
  /// beginning. The JSON file may be a single file, or a `course.json` in a folder.
  func recognises(_ source: CourseSource) -> Bool {
    WaymarkJSON.isRecognised(source) || source.isFolder && WaymarkFolder.courseFile(in: source) != nil
  }

  func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    if source.isFolder, !WaymarkJSON.isRecognised(source) {
      guard let file = WaymarkFolder.courseFile(in: source) else {
        throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: "a file 'course.yml'")
      }
      var folder = try WaymarkFolder(source, options: options, format: name)
      return try folder.read(courseFile: file)
    }
    guard WaymarkJSON.isRecognised(source) else {
      throw CourseFormatError.notOfFormat(
        source: source.name, format: name, needs: "an object that begins with '{\"waymark\": 1, …'")
    }
    var file = try WaymarkJSON(source, options: options, format: name)
    return try file.read()
  }
}
