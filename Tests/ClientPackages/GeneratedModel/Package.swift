// swift-tools-version: 6.1
import PackageDescription

// A user's package: models in Xcode's form, whose classes the plugin makes, beside classes as they are written in Xcode.
let package = Package(
    name: "GeneratedModel",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "../../..")],
    targets: [
        .target(
            name: "Library",
            dependencies: [.product(name: "OpenCoreData", package: "OpenCoreData")],
            resources: [.copy("Library.xcdatamodeld")],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")],
            plugins: [.plugin(name: "GenerateModels", package: "OpenCoreData")]
        ),
        .target(
            name: "Notes",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            resources: [.copy("Notes.xcdatamodel")],
            plugins: [.plugin(name: "GenerateModels", package: "OpenCoreData")]
        ),
        // It reaches Core Data through the other target alone, and has its model in the form that it asks its bundle for.
        .target(
            name: "Schemas",
            dependencies: ["Notes"],
            exclude: ["Shop.xcdatamodeld"],
            plugins: [.plugin(name: "GenerateModels", package: "OpenCoreData")]
        ),
        // Its resources lie beside the program, which has nothing of it.
        .target(
            name: "Archive",
            dependencies: [.product(name: "OpenCoreData", package: "OpenCoreData")],
            resources: [.copy("Library.xcdatamodeld")]
        ),
        .executableTarget(name: "GeneratedModel", dependencies: ["Library", "Notes", "Schemas"]),
    ],
    swiftLanguageModes: [.v6]
)
