import Foundation
import OpenCoreData
import TestSupport

/// Authors and books with what batches must not break: cascades, mandatory to-ones, one-way relationships, values in files
/// of their own, and a constraint over two attributes.
enum BatchModel {
    static func make(derived: Bool = false) -> NSManagedObjectModel {
        let publisher = entity("Publisher")
        let series = entity("Series")
        let volume = entity("Volume")
        let review = entity("Review")
        publisher.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.relationship("series", to: series, toMany: true, rule: .cascadeDeleteRule),
            LibraryModel.relationship("favorite", to: volume, rule: .nullifyDeleteRule),
        ]
        series.properties = [
            LibraryModel.attribute("title", .stringAttributeType),
            LibraryModel.relationship("publisher", to: publisher, rule: .nullifyDeleteRule),
            LibraryModel.relationship("volumes", to: volume, toMany: true, ordered: true, rule: .cascadeDeleteRule),
        ]
        let scan = LibraryModel.attribute("scan", .binaryDataAttributeType)
        scan.allowsExternalBinaryDataStorage = true
        let code = LibraryModel.attribute("code", .stringAttributeType)
        code.preservesValueInHistoryOnDeletion = true
        volume.properties = [
            code, LibraryModel.attribute("number", .integer16AttributeType), scan,
            LibraryModel.attribute("note", .stringAttributeType),
            LibraryModel.relationship("series", to: series, rule: .nullifyDeleteRule),
            LibraryModel.relationship("reviews", to: review, toMany: true, rule: .nullifyDeleteRule),
            LibraryModel.relationship("related", to: volume, toMany: true, rule: .nullifyDeleteRule),
        ]
        volume.uniquenessConstraints = [["code", "number"]]
        review.properties = [
            LibraryModel.attribute("text", .stringAttributeType, optional: false),
            LibraryModel.relationship("volume", to: volume, rule: .nullifyDeleteRule),
        ]
        review.relationshipsByName["volume"]?.isOptional = false
        LibraryModel.pair(publisher, "series", series, "publisher")
        LibraryModel.pair(series, "volumes", volume, "series")
        LibraryModel.pair(volume, "reviews", review, "volume")
        volume.relationshipsByName["related"]?.inverseRelationship = volume.relationshipsByName["related"]
        if derived { addDerived(to: series) }
        let model = NSManagedObjectModel()
        model.entities = [publisher, series, volume, review]
        return model
    }

    private static func addDerived(to series: NSEntityDescription) {
        let count = NSDerivedAttributeDescription()
        count.name = "volumeCount"
        count.attributeType = .integer64AttributeType
        count.isOptional = true
        count.derivationExpression = NSExpression(format: "volumes.@count")
        let upper = NSDerivedAttributeDescription()
        upper.name = "shouted"
        upper.attributeType = .stringAttributeType
        upper.isOptional = true
        upper.derivationExpression = NSExpression(format: "uppercase:(title)")
        series.properties += [count, upper]
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = "NSManagedObject"
        return entity
    }

    static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType]
}

extension TestStack {
    /// The values of a property of all objects of an entity, as a fresh context reads them, as sorted text.
    func values(_ entity: String, _ key: String) throws -> [String] {
        try inContext { context in
            let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
            return objects.map { "\($0.value(forKey: key) ?? "nil")" }.sorted()
        }
    }

    /// How many objects an entity has.
    func count(_ entity: String) throws -> Int {
        try inContext { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
    }
}
