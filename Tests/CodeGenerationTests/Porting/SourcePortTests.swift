import Foundation
import ModelCodeGeneration
import TestSupport
import Testing

@Suite struct SourcePortTests {
    private static let old = """
        import CoreData

        @objc(Book)
        @objcMembers public class Book: NSManagedObject {
            // @objc in a comment stays
            @NSManaged private var secret: String?
            @NSManaged fileprivate var primitiveTitle: String?
            @NSManaged @objc public private(set) var name: String?
            @objc dynamic func publish() {}
            private var cache = 3
            @objc(addTagsObject:)
            @NSManaged public func addToTags(_ value: Book)
            #if canImport(ObjectiveC)
            @objc func already() {}
            #endif
        }
        """

    private static let new = """
        import CoreData

        #if canImport(ObjectiveC)
        @objc(Book)
        #endif
        #if canImport(ObjectiveC)
        @objcMembers
        #endif
        public class Book: NSManagedObject {
            // @objc in a comment stays
            @NSManaged var secret: String?
            @NSManaged var primitiveTitle: String?
            @NSManaged
        #if canImport(ObjectiveC)
            @objc
        #endif
            public private(set) var name: String?
        #if canImport(ObjectiveC)
            @objc
        #endif
            dynamic func publish() {}
            private var cache = 3
        #if canImport(ObjectiveC)
            @objc(addTagsObject:)
        #endif
            @NSManaged public func addToTags(_ value: Book)
            #if canImport(ObjectiveC)
            @objc func already() {}
            #endif
        }
        """

    @Test func whatIsApplesGoesBetweenConditions() {
        #expect(SourcePort.ported(Self.old) == Self.new)
        #expect(SourcePort.ported(Self.new) == Self.new)
    }

    @Test func afterPortingEverythingCanBeSupplied() {
        func plan(_ text: String) -> Diagnosed<ManagedAccessors> {
            ManagedAccessors.plan([ManagedAccessors.Source(file: "Book.swift", text: text)], moduleName: "M")
        }
        #expect(!plan(Self.old).isUsable)
        let result = plan(Self.new)
        #expect(result.diagnostics.map(\.description) == [])
        #expect(result.value.symbols.count == 7)
    }

    @Test func aPrivateExtensionOrClassIsOpened() {
        let source = """
            private class A: NSManagedObject { @NSManaged var a: Int16 }
            fileprivate extension A { @NSManaged var b: Int16 }
            private extension A { var c: Int { 1 } }
            """
        #expect(
            SourcePort.ported(source) == """
                class A: NSManagedObject { @NSManaged var a: Int16 }
                extension A { @NSManaged var b: Int16 }
                private extension A { var c: Int { 1 } }
                """)
    }

    @Test(.enabled(if: SwiftCompiler.compiler != nil, "swiftc is missing"))
    func thePortedSourceCompiles() throws {
        let folder = try TemporaryFolder()
        let core = folder.file("Core.swift")
        try Data("import Foundation\nopen class NSManagedObject: NSObject {}\n".utf8).write(to: core)
        try SwiftCompiler.emitModule("CoreData", source: core, in: folder.url)
        let book = folder.file("Book.swift")
        try Data(Self.new.utf8).write(to: book)
        try SwiftCompiler.check([book], in: folder.url)
    }

    @Test func theDifferenceIsShown() {
        let old = (1...12).map(String.init).joined(separator: "\n") + "\n"
        let new = old.replacingOccurrences(of: "\n6\n", with: "\nsix\n6b\n")
        #expect(
            UnifiedDiff.text(from: old, to: new, file: "a.swift") == """
                --- a.swift
                +++ a.swift
                @@ -3,7 +3,8 @@
                 3
                 4
                 5
                -6
                +six
                +6b
                 7
                 8
                 9

                """)
        #expect(UnifiedDiff.text(from: old, to: old, file: "a.swift").isEmpty)
    }
}
