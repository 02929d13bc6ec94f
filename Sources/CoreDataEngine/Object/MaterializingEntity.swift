import Foundation

/// Carries a row through `init(entity:insertInto:)`, the one initialiser that every subclass has.
///
/// A context sets the row and passes this object as the entity; the root initialiser takes the row out. An initialiser
/// that a subclass overrides sees an entity with the right name.
// @unchecked Sendable because it never leaves the context, or the key path probe, that made it.
final class MaterializingEntity: NSEntityDescription, @unchecked Sendable {
    final var rowLayout: EntityLayout?
    final var table: RegistryTable?
    final var reference: Int64 = 0
    final var slab: RowSlab?
    final var row = 0

    struct Row {
        let layout: EntityLayout
        let table: RegistryTable?
        let reference: Int64
        let slab: RowSlab?
        let row: Int
    }

    @inline(__always)
    static func taking(_ entity: NSEntityDescription) -> Row? {
        guard type(of: entity) == MaterializingEntity.self else { return nil }
        let carrier = unsafeDowncast(entity, to: MaterializingEntity.self)
        guard let layout = carrier.rowLayout else { return nil }
        return Row(
            layout: layout, table: carrier.table, reference: carrier.reference, slab: carrier.slab, row: carrier.row)
    }

    /// Makes the object for a row.
    func object(type: NSManagedObject.Type, layout: EntityLayout, table: RegistryTable?, reference: Int64, slab: RowSlab?, row: Int)
        -> NSManagedObject
    {
        rowLayout = layout
        self.table = table
        self.reference = reference
        self.slab = slab
        self.row = row
        return type.init(entity: self, insertInto: nil)
    }
}
