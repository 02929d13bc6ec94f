// swift-tools-version: 6.1
import PackageDescription

// A travel planner on the command line, as one writes it for Apple's SwiftData. Where Apple's framework exists, the product
// isn't used and `import SwiftData` means Apple's.
let package = Package(
    name: "Trips",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "../..", traits: ["Macros"])],
    targets: [
        .executableTarget(
            name: "Trips",
            dependencies: [
                .product(name: "SwiftData", package: "OpenCoreData", condition: .when(platforms: [.linux, .windows]))
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
