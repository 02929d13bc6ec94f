#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// A piece of a list as rows with cells.
struct ObjectTable {
    /// Rows that one request may ask for.
    static let mostRows = 500

    let list: ObjectList
    let columns: [Column]

    enum Column {
        case identifier
        case attribute(NSAttributeDescription)
        case toOne(NSRelationshipDescription)
        case toMany(NSRelationshipDescription)
        /// A key path, or a property that only a subentity has.
        case path(Field)
        case ofSubentity(String)
    }

    init(_ arguments: RequestArguments, in reader: StoreReader) throws {
        list = try ObjectList(arguments, in: reader)
        let entity = list.entity
        columns = try arguments.list("columns").map { try Self.column($0, entity) }
    }

    private static func column(_ name: String, _ entity: NSEntityDescription) throws -> Column {
        if name == Field.objectID.path { return .identifier }
        if let attribute = entity.attributesByName[name] { return .attribute(attribute) }
        if let relationship = entity.relationshipsByName[name] {
            return relationship.isToMany ? .toMany(relationship) : .toOne(relationship)
        }
        if entity.descendants.contains(where: { $0.propertiesByName[name] != nil }) { return .ofSubentity(name) }
        return .path(try Field(path: name, entity: entity))
    }

    /// The rows of a page.
    ///
    /// - Parameter order: The order of the whole list, where it is known.
    func rows(_ wanted: PageRequest, from order: SortedOrder?, in reader: StoreReader) throws -> JSONValue {
        let prefetched = columns.compactMap { column -> String? in
            switch column {
            case .toOne(let relationship): relationship.name
            case .path(let field): field.relationshipPath
            default: nil
            }
        }
        let start = ContinuousClock.now
        let page = try list.page(wanted, from: order, prefetching: prefetched, in: reader)
        let objects = page.objects
        let counts = try toManyCounts(objects, in: reader)
        let rows = objects.map { object in
            JSONValue.object([
                JSONMember(key: "id", value: .string(object.inspectorName)),
                JSONMember(
                    key: "cells",
                    value: .array(columns.map { cell($0, of: object, counts[object.objectID] ?? [:]) })),
            ])
        }
        return [
            "offset": JSONValue(wanted.offset), "rows": .array(rows),
            "tiesAtStart": page.tiesAtStart.map { JSONValue($0) } ?? .null,
            "tiesAtEnd": page.tiesAtEnd.map { JSONValue($0) } ?? .null,
            "milliseconds": .number((ContinuousClock.now - start).milliseconds),
        ]
    }

    private func cell(_ column: Column, of object: NSManagedObject, _ counts: [String: Int]) -> JSONValue {
        switch column {
        case .identifier: return .string(object.inspectorName)
        case .attribute(let attribute):
            return CellValue.json(of: object, attribute, longest: CellValue.shortLength)
        case .toOne(let relationship):
            return (object.value(forKey: relationship.name) as? NSManagedObject).map(ObjectLabel.link) ?? .null
        case .toMany(let relationship):
            return ["count": JSONValue(counts[relationship.name] ?? 0)]
        case .path(let field):
            return CellValue.shortened(field.value(of: object), longest: CellValue.shortLength)
        case .ofSubentity(let name):
            if let attribute = object.entity.attributesByName[name] {
                return cell(.attribute(attribute), of: object, counts)
            }
            guard let relationship = object.entity.relationshipsByName[name] else { return .null }
            if relationship.isToMany {
                return ["count": JSONValue(RelatedObjects(object, relationship).objects.count)]
            }
            return cell(.toOne(relationship), of: object, counts)
        }
    }

    /// How many objects the to-many columns lead to, asked of the store for all rows at once.
    private func toManyCounts(
        _ objects: [NSManagedObject], in reader: StoreReader
    ) throws -> [NSManagedObjectID: [String: Int]] {
        let names = columns.compactMap { column in
            if case .toMany(let relationship) = column { return relationship.name }
            return nil
        }
        guard !names.isEmpty, !objects.isEmpty else { return [:] }
        let request = NSFetchRequest<NSDictionary>(entityName: list.entity.displayName)
        request.resultType = .dictionaryResultType
        request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [objects.map(\.objectID)])
        let identity = NSExpressionDescription()
        identity.name = "objectID"
        identity.expression = NSExpression.expressionForEvaluatedObject()
        identity.expressionResultType = .objectIDAttributeType
        request.propertiesToFetch =
            [identity]
            + names.map { name in
                let column = NSExpressionDescription()
                column.name = "count of \(name)"
                column.expression = NSExpression(forKeyPath: "\(name).@count")
                column.expressionResultType = .integer64AttributeType
                return column
            }
        var counts: [NSManagedObjectID: [String: Int]] = [:]
        for row in try reader.context.fetch(request) {
            guard let id = row["objectID"] as? NSManagedObjectID else { continue }
            for name in names { counts[id, default: [:]][name] = (row["count of \(name)"] as? NSNumber)?.intValue }
        }
        return counts
    }
}

extension Duration {
    /// The duration as a number of milliseconds, with two digits after the point.
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return ((Double(seconds) * 1_000 + Double(attoseconds) / 1e15) * 100).rounded() / 100
    }
}
#endif
