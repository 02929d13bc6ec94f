import Foundation

/// Makes entity mappings of a compiled mapping model, which is a keyed archive.
///
/// Objects are recognized by the names of their classes in the archive, and made by this code; no class is looked up. The
/// names of migration policies stay names.
struct MappingArchiveDecoder {
    private var values: ArchivedValueDecoder
    private var predicates: PredicateArchiveDecoder
    /// How many mappings may still be made: an archive can refer to one mapping many times.
    private var budget: Int

    /// Reads an archive.
    ///
    /// - Throws: A `CocoaError` that names what is damaged.
    static func decode(_ data: Data) throws -> [NSEntityMapping] {
        let archive = try KeyedArchive(data)
        let root = try archive.root()
        guard root.className == "NSMappingModel" else {
            throw ModelError.corrupt("The archive holds a \(root.className), not a mapping model.")
        }
        var decoder = MappingArchiveDecoder(archive: archive)
        var names = Set<String>()
        return try root.objects("NSEntityMappings", "NSEntityMapping").map { object in
            let mapping = try decoder.entityMapping(object)
            guard names.insert(mapping.name ?? "").inserted else {
                throw ModelError.invalid("The mapping model has two entity mappings named '\(mapping.name ?? "")'.")
            }
            return mapping
        }
    }

    private init(archive: KeyedArchive) {
        values = ArchivedValueDecoder(archive: archive)
        predicates = PredicateArchiveDecoder(archive: archive)
        budget = archive.count * 4 + 10_000
    }

    private mutating func spend() throws {
        budget -= 1
        guard budget > 0 else { throw ModelError.corrupt("The archive refers to a mapping too many times.") }
    }

    private mutating func entityMapping(_ object: ArchivedObject) throws -> NSEntityMapping {
        try spend()
        guard let name = try object.string("NSMappingName"), !name.isEmpty else {
            throw ModelError.corrupt("An entity mapping of the archive has no name.")
        }
        let mapping = NSEntityMapping()
        mapping.name = name
        let rawType = try object.int("NSMappingType")
        guard let type = UInt(exactly: rawType).flatMap(NSEntityMappingType.init(rawValue:)) else {
            throw ModelError.corrupt("The entity mapping '\(name)' has the unknown type \(rawType).")
        }
        mapping.mappingType = type
        mapping.sourceEntityName = try object.string("NSSourceEntityName")
        mapping.destinationEntityName = try object.string("NSDestinationEntityName")
        mapping.sourceEntityVersionHash = try object.data("NSSourceEntityVersionHash")
        mapping.destinationEntityVersionHash = try object.data("NSDestinationEntityVersionHash")
        mapping.entityMigrationPolicyClassName = try object.string("NSEntityMigrationPolicyClassName")
        mapping.sourceExpression = try expression(object, "NSSourceExpression")
        mapping.userInfo = try userInfo(of: object)
        mapping.attributeMappings = try propertyMappings(object, "NSAttributeMappings", of: name)
        mapping.relationshipMappings = try propertyMappings(object, "NSRelationshipMappings", of: name)
        return mapping
    }

    private mutating func propertyMappings(_ object: ArchivedObject, _ key: String, of name: String) throws
        -> [NSPropertyMapping]?
    {
        guard try object.array(key) != nil else { return nil }
        return try object.objects(key, "NSPropertyMapping").map { try propertyMapping($0, of: name) }
    }

    private mutating func propertyMapping(_ object: ArchivedObject, of name: String) throws -> NSPropertyMapping {
        try spend()
        guard let property = try object.string("NSDestinationPropertyName"), !property.isEmpty else {
            throw ModelError.corrupt("A property mapping of the entity mapping '\(name)' names no property.")
        }
        let mapping = NSPropertyMapping()
        mapping.name = property
        mapping.valueExpression = try expression(object, "NSValueExpression")
        mapping.userInfo = try userInfo(of: object)
        return mapping
    }

    private mutating func expression(_ object: ArchivedObject, _ key: String) throws -> NSExpression? {
        try object.object(key).map { try predicates.expression($0) }
    }

    private mutating func userInfo(of object: ArchivedObject) throws -> [AnyHashable: Any]? {
        guard let archived = try object.object("NSUserInfo", "NSDictionary", "NSMutableDictionary") else { return nil }
        return try values.decode(.object(archived)) as? [AnyHashable: Any]
    }
}
