/// A share as a person reads it.
enum Percent {
  /// `62 %`. Begun is at least 1 %, and 100 % is only what is done.
  static func text(_ share: Double) -> String {
    let percent = Int((share * 100).rounded())
    if share > 0 && percent == 0 { return "1 %" }
    if share < 1 && percent == 100 { return "99 %" }
    return "\(percent) %"
  }
}
