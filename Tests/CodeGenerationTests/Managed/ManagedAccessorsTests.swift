import Foundation
import ModelCodeGeneration
import TestSupport
import Testing

@Suite struct ManagedAccessorsTests {
    private func plan(_ string: String, generated: Set<String> = []) -> Diagnosed<ManagedAccessors> {
        ManagedAccessors.plan(
            [ManagedAccessors.Source(file: "A.swift", text: string)], moduleName: "M", generatedClasses: generated)
    }

    private func messages(_ string: String) -> [String] { plan(string).diagnostics.map(\.description) }

    @Test func accessorsAreWritten() throws {
        let source = """
            public class Book: NSManagedObject {
                @NSManaged public var title: String?
                @NSManaged public var pages: Int16
                @NSManaged public var author: Author?
                @NSManaged public var owner: Author
                @NSManaged public var tags: Set<Tag>
                @NSManaged public var others: Set<Tag>?
                @NSManaged public var chapters: NSOrderedSet
                @NSManaged public var price: NSDecimalNumber
                @NSManaged public var words: [String]
                @NSManaged public var size: UInt16
                @NSManaged public var money: Money
                @NSManaged public var anything: Any?
                @NSManaged var stamp: TimeInterval
                @NSManaged var primitiveTitle: String?
                @NSManaged var primitivePages: Int16
                @NSManaged public func addToChapters(_ value: Chapter)
                @NSManaged public func addToChapters(_ values: NSOrderedSet)
                @NSManaged public func insertIntoChapters(_ value: Chapter, at idx: Int)
                @NSManaged public func replaceChapters(at indexes: NSIndexSet, with values: [Chapter])
                @NSManaged public func removeFromChapters(at idx: Int)
                @NSManaged func removeTagsObject(_ value: Tag)
            }
            class Tag: NSManagedObject {}
            public struct Money {}
            """
        let result = plan(source, generated: ["Author", "Chapter"])
        #expect(result.diagnostics.map(\.description) == [])
        let file = ManagedAccessorRenderer.file(
            result.value, named: "M+NSManaged.swift", settings: GenerationSettings())
        try Samples.expect(file.content, isFile: file.name)
    }

    @Test func aModuleWithoutManagedMembersGetsAnEmptyFile() {
        let result = plan("class A: NSManagedObject { var a = 1 }")
        let file = ManagedAccessorRenderer.file(result.value, named: "A.swift", settings: GenerationSettings())
        #expect(!file.content.contains("import"))
        #expect(result.value.symbols.isEmpty)
    }

