// swift-tools-version: 6.1
import PackageDescription

// A program that keeps a library in a Core Data store. It uses what any user of the package can use.
let package = Package(
    name: "LibraryDemo",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "../..", traits: ["CommandLineTool"])],
    targets: [
        .executableTarget(
            name: "LibraryDemo",
            dependencies: [.product(name: "OpenCoreData", package: "OpenCoreData")]
        )
    ],
    swiftLanguageModes: [.v6]
)
