// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "minilearn",
  platforms: [.macOS("15.4")],
  dependencies: [.package(name: "waymark", path: "../../..")],
  targets: [
    .executableTarget(
      name: "minilearn",
      dependencies: [
        .product(name: "CourseKit", package: "waymark"),
        .product(name: "NavigationKit", package: "waymark"),
        .product(name: "ScreenKit", package: "waymark"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
