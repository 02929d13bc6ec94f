#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// Counts of a list's objects by a value that the store computes.
struct GroupedCounts {
    let list: ObjectList
    let reader: StoreReader

    private static let key = "inspected value"
    private static let count = "inspected count"

    /// The smallest and largest value of a key path, and how many objects have one.
    func range(of keyPath: String, type: NSAttributeType) throws -> (least: Any, most: Any, count: Int)? {
        let request = self.request()
        request.propertiesToFetch = [
            column("least", function: "min:", keyPath: keyPath, type),
            column("most", function: "max:", keyPath: keyPath, type),
            column("number", function: "count:", keyPath: keyPath, .integer64AttributeType),
        ]
        guard let row = try reader.context.fetch(request).first, let least = row["least"], let most = row["most"],
            let count = (row["number"] as? NSNumber)?.intValue, count > 0, !(least is NSNull), !(most is NSNull)
        else { return nil }
        return (least, most, count)
    }

    /// How many objects have each value of an expression; the nil value among them.
    func counts(of expression: NSExpression, type: NSAttributeType, largest limit: Int? = nil) throws -> [(
        value: Any?, count: Int
    )] {
        let request = self.request()
        let value = NSExpressionDescription()
        value.name = Self.key
        value.expression = expression
        value.expressionResultType = type
        let number = column(
            Self.count, function: "count:", argument: NSExpression.expressionForEvaluatedObject(),
            .integer64AttributeType)
        request.propertiesToFetch = [value, number]
        request.propertiesToGroupBy = [value]
        if let limit {
            request.sortDescriptors = [
                NSSortDescriptor(key: Self.count, ascending: false),
                NSSortDescriptor(key: Self.key, ascending: true),
            ]
            request.fetchLimit = limit
        }
        return try reader.context.fetch(request).map { row in
            let value = row[Self.key]
            return (value is NSNull ? nil : value, (row[Self.count] as? NSNumber)?.intValue ?? 0)
        }
    }

    private func request() -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: list.entity.displayName)
        request.resultType = .dictionaryResultType
        request.predicate = list.predicate
        return request
    }

    private func column(
        _ name: String, function: String, keyPath: String, _ type: NSAttributeType
    ) -> NSExpressionDescription {
        column(name, function: function, argument: NSExpression(forKeyPath: keyPath), type)
    }

    private func column(
        _ name: String, function: String, argument: NSExpression, _ type: NSAttributeType
    ) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(forFunction: function, arguments: [argument])
        description.expressionResultType = type
        return description
    }
}
#endif
