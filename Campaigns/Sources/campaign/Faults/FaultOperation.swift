import Foundation
import OpenCoreData

/// An operation during which a system call fails.
struct FaultOperation: Codable, Hashable {
    enum Kind: String, Codable, CaseIterable {
        case open, fetch, save, savePicture, batchInsert, batchUpdate, batchDelete, checkpoint
        case tableMigration, objectMigration
        /// As an application migrates: by the options of a store that it opens.
        case automaticMigration
        case replace, destroy
        /// An import of the kit, of several saves.
        case kitImport
        /// Saves until a small disk is full; the call's number says how small.
        case fullDisk

        var target: BankModel.Version {
            switch self {
            case .tableMigration: .second
            case .objectMigration, .automaticMigration: .third
            default: .first
            }
        }
        var isMigration: Bool { target != .first }
    }

    /// How many sizes of a small disk there are.
    static let diskSizes = 24

    var kind: Kind
    var storeType: String

    static let all: [FaultOperation] = Kind.allCases.flatMap { kind -> [FaultOperation] in
        // Other types keep no copy of their model.
        let isForSQLiteOnly = [.batchInsert, .batchUpdate, .batchDelete, .checkpoint, .automaticMigration]
            .contains(kind)
        let types =
            isForSQLiteOnly
            ? [NSSQLiteStoreType]
            : kind == .kitImport
                ? [NSSQLiteStoreType, NSBinaryStoreType] : [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
        return types.map { FaultOperation(kind: kind, storeType: $0) }
    }
}
