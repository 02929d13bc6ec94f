import Foundation

/// Carries a row through `init(entity:insertInto:)`, the one initializer that every object goes through.
///
/// A context sets the row and passes this object as the entity; the root initializer takes the row out. An initializer
/// that a subclass overrides may call whatever it likes, other rows' objects included: those are made with another of
/// these, see `Materializers`.
// @unchecked Sendable because it never leaves the context, or the key path probe, that made it.
final class MaterializingEntity: NSEntityDescription, @unchecked Sendable {
    @exclusivity(unchecked) final var rowLayout: EntityLayout?
    @exclusivity(unchecked) final var table: RegistryTable?
    @exclusivity(unchecked) final var reference: Int64 = 0
    @exclusivity(unchecked) final var slab: RowSlab?
    @exclusivity(unchecked) final var row = 0
    /// The state that an object of a row begins with.
    final let firstState: ObjectState = ConcurrencyDebug.stops ? [.fault, .confined] : .fault
    @exclusivity(unchecked) final var rowValues: RowPointer?
    /// The object whose initializer runs, or ran last. It is alive as long as the carrier is in use.
    @exclusivity(unchecked) final var latest: Unmanaged<NSManagedObject>?
    /// The rows whose objects are being made, when they are made many at a time.
    @exclusivity(unchecked) final var rows: RowsInMaking?
    /// Whether an initializer looked other objects up, which had the objects of `rows` registered that there were.
    @exclusivity(unchecked) final var wasInterrupted = false

    @inline(__always)
    static func carrier(_ entity: NSEntityDescription) -> MaterializingEntity? {
        guard type(of: entity) == MaterializingEntity.self else { return nil }
        return unsafeDowncast(entity, to: MaterializingEntity.self)
    }

    /// Makes the object for a row.
    func object(
        type: NSManagedObject.Type, layout: EntityLayout, table: RegistryTable?, reference: Int64, slab: RowSlab?,
        row: Int
    )
        -> NSManagedObject
    {
        // Of many objects in a row most are of one entity and slab, and counting references is what costs.
        if rowLayout !== layout { rowLayout = layout }
        if self.table !== table { self.table = table }
        self.reference = reference
        if self.slab !== slab { self.slab = slab }
        self.row = row
        rowValues = slab?.values(row)
        return type.init(entity: self, insertInto: nil, _AnyManagedObjectClass())
    }

    /// Releases the slab of the last object.
    func letGo() {
        slab = nil
        rowValues = nil
        latest = nil
        rows = nil
    }
}
