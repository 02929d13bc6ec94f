// swift-tools-version: 6.1
import PackageDescription

// Idioms of apps, written as for Apple's systems. The same sources are built in both language modes; what Swift 6 refuses
// on Apple's systems too is in Swift5Idioms. Scripts/check-idioms builds and runs both.
let isSwift5 = Context.environment["IDIOMS_SWIFT"] == "5"

let package = Package(
    name: "PortedIdioms",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .target(
            name: "Idioms",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            resources: [.copy("Library.xcdatamodeld")],
            plugins: [.plugin(name: "GenerateModels", package: "OpenCoreData")]
        ),
        // A condition, as the module of the other mode's build may still be there.
        .executableTarget(
            name: "PortedIdioms", dependencies: isSwift5 ? ["Idioms", "Swift5Idioms"] : ["Idioms"],
            swiftSettings: isSwift5 ? [.define("SWIFT_5_MODE")] : []),
        // A library module and a program that knows its classes by a model. An image that is loaded later finds the engine in
        // the program, which has to show its symbols.
        .target(name: "Shelf", dependencies: [.product(name: "CoreData", package: "OpenCoreData")]),
        .executableTarget(
            name: "LateClasses",
            dependencies: ["Shelf", .product(name: "CoreData", package: "OpenCoreData")],
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"], .when(platforms: [.linux]))]),
    ]
        + (isSwift5
            ? [
                .target(
                    name: "Swift5Idioms",
                    dependencies: ["Idioms", .product(name: "CoreData", package: "OpenCoreData")])
            ] : []),
    swiftLanguageModes: [isSwift5 ? .v5 : .v6]
)
