// swift-tools-version: 6.1
import PackageDescription

// A list in a terminal that follows a database by itself.
let package = Package(
    name: "LiveList",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "LiveList",
            dependencies: [.product(name: "OpenCoreDataKit", package: "OpenCoreData")]
        )
    ],
    swiftLanguageModes: [.v6]
)
