import Foundation
struct PredicateArchiveDecoder {
    init(archive: KeyedArchive) {}
    mutating func predicate(_ object: ArchivedObject) throws -> NSPredicate { NSPredicate() }
    mutating func expression(_ object: ArchivedObject) throws -> NSExpression { NSExpression(forConstantValue: nil) }
}
struct PredicateArchiveEncoder {
    static func add(_ predicate: NSPredicate, to writer: inout KeyedArchiveWriter) throws -> Int { writer.add("NSTruePredicate", []) }
    static func add(_ predicate: NSExpression, to writer: inout KeyedArchiveWriter) throws -> Int { writer.add("NSSelfExpression", []) }
}
