import CampaignCore
import Foundation
import OpenCoreData

/// How a store is damaged.
enum StoreDamage: String, Codable, CaseIterable {
    /// Bytes of the database.
    case pages
    /// Rows of the tables that the engine keeps for itself.
    case service
    /// Values of another type, or out of range, in rows of objects.
    case types
    /// The copy of the model in the store.
    case modelCopy
    /// Bytes of the write-ahead log.
    case log
    case xml
    case binary
    /// Files with large values, and their names.
    case external
    /// Links, pipes and folders in the place of the store's file and of those beside it.
    case links
    /// No damage: everything must work.
    case none

    var storeType: String {
        switch self {
        case .xml: NSXMLStoreType
        case .binary: NSBinaryStoreType
        default: NSSQLiteStoreType
        }
    }

    /// Whether the damage is done by statements.
    var isDoneBySQL: Bool { self == .service || self == .types || self == .modelCopy || self == .external }
}
