/// A course with every kind of block and question and many scripts, in the folder `Courses/scripts`.
enum ScriptsCourse {
  static let files = courseFiles("scripts")

  static let goal = "everything-各种各样的文字-a-course-can-have/kinds-of-text-各种文字"
}
