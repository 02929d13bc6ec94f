// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

/// What macros are made with; fetched and built with the trait only.
let swiftSyntax: [Target.Dependency] = [
    "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion", "SwiftParser",
    "SwiftDiagnostics", "SwiftCompilerPlugin",
].map { .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"])) }

/// Where Core Data is Apple's framework, and where it is the engine.
let withFramework: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]
let withEngine: [Platform] = [.linux, .windows, .android, .wasi, .openbsd]

/// The module `CoreData`, which is the system's where there is a framework.
let coreData = Target.Dependency.target(name: "CoreData", condition: .when(platforms: withEngine))

/// Whether what stands in for each system's own ways is used everywhere, to test it: see `Support/Platform`.
let isPortable = Context.environment["OPENCOREDATA_PORTABLE"] == "1"

/// Whether the engine is built on a Mac, to work on it. It needs a system that has `Mutex` and `Atomic`; the kit, the macros and
/// the libraries, which stand on Apple's framework there, don't.
let hasEngineOnMac = Context.environment["OPENCOREDATA_ENGINE_ON_MAC"] == "1"

let package = Package(
    name: "OpenCoreData",
    platforms: [.macOS(hasEngineOnMac ? .v15 : .v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "OpenCoreData", targets: ["OpenCoreData"]),
        .library(name: "CoreData", targets: ["CoreData"]),
        .library(name: "OpenCoreDataKit", targets: ["OpenCoreDataKit"]),
        .library(name: "CoreDataMonk", targets: ["CoreDataMonk"]),
        .library(name: "THRCoreData", targets: ["THRCoreData"]),
        .library(name: "CoreDataCandy", targets: ["CoreDataCandy"]),
        .library(name: "BNRCoreDataStack", targets: ["BNRCoreDataStack"]),
        .library(name: "CoreDataStack", targets: ["CoreDataStack"]),
        .library(name: "Sticky", targets: ["Sticky"]),
        .library(name: "OpenCoreDataMacros", targets: ["OpenCoreDataMacros"]),
        .library(name: "SwiftData", targets: ["SwiftData"]),
        .library(name: "OpenSwiftData", targets: ["OpenSwiftData"]),
        .library(name: "OpenCoreDataTesting", targets: ["OpenCoreDataTesting"]),
        .library(name: "OpenCoreDataInspector", targets: ["OpenCoreDataInspector"]),
        .library(name: "OpenCoreDataPostgreSQL", targets: ["OpenCoreDataPostgreSQL"]),
        .library(name: "OpenCoreDataServer", targets: ["OpenCoreDataServer"]),
        .library(name: "OpenCoreDataTelemetry", targets: ["OpenCoreDataTelemetry"]),
        .plugin(name: "GenerateModels", targets: ["GenerateModels"]),
        .plugin(name: "GenerateModelsCommand", targets: ["GenerateModelsCommand"]),
        .executable(name: "opencoredata", targets: ["CommandLineTool"]),
    ],
    traits: [
        .trait(
            name: "CommandLineTool",
            description: "Builds the command opencoredata; brings swift-argument-parser."
        ),
        .trait(
            name: "Publishers",
            description:
                "Objects publish their changes, and CoreDataCandy publishes more; brings OpenCombine where there is no Combine."
        ),
        .trait(
            name: "Macros",
            description: "Models written in Swift, with OpenCoreDataMacros; brings swift-syntax."
        ),
        .trait(
            name: "Inspector",
            description: "A page that shows a store while programs use it; brings hummingbird."
        ),
        .trait(
            name: "PostgreSQL",
            description: "Stores in a PostgreSQL database that many machines share; needs the system's libpq."
        ),
        .trait(
            name: "Server",
            description: "A database as a service of a server program; brings hummingbird and swift-service-lifecycle."
        ),
        .trait(
            name: "Telemetry",
            description: "Metrics and traces of stores; brings swift-metrics and swift-distributed-tracing."
        ),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
        // What hummingbird needs.
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.6.0"),
    ],
    targets: [
        // MARK: Engine
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
        ),
        .target(name: "EngineShims", dependencies: ["CSQLite"]),
        .target(
            name: "CoreDataEngine",
            dependencies: [
                "CSQLite", "EngineShims",
                .product(name: "OrderedCollections", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "OpenCombine", package: "OpenCombine",
                    condition: .when(platforms: [.linux, .windows, .android], traits: ["Publishers"])),
            ]
        ),
        .target(name: "OpenCoreData", dependencies: ["CoreDataEngine"]),
        .target(name: "CoreData", dependencies: ["CoreDataEngine"]),
        // The contract of stores, for tests of stores that applications write.
        .target(name: "OpenCoreDataTesting", dependencies: ["OpenCoreData"]),

        // MARK: Core Data of the platform
        // What is shared by apps and servers is over Apple's framework where there is one, and over the engine elsewhere.
        .target(name: "AppleCoreData"),
        .target(
            name: "CoreDataPlatform",
            dependencies: [
                .target(name: "OpenCoreData", condition: .when(platforms: withEngine)),
                .target(name: "AppleCoreData", condition: .when(platforms: withFramework)),
            ]),

        // MARK: Models in Swift
        // Without the trait the plugin is a program that does nothing, and nothing needs it.
        .macro(name: "OpenCoreDataMacrosPlugin", dependencies: swiftSyntax),
        .target(
            name: "OpenCoreDataMacros",
            dependencies: [
                "CoreDataPlatform", .target(name: "OpenCoreDataMacrosPlugin", condition: .when(traits: ["Macros"])),
            ]
        ),

        // MARK: SwiftData
        // The system's module where there is one: packages name the product for the other platforms only.
        .target(
            name: "SwiftData",
            dependencies: [
                "CoreDataEngine", "CoreDataPlatform",
                .target(name: "OpenCoreDataMacrosPlugin", condition: .when(traits: ["Macros"])),
                .target(name: "OpenCoreDataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ]),
        .target(
            name: "OpenSwiftData",
            dependencies: [.target(name: "SwiftData", condition: .when(platforms: withEngine))]),

        // MARK: Kit and libraries over it
        .target(
            name: "OpenCoreDataKit",
            dependencies: ["CoreDataPlatform", .product(name: "DequeModule", package: "swift-collections")]),
        .target(name: "CoreDataMonk", dependencies: [coreData, "OpenCoreDataKit"]),
        .target(name: "THRCoreData", dependencies: [coreData, "OpenCoreDataKit"]),
        .target(name: "BNRCoreDataStack", dependencies: [coreData, "OpenCoreDataKit"]),
        // The same library by the other name that code imports it by.
        .target(name: "CoreDataStack", dependencies: ["BNRCoreDataStack"]),
        .target(name: "Sticky", dependencies: [coreData, "OpenCoreDataKit"]),
        .target(
            name: "CoreDataCandy",
            dependencies: [
                coreData, "OpenCoreDataKit",
                .product(
                    name: "OpenCombine", package: "OpenCombine",
                    condition: .when(platforms: [.linux, .windows, .android], traits: ["Publishers"])),
            ]
        ),

        // MARK: Classes of models
        // No dependencies: a package that uses the plugin builds these two before anything else.
        .target(name: "ModelCodeGeneration"),
        .executableTarget(name: "model-codegen", dependencies: ["ModelCodeGeneration"]),
        .plugin(name: "GenerateModels", capability: .buildTool(), dependencies: ["model-codegen"]),
        .plugin(
            name: "GenerateModelsCommand",
            capability: .command(
                intent: .custom(verb: "generate-models", description: "Makes the classes of Core Data models."),
                permissions: [.writeToPackageDirectory(reason: "To write the classes of the models.")]),
            dependencies: ["model-codegen"]),

        // MARK: Stores without their programs
        // What the command and the inspector do with a store: its own model, values as strings and JSON, export, import.
        .target(name: "StoreTools", dependencies: ["OpenCoreData", "ModelCodeGeneration"]),

        // MARK: Command-line tool
        // The folder is not called "opencoredata": on a case-insensitive disk that is "OpenCoreData".
        .executableTarget(
            name: "CommandLineTool",
            dependencies: [
                "OpenCoreData", "StoreTools", "ModelCodeGeneration",
                .target(name: "OpenCoreDataInspector", condition: .when(traits: ["Inspector"])),
                .target(name: "OpenCoreDataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser",
                    condition: .when(traits: ["CommandLineTool"])),
            ]
        ),

        // MARK: Events
        // What inspector and server send to browsers. Without one of the traits the module is empty.
        .target(
            name: "EventStreams",
            dependencies: [
                .product(
                    name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Inspector", "Server"]))
            ]),

        // MARK: Inspector
        // Without the trait the module is empty, and nothing of it needs a server.
        .target(
            name: "OpenCoreDataInspector",
            dependencies: [
                "OpenCoreData", "OpenCoreDataKit", "StoreTools", "EventStreams",
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Inspector"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Inspector"])),
            ],
            resources: [.embedInCode("Page")]
        ),

        // MARK: PostgreSQL
        // Without the trait the module is empty, and nothing needs libpq.
        .systemLibrary(
            name: "CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(
            name: "OpenCoreDataPostgreSQL",
            dependencies: [
                "OpenCoreData", "OpenCoreDataKit",
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // MARK: Metrics and traces
        // Without one of the traits the module is empty. With `Server`, hummingbird brings the packages.
        .target(
            name: "OpenCoreDataTelemetry",
            dependencies: [
                "OpenCoreData", "OpenCoreDataKit",
                .product(
                    name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Telemetry", "Server"])),
                .product(
                    name: "Tracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["Telemetry", "Server"])),
            ]),

        // MARK: Servers
        // Without the trait the module is empty.
        .target(
            name: "OpenCoreDataServer",
            dependencies: [
                "OpenCoreData", "OpenCoreDataKit", "EventStreams", "OpenCoreDataTelemetry",
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Server"])),
            ]),

        // A server of books with a page that follows them: the model of the library demo, embedded or on PostgreSQL.
        .executableTarget(
            name: "BookServer",
            dependencies: [
                "OpenCoreData", "OpenCoreDataKit", "OpenCoreDataServer",
                .target(name: "OpenCoreDataInspector", condition: .when(traits: ["Inspector"])),
                .target(name: "OpenCoreDataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
            ],
            path: "Examples/BookServer"),

        // MARK: Tests
        .target(name: "TestSupport", dependencies: ["OpenCoreData"], path: "Tests/TestSupport"),
        .testTarget(
            name: "OpenCoreDataTests",
            dependencies: [
                "OpenCoreData", "OpenCoreDataTesting", "TestSupport", .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "OpenCombine", package: "OpenCombine",
                    condition: .when(platforms: [.linux, .windows, .android], traits: ["Publishers"])),
            ]),
        // Classes as applications write them; most applications are in this mode.
        .testTarget(
            name: "SubclassTests", dependencies: ["CoreData", "TestSupport"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "AgreementTests", dependencies: ["OpenCoreData", "OpenCoreDataPostgreSQL", "TestSupport"],
            exclude: ["Statements"]),
        .testTarget(name: "AppleFormatTests", dependencies: ["OpenCoreData", "TestSupport", "CSQLite"]),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["CommandLineTool", "StoreTools", "OpenCoreData", "TestSupport"]
        ),
        .testTarget(
            name: "InspectorTests",
            dependencies: [
                "CommandLineTool", "OpenCoreDataInspector", "StoreTools", "OpenCoreData", "OpenCoreDataKit",
                "TestSupport",
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Inspector"])),
            ]),
        // The program that tests of servers start many of, and kill.
        .executableTarget(
            name: "ServerWorker",
            dependencies: ["OpenCoreData", "OpenCoreDataKit", "OpenCoreDataPostgreSQL", "TestSupport"],
            path: "Tests/ServerWorker"),
        .testTarget(
            name: "PostgreSQLTests",
            dependencies: [
                "ServerWorker", "OpenCoreDataPostgreSQL", "OpenCoreData", "OpenCoreDataKit", "OpenCoreDataServer",
                "OpenCoreDataTelemetry", "OpenCoreDataTesting", "TestSupport",
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Server"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["Server"])),
                .product(
                    name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Server"])),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "BookServer", "OpenCoreDataServer", "OpenCoreData", "OpenCoreDataKit", "TestSupport",
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Server"])),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "StoreToolsTests",
            dependencies: ["StoreTools", "ModelCodeGeneration", "OpenCoreData", "TestSupport"]),
        .testTarget(
            name: "CodeGenerationTests", dependencies: ["ModelCodeGeneration", "TestSupport"],
            exclude: ["Apple", "Expected"]),
        .testTarget(name: "MisuseTests", dependencies: ["OpenCoreData", "TestSupport"]),
        .testTarget(name: "KitTests", dependencies: ["OpenCoreDataKit", "TestSupport"]),
        // The plugin's sources are linked into the tests: a test target that depends on the plugin itself would have
        // everything built once more, for the machine that runs plugins.
        .testTarget(
            name: "MacrosTests",
            dependencies: ["OpenCoreDataMacros", "OpenCoreDataKit", "TestSupport"] + swiftSyntax,
            exclude: ["Fixtures", "Plugin/OpenCoreDataMacrosPlugin.swift"]
        ),
        .testTarget(name: "SwiftDataTests", dependencies: ["SwiftData", "OpenCoreData", "TestSupport", "CSQLite"]),
        .testTarget(
            name: "CoreDataMonkTests", dependencies: ["CoreDataMonk", "TestSupport"],
            path: "Tests/CompatibilityTests/CoreDataMonk"),
        .testTarget(
            name: "CoreDataCandyTests", dependencies: ["CoreDataCandy", "TestSupport"],
            path: "Tests/CompatibilityTests/CoreDataCandy"),
        .testTarget(
            name: "THRCoreDataTests", dependencies: ["THRCoreData", "TestSupport"],
            path: "Tests/CompatibilityTests/THRCoreData"),
        .testTarget(
            name: "BNRCoreDataStackTests", dependencies: ["BNRCoreDataStack", "CoreDataStack", "TestSupport"],
            path: "Tests/CompatibilityTests/BNRCoreDataStack"),
        .testTarget(
            name: "StickyTests", dependencies: ["Sticky", "TestSupport"],
            path: "Tests/CompatibilityTests/Sticky"),
        .testTarget(
            name: "DocumentationTests", dependencies: ["OpenCoreData", "OpenCoreDataKit", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets
where target.type != .system && target.type != .plugin && target.name != "EngineShims" {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
            .enableUpcomingFeature("ExistentialAny"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
            .enableUpcomingFeature("MemberImportVisibility"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
            .enableUpcomingFeature("InternalImportsByDefault"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
}

if isPortable {
    for target in package.targets
    where target.type != .system && target.type != .plugin && target.name != "EngineShims" {
        target.swiftSettings = (target.swiftSettings ?? []) + [.define("PORTABLE")]
    }
}

// Some test targets alone, with what they are made of, as `Scripts/test --only` builds them.
if let names = Context.environment["OPENCOREDATA_ONLY"], !names.isEmpty {
    var needed: Set<String> = []
    var waiting = names.split(separator: ",").map(String.init)
    while let name = waiting.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): waiting.append(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        switch product {
        case let library as Product.Library: !needed.isSuperset(of: library.targets)
        case let executable as Product.Executable: !needed.isSuperset(of: executable.targets)
        case let plugin as Product.Plugin: !needed.isSuperset(of: plugin.targets)
        default: true
        }
    }
}
