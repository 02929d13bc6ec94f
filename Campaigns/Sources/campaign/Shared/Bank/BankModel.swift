import Foundation
import OpenCoreData
import TestSupport

/// The model of the campaigns about files and processes: accounts whose balances sum up to nothing.
///
/// A transfer changes two accounts, appends an entry to the ordered entries of each, sometimes a large picture, and the
/// one ledger: a store that has half of a transfer is found out by any of them.
enum BankModel {
    /// The versions of the model. The second is reached by changing tables, the third by creating all objects again.
    enum Version: Int, Codable, CaseIterable {
        case first = 1
        case second
        case third
    }

    static func make(_ version: Version = .first) -> NSManagedObjectModel {
        let (ledger, account, savings) = (entity("Ledger"), entity("Account"), entity("Savings"))
        let (entry, group) = (entity("Entry"), entity("Group"))
        ledger.properties = [LibraryModel.attribute("transfers", .integer64AttributeType, default: 0)]
        let picture = LibraryModel.attribute("picture", .binaryDataAttributeType)
        picture.allowsExternalBinaryDataStorage = true
        account.properties = [
            LibraryModel.attribute("name", .stringAttributeType, optional: false, default: ""),
            LibraryModel.attribute("balance", .integer64AttributeType, default: 0), picture,
            LibraryModel.attribute("pictured", .integer64AttributeType, default: 0),
            LibraryModel.relationship("entries", to: entry, toMany: true, ordered: true, rule: .cascadeDeleteRule),
            LibraryModel.relationship("groups", to: group, toMany: true, rule: .nullifyDeleteRule),
        ]
        entry.managedObjectClassName = NSStringFromClass(BankEntry.self)
        account.uniquenessConstraints = [["name"]]
        savings.properties = [LibraryModel.attribute("rate", .doubleAttributeType, default: 0.5)]
        account.subentities = [savings]
        entry.properties = [
            LibraryModel.attribute("number", .integer64AttributeType, default: 0),
            LibraryModel.attribute("amount", .integer64AttributeType, default: 0),
            LibraryModel.attribute("memo", .stringAttributeType), LibraryModel.attribute("date", .dateAttributeType),
            LibraryModel.attribute("fee", .decimalAttributeType), LibraryModel.attribute("key", .UUIDAttributeType),
            LibraryModel.attribute("link", .URIAttributeType),
            LibraryModel.attribute("small", .integer16AttributeType),
            LibraryModel.attribute("real", .floatAttributeType),
            LibraryModel.attribute("flag", .booleanAttributeType),
            LibraryModel.attribute("extra", .transformableAttributeType),
            LibraryModel.relationship("account", to: account, rule: .nullifyDeleteRule),
        ]
        group.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.relationship("accounts", to: account, toMany: true, rule: .nullifyDeleteRule),
        ]
        LibraryModel.pair(account, "entries", entry, "account")
        LibraryModel.pair(account, "groups", group, "accounts")
        let index = NSFetchIndexDescription(name: "byNumber", elements: [])
        if let number = entry.attributesByName["number"] {
            index.elements = [NSFetchIndexElementDescription(property: number, collationType: .binary)]
            entry.indexes = [index]
        }
        change(version, account, entry)
        let model = NSManagedObjectModel()
        model.entities = [ledger, account, savings, entry, group]
        return model
    }

    private static func change(_ version: Version, _ account: NSEntityDescription, _ entry: NSEntityDescription) {
        guard version != .first else { return }
        entry.properties.append(LibraryModel.attribute("currency", .stringAttributeType, default: "EUR"))
        guard version == .third else { return }
        entry.attributesByName["memo"]?.renamingIdentifier = "memo"
        entry.attributesByName["memo"]?.name = "remark"
        entry.properties.removeAll { $0.name == "small" }
        account.properties.append(LibraryModel.attribute("closed", .booleanAttributeType, default: false))
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }
}
