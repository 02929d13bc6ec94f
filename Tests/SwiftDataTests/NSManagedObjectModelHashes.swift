import CoreDataEngine
import Foundation
import SwiftData

/// The version hashes of a schema's entities.
enum NSManagedObjectModelHashes {
    static func of(_ schema: Schema) -> [String: Data]? {
        NSManagedObjectModel.makeManagedObjectModel(for: schema)?.entityVersionHashesByName
    }
}
