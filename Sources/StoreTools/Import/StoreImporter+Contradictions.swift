import Foundation
import OpenCoreData

extension StoreImporter {
    /// Reads the input again and compares it with the store.
    ///
    /// - Throws: `ToolFailure` that names two objects, one of which says that they are linked and the other that they
    ///   aren't.
    func findContradictions() throws {
        try forEachPiece { piece in
            try session.perform { context in
                _ = try prefetch(piece.map(\.id), in: context)
                for (id, imported) in piece { try compare(context.object(with: id), imported) }
                context.reset()
            }
        }
    }

    private func compare(_ object: NSManagedObject, _ imported: Imported) throws {
        guard case .object(let members) = imported.object else { return }
        for member in members {
            guard let link = imported.entity.relationship(member.key), link.sides?.mayContradict == true else {
                continue
            }
            let said = Set(try destinations(of: member, link.description, imported, notes: false))
            let stored = Set(object.objectIDs(forRelationshipNamed: member.key))
            guard said != stored, let inverse = link.description.inverseRelationship else { continue }
            func side(_ name: String, _ id: NSManagedObjectID) -> String { "\(name) of \(exportedName(of: id))" }
            let own = side(member.key, object.objectID)
            if let lost = said.subtracting(stored).min(by: { $0.reference < $1.reference }) {
                throw ToolFailure(
                    "The input contradicts itself: \(own) has \(exportedName(of: lost)), but "
                        + "\(side(inverse.name, lost)) hasn't \(exportedName(of: object.objectID)).")
            }
            if let other = stored.subtracting(said).min(by: { $0.reference < $1.reference }) {
                throw ToolFailure(
                    "The input contradicts itself: \(side(inverse.name, other)) has "
                        + "\(exportedName(of: object.objectID)), but \(own) hasn't \(exportedName(of: other)).")
            }
        }
    }

    /// The name that an object has in the input. Looks through all, for a message.
    private func exportedName(of id: NSManagedObjectID) -> String {
        byExportedName.first { $0.value == id }?.key ?? "an object of \(id.entity.displayName)"
    }
}
