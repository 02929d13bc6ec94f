import Foundation

/// The model that fetch requests of the history are written against.
///
/// Its entities have no objects. They name what predicates and sort descriptors may use, and let the same translator
/// that serves objects turn these into SQL.
// @unchecked Sendable because the model is frozen before anybody gets it.
package final class HistoryModel: @unchecked Sendable {
    package static let shared = HistoryModel()

    package let model = NSManagedObjectModel()
    package let transaction = NSEntityDescription()
    package let change = NSEntityDescription()

    /// Keys that predicates use and that are more than a column.
    package enum Key {
        package static let token = "token"
        package static let changedEntity = "changedEntity"
        package static let changedObjectID = "changedObjectID"
        package static let changeType = "changeType"
    }

    private init() {
        transaction.name = "Transaction"
        change.name = "Change"
        let changes = Self.relationship("changes", to: change, isToMany: true)
        let owner = Self.relationship("transaction", to: transaction, isToMany: false)
        changes.inverseRelationship = owner
        owner.inverseRelationship = changes
        transaction.properties =
            ["author", "bundleID", "contextName", "processID"].map { Self.attribute($0, .stringAttributeType) } + [
                Self.attribute("timestamp", .dateAttributeType), Self.attribute(Key.token, .integer64AttributeType),
                Self.attribute("transactionNumber", .integer64AttributeType), changes,
            ]
        change.properties = [
            Self.attribute("changeID", .integer64AttributeType),
            Self.attribute(Key.changeType, .integer64AttributeType),
            Self.attribute(Key.changedEntity, .integer64AttributeType),
            Self.attribute(Key.changedObjectID, .integer64AttributeType), owner,
        ]
        model.entities = [transaction, change]
        _ = ModelLayout.layout(of: model)
    }

    package static func request(for entity: NSEntityDescription) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity
        return request
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func relationship(
        _ name: String, to destination: NSEntityDescription, isToMany: Bool
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = isToMany ? 0 : 1
        relationship.isOptional = true
        return relationship
    }
}
