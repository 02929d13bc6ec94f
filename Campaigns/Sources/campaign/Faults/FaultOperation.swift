import Foundation
import OpenCoreData

/// An operation during which a system call fails.
struct FaultOperation: Codable, Hashable {
    enum Kind: String, Codable, CaseIterable {
        case open, save, savePicture, batchInsert, batchUpdate, batchDelete, checkpoint, tableMigration, objectMigration
        case replace, destroy

        var target: BankModel.Version {
            self == .tableMigration ? .second : self == .objectMigration ? .third : .first
        }
        var isMigration: Bool { target != .first }
    }

    var kind: Kind
    var storeType: String

    static let all: [FaultOperation] = Kind.allCases.flatMap { kind -> [FaultOperation] in
        let isForSQLiteOnly = [.batchInsert, .batchUpdate, .batchDelete, .checkpoint].contains(kind)
        let types = isForSQLiteOnly ? [NSSQLiteStoreType] : [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
        return types.map { FaultOperation(kind: kind, storeType: $0) }
    }
}