    @Test(arguments: [
        (
            "class A: NSManagedObject {\n    @NSManaged private var b: String?\n}",
            "A.swift:2: error: A.b is private, so nothing outside its file can supply it; remove 'private', "
                + "which 'opencoredata model port' does"
        ),
        (
            "class A: NSManagedObject {\n    @NSManaged\n    fileprivate var b: String?\n}",
            "A.swift:3: error: A.b is fileprivate, so nothing outside its file can supply it; remove 'fileprivate', "
                + "which 'opencoredata model port' does"
        ),
        (
            "class A: NSManagedObject {}\nprivate extension A {\n    @NSManaged var b: String?\n}",
            "A.swift:3: error: A.b is private, so nothing outside its file can supply it; remove 'private', "
                + "which 'opencoredata model port' does"
        ),
        (
            "class A: NSManagedObject {\n    @objc(b) @NSManaged var b: String?\n}",
            "A.swift:2: error: A.b has '@objc', which only exists on Apple's platforms; put it between "
                + "'#if canImport(ObjectiveC)' and '#endif', which 'opencoredata model port' does"
        ),
        (
            "@objc(A)\nclass A: NSManagedObject {}",
            "A.swift:1: error: the class A has '@objc', which only exists on Apple's platforms; put it between "
                + "'#if canImport(ObjectiveC)' and '#endif', which 'opencoredata model port' does"
        ),
        (
            "@objcMembers class A: B {}\nclass B: NSManagedObject {}",
            "A.swift:1: error: the class A has '@objcMembers', which only exists on Apple's platforms; put it between "
                + "'#if canImport(ObjectiveC)' and '#endif', which 'opencoredata model port' does"
        ),
        (
            "class A<T>: NSManagedObject {\n    @NSManaged var b: String?\n}",
            "A.swift:2: error: the class A is generic, so @NSManaged can't be supplied for it"
        ),
        (
            "private class A: NSManagedObject {\n    @NSManaged var b: String?\n}",
            "A.swift:2: error: the class A is private, so nothing outside its file can supply A.b"
        ),
        (
            "extension Kit.A {\n    @NSManaged var b: String?\n}",
            "A.swift:2: error: the class Kit.A is not declared in this module, so Kit.A.b can't be supplied; "
                + "declare it in the same module as the class"
        ),
        (
            "struct A {\n    @NSManaged var b: String?\n}",
            "A.swift:2: error: A isn't a class, and only managed object classes can have @NSManaged members"
        ),
        (
            "class A: NSManagedObject {\n    @NSManaged static var b: String?\n}",
            "A.swift:2: error: A.b is a static member, which can't be @NSManaged"
        ),
        (
            "class A: NSManagedObject {\n    @NSManaged var b: Elsewhere?\n}",
            "A.swift:2: error: the type 'Elsewhere' of A.b is not declared in this module, so @NSManaged can't be "
                + "supplied; write a computed property with value(forKey:) and setValue(_:forKey:)"
        ),
        (
            "class A: NSManagedObject {\n    @NSManaged var b: (Int, Int)\n}",
            "A.swift:2: error: the type of A.b isn't one that @NSManaged can be supplied for"
        ),
        (
            "class A: NSManagedObject {\n    @NSManaged var b: any Hashable\n}",
            "A.swift:2: error: the type of A.b isn't one that @NSManaged can be supplied for"
        ),
        (
            "class A: NSManagedObject {\n    @NSManaged func doIt()\n}",
            "A.swift:2: error: A.doIt isn't an accessor of a to-many relationship; write its body"
        ),
        (
            "class A: NSManagedObject {\n    @NSManaged func addToB(_ b: A) -> Bool\n}",
            "A.swift:2: error: A.addToB isn't an accessor of a to-many relationship; write its body"
        ),
        (
            "func make() {\n    class A: NSManagedObject {\n        @NSManaged var b: String?\n    }\n}",
            "A.swift:3: error: A.b is @NSManaged in a class that is declared inside a function or a block, so nothing "
                + "outside can supply it; move the class out of it"
        ),
        (
            "struct A {\n    var b: Int {\n        final class C: NSManagedObject { @NSManaged func addToD(_ d: C) }\n    }\n}",
            "A.swift:3: error: C.addToD is @NSManaged in a class that is declared inside a function or a block, so "
                + "nothing outside can supply it; move the class out of it"
        ),
    ])
    func whatCannotBeSuppliedIsSaid(_ source: String, _ message: String) {
        #expect(messages(source) == [message])
    }

