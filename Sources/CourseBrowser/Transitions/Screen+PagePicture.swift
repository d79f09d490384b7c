import ScreenKit

extension Screen {
  /// The page that is seen on it, taken apart; `nil` where it shows no page.
  var pagePicture: PagePicture? {
    switch self {
    case let page as PageScreen: page.picture
    case let page as TabPage: page.picture
    case let stack as StackScreen: stack.top.pagePicture
    default: nil
    }
  }
}
