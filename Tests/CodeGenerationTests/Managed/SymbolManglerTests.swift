import Foundation
import ModelCodeGeneration
import TestSupport
import Testing

/// The symbols are those that the compiler asks for.
@Suite struct SymbolManglerTests {
    /// Stands in for the engine: what counts is the module and the classes' names.
    private static let engine = """
        import Foundation
        open class NSManagedObject: NSObject {}
        open class NSManagedObjectID: NSObject {}
        """

    private static let members = """
        import Foundation
        import CoreDataEngine

        public class Author: NSManagedObject {}
        class Zürich: NSManagedObject {}
        public struct Pair {}
        public enum Kind: Int16 { case a }
        public typealias Names = [String]
        public enum Space {
            public typealias Other = Inner
            public class Author: NSManagedObject {}
            public class Base: NSManagedObject { public enum Level: Int16 { case low } }
            public class Inner: Base {
                @NSManaged public var text: String?
                @NSManaged public var inner: Inner?
                @NSManaged public var author: Author?
                @NSManaged public var level: Level
                @NSManaged var other: Other?
                @NSManaged var qualified: Library.Space.Author?
                @NSManaged func addToAuthors(_ values: Set<Author>)
            }
        }
        public typealias Current = Space
        public typealias CurrentInner = Current.Inner
        extension Space.Inner { @NSManaged public var topLevelAuthor: Author? }
        extension CurrentInner { @NSManaged public var otherByAlias: [String: Current.Other] }

        public class Person: NSManagedObject {
        TYPES
            @NSManaged public private(set) var readOnly: String?
            @NSManaged var Person: Person!
            @NSManaged var personName, name_of_person_2: String?
            @NSManaged var URLOfAuthorHTTPThing: Date?
            @NSManaged var größe: String?
            @NSManaged var `default`: Bool
            @NSManaged var \\u{e9}t\\u{e9}: Zürich?

            @NSManaged public func addToAuthors(_ value: Author)
            @NSManaged public func addToAuthors(_ values: NSSet)
            @NSManaged public func addToAuthors(_ values: Set<Author>)
            @NSManaged public func removeFromAuthors(_ values: NSOrderedSet)
            @NSManaged public func addToPersons(_ value: Person)
            @NSManaged public func insertIntoPersons(_ value: Person, at idx: Int)
            @NSManaged public func insertIntoPersons(_ values: [Person], at indexes: NSIndexSet)
            @NSManaged public func removeFromPersons(at idx: Int)
            @NSManaged public func removeFromPersons(at indexes: NSIndexSet)
            @NSManaged public func replacePersons(at idx: Int, with value: Person)
            @NSManaged public func replacePersons(at indexes: NSIndexSet, with values: [Person])
            @NSManaged public func replaceAuthors(at indexes: NSIndexSet, with values: [Author])
            @NSManaged public func addAuthorsObject(_ value: Author)
            @NSManaged public func removeAuthors(_ values: NSSet)
        }

        extension Person {
            @NSManaged public var inExtension: Author?
        }
        """

    /// Every type that is supplied.
    private static let types = """
        String Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Double Float Bool TimeInterval CGFloat Date Data
        UUID URL Decimal Locale TimeZone Calendar DateComponents IndexPath IndexSet AttributedString DateInterval
        CharacterSet URLComponents NSRange Character AnyHashable NSNumber NSDecimalNumber NSSet NSOrderedSet NSMutableSet
        NSMutableOrderedSet NSArray NSDictionary NSMutableArray NSMutableDictionary NSString NSMutableString NSData NSDate
        NSURL NSUUID NSValue NSNull NSError NSIndexSet NSAttributedString NSObject Any AnyObject Author Person
        Pair Kind Names Space.Inner Library.Pair Foundation.Date Swift.String NSManagedObject NSManagedObjectID Set<Author>
        Set<Person> Set<NSObject> Set<String> [String] [Person] [Int16] [[String]] [String?] [Date] [String:String]
        [String:Any] [String:[Int]] [Date:Data] [Author:Set<Author>] Optional<Date> Array<Author> Dictionary<Int,Int>
        """.split { $0 == " " || $0 == "\n" }.map(String.init)

    private static var source: String {
        let properties = types.enumerated().flatMap { index, type in
            [
                "    @NSManaged public var plain\(index): \(type)",
                "    @NSManaged public var optional\(index): \(type)?",
            ]
        }
        return members.replacingOccurrences(of: "TYPES", with: properties.joined(separator: "\n"))
            .replacingOccurrences(of: "\\u{e9}", with: "\u{e9}")
    }

    private func accessors(_ source: String) throws -> ManagedAccessors {
        let result = ManagedAccessors.plan(
            [ManagedAccessors.Source(file: "Person.swift", text: source)], moduleName: "Library")
        #expect(result.diagnostics.map(\.description) == [])
        return result.value
    }

    @Test(.enabled(if: SwiftCompiler.canListSymbols, "swiftc or nm is missing"))
    func theSymbolsAreThoseThatTheCompilerLacks() throws {
        let folder = try TemporaryFolder()
        let engine = folder.file("Engine.swift")
        let person = folder.file("Person.swift")
        try Data(Self.engine.utf8).write(to: engine)
        try Data(Self.source.utf8).write(to: person)
        try SwiftCompiler.emitModule("CoreDataEngine", source: engine, in: folder.url)
        let lacking = try SwiftCompiler.undefinedSymbols(of: [person], module: "Library", in: folder.url)
            .filter { $0.hasPrefix("$s7Library") }
        let symbols = try accessors(Self.source).symbols
        #expect(Set(symbols).count == symbols.count)
        #expect(lacking.subtracting(symbols) == [])
        #expect(Set(symbols).subtracting(lacking) == [])
        #expect(symbols.count > 2 * 2 * Self.types.count)
    }

    /// Without a compiler at hand, the forms that matter are compared with what it said once.
    @Test func theSymbolsOfSomeFormsAreKnown() throws {
        let source = """
            class Author: NSManagedObject {}
            class Person: NSManagedObject {
                @NSManaged var name: String?
                @NSManaged var boss: Person?
                @NSManaged var Person: Person?
                @NSManaged var author: Author?
                @NSManaged var words: [String: String]?
                @NSManaged var spans: [Date: Data]?
                @NSManaged var indexSet: IndexSet?
                @NSManaged var größe: String?
                @NSManaged func insertIntoPersons(_ values: [Person], at idx: NSIndexSet)
            }
            """
        #expect(
            try accessors(source).symbols.filter { !$0.hasSuffix("vs") } == [
                "$s7Library6PersonC4nameSSSgvg",
                "$s7Library6PersonC4bossACSgvg",
                "$s7Library6PersonCAbCSgvg",
                "$s7Library6PersonC6authorAA6AuthorCSgvg",
                "$s7Library6PersonC5wordsSDyS2SGSgvg",
                "$s7Library6PersonC5spansSDy20FoundationEssentials4DateVAE4DataVGSgvg",
                "$s7Library6PersonC8indexSet10Foundation05IndexD0VSgvg",
                "$s7Library6PersonC009gre_GkaIiSSSgvg",
                "$s7Library6PersonC17insertIntoPersons_2atySayACG_10Foundation10NSIndexSetCtF",
            ])
    }
}