    @Test func whatOnlyApplesPlatformsCompileIsNotSeen() {
        let source = """
            #if canImport(ObjectiveC)
            @objc(A)
            #endif
            class A: NSManagedObject {
                #if os(iOS) || os(macOS)
                @NSManaged private var hidden: Elsewhere?
                #elseif !canImport(Darwin) && true
                @NSManaged var shown: String?
                #else
                @NSManaged private var alsoHidden: String?
                #endif
                #if DEBUG
                @NSManaged var either: String?
                #else
                @NSManaged var either: String?
                @NSManaged var or: String?
                #endif
            }
            """
        let result = plan(source)
        #expect(result.diagnostics.map(\.description) == [])
        #expect(
            result.value.symbols == [
                "$s1M1AC5shownSSSgvg", "$s1M1AC5shownSSSgvs", "$s1M1AC6eitherSSSgvg", "$s1M1AC6eitherSSSgvs",
                "$s1M1AC2orSSSgvg", "$s1M1AC2orSSSgvs",
            ])
    }

    /// The extensions stand outside of the types that the classes are nested in.
    @Test(.enabled(if: SwiftCompiler.compiler != nil, "swiftc is missing"))
    func theCodeOfNestedClassesCompiles() throws {
        let source = """
            import CoreData
            enum V1 {
                typealias Home = Address
                enum Kind: Int16 { case a }
                class Base: NSManagedObject { enum Level: String { case x } }
                final class Person: Base {
                    @NSManaged var address: Address?
                    @NSManaged var home: Home?
                    @NSManaged var others: Set<Address>
                    @NSManaged var kind: Kind
                    @NSManaged var level: Level
                    @NSManaged var kinds: [String: Kind]
                    @NSManaged func addToOthers(_ value: Address)
                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    var initial: String { "" }
                }
                final class Address: NSManagedObject { @NSManaged var street: String? }
            }
            extension V1.Person { @NSManaged var address2: V1.Address? }
            """
        let folder = try TemporaryFolder()
        let core = folder.file("Core.swift")
        try Data(Self.engine.utf8).write(to: core)
        try SwiftCompiler.emitModule("CoreData", source: core, in: folder.url)
        let result = plan(source)
        #expect(result.diagnostics.map(\.description) == [])
        var settings = GenerationSettings()
        settings.importedModule = "CoreData"
        let made = ManagedAccessorRenderer.file(result.value, named: "Made.swift", settings: settings)
        let files = [folder.file("Source.swift"), folder.file("Made.swift")]
        for (file, content) in zip(files, [source, made.content]) { try Data(content.utf8).write(to: file) }
        try SwiftCompiler.check(files, in: folder.url)
    }

    /// What generated code uses of the engine.
    private static let engine = """
        import Foundation
        open class NSManagedObject: NSObject {
            public subscript<Value>(_ property: ManagedProperty<Value>) -> Value { get { fatalError() } set {} }
            public func value(forKey key: String) -> Any? { nil }
            public func setValue(_ value: Any?, forKey key: String) {}
            public func mutableSetValue(forKey key: String) -> NSMutableSet { NSMutableSet() }
        }
        public class ResolvedProperty: @unchecked Sendable {}
        public final class ManagedProperty<Value>: ResolvedProperty, @unchecked Sendable { public init(_ name: String) {} }
        open class ManagedPropertyList {
            open class var properties: [ResolvedProperty] { [] }
            open class var keyedValues: [String: @Sendable (NSManagedObject) -> Any?] { [:] }
        }
        """

    @Test func whatKeyValueCodingFindsBesidesIsListed() {
        let source = """
            class A: NSManagedObject {
                #if canImport(ObjectiveC)
                @objc
                #endif
                dynamic var initial: String? { nil }
                #if canImport(ObjectiveC)
                    @objc(secret)
                #endif
                private var secret: Int { 1 }
                #if canImport(ObjectiveC)
                @objc func method() {}
                #endif
                var plain: Int { 2 }
            }
            extension A {
                #if canImport(ObjectiveC)
                @objc
                #endif
                public var `default`: Int { 3 }
            }
            #if canImport(ObjectiveC)
            @objcMembers
            #endif
            class B: A { var all: Int { 4 }; static var none: Int { 5 }; @MainActor var main: Int { 6 } }
            #if canImport(ObjectiveC)
            @objcMembers
            #endif
            class Other: NSObject { var all: Int { 7 } }
            @MainActor class C: A {}
            extension C {
                #if canImport(ObjectiveC)
                @objc
                #endif
                var main: Int { 8 }
            }
            """
        let result = plan(source)
        #expect(result.diagnostics.map(\.description) == [])
        let file = ManagedAccessorRenderer.file(result.value, named: "A.swift", settings: GenerationSettings())
        let lines = file.content.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines.filter { $0.contains("{ ($0 as?") } == [
                "\"initial\": { ($0 as? A)?.initial },", "\"default\": { ($0 as? A)?.`default` },",
                "\"all\": { ($0 as? B)?.all },",
            ])
    }

    @Test func commentsStringsAndBodiesAreSkipped() {
        let source = ##"""
            // @NSManaged var a: Elsewhere
            /* @NSManaged /* nested */ var b: Elsewhere */
            let text = "class A { @NSManaged var c: Elsewhere \(["}": "{"]["}"] ?? "\("x")") }"
            let raw = #"""
            class B { @NSManaged var d: Elsewhere }
            """#
            let long = """
                } "quoted" { \( { "}" }() )
                """
            let expression = /[{"]+/
            class A: NSManagedObject {
                var body: Int { let x = { (y: Int) in y }; return x(1) }
                func other<T>(_ value: T) where T: Equatable { class Local { var z = 1 } }
                subscript(index: Int) -> Int { get { index } set {} }
                class func make() -> A? { nil }
                class var shared: Int { 1 }
                enum Kind { case one, two(class: Int) }
                init(x: Int = { 1 }()) { fatalError() }
                @NSManaged var last: String?; var more = 1
                @available(*, deprecated, message: "}") @NSManaged var old: Kind?
            }
            """##
        let result = plan(source)
        #expect(result.diagnostics.map(\.description) == [])
        #expect(
            result.value.symbols.filter { $0.hasSuffix("g") } == [
                "$s1M1AC4lastSSSgvg", "$s1M1AC3oldAC4KindOSgvg",
            ])
    }

    /// Whatever stands in a source file, it is read to its end.
    @Test func noSourceTraps() {
        let source =
            "public class A<B: C>: NSManagedObject { @NSManaged private(set) var a: [String: Set<B>]?, b: Int!; "
            + "@objc(x:) @NSManaged func addToB(_ b: A, at i: Int) -> (Int) } #if a && (b || !c) \"\\(x\" #\"\"\"# /x/ `y`"
        for end in 0...source.count {
            _ = plan(String(source.prefix(end)))
            _ = plan(String(source.suffix(end)))
            _ = SourcePort.ported(String(source.prefix(end)))
        }
        _ = plan(String(repeating: "class A { ", count: 5_000))
        _ = plan("class A: NSManagedObject { @NSManaged var a: " + String(repeating: "[", count: 50_000))
        _ = plan("#if " + String(repeating: "(", count: 50_000))
    }
}
