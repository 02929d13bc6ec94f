public import Foundation

// @unchecked Sendable because all properties are constants; the store is itself safe to use from any thread.
/// Says which object is meant, in any context and on any thread.
///
/// Two identifiers are equal when they name the same row of the same store, whichever coordinator or context they came
/// from. Immutable, so safe to share between threads.
public final class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    package let layout: EntityLayout
    /// The row's number, negative while the object was never saved.
    package let reference: Int64
    /// Who the store is; one of its own, without a store, for a temporary identifier that no store was chosen for. Keeps the
    /// model, and with it the layout's parts, alive.
    package let storeIdentity: StoreIdentity

    package convenience init(layout: EntityLayout, reference: Int64, store: NSPersistentStore?) {
        self.init(
            layout: layout, reference: reference,
            storeIdentity: store?.storeIdentity ?? StoreIdentity(identifier: "", model: layout.entity.owner))
    }

    /// Identifiers come by the million, so they hold no more than this.
    package init(layout: EntityLayout, reference: Int64, storeIdentity: StoreIdentity) {
        self.layout = layout
        self.reference = reference
        self.storeIdentity = storeIdentity
    }

    /// The store's UUID; empty for a temporary identifier.
    package var storeIdentifier: String { isTemporaryID ? "" : storeIdentity.identifier }

    private var store: NSPersistentStore? { storeIdentity.store }

    /// The entity of the object.
    public var entity: NSEntityDescription { layout.entity }

    /// Whether the object was never saved, nor given a permanent identifier.
    public var isTemporaryID: Bool { reference < 0 }

    /// The store that keeps the object; `nil` for a temporary identifier or when the store is gone.
    public var persistentStore: NSPersistentStore? { isTemporaryID ? nil : store }

    /// The identifier as a URI: `x-coredata://<store UUID>/<entity>/p<number>`, `x-coredata:///<entity>/t<UUID>` when
    /// temporary.
    ///
    /// Keep the URI, for example in a file, to find the object again with
    /// ``NSPersistentStoreCoordinator/managedObjectID(forURIRepresentation:)``. That of a temporary ID is of use only
    /// in this process.
    public func uriRepresentation() -> URL {
        let name = layout.name.addingPercentEncoding(withAllowedCharacters: Self.allowedInName) ?? ""
        let string =
            isTemporaryID
            ? "x-coredata:///\(name)/t\(TemporaryReference.uuidString(of: reference))"
            : "x-coredata://\(storeIdentifier)/\(name)/\(lastPathComponent)"
        return URL(string: string) ?? URL(fileURLWithPath: "/")
    }

    /// A slash would end the name.
    private static let allowedInName = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/"))

    private var lastPathComponent: String {
        if let naming = store as? any ReferenceNaming, let component = naming.uriComponent(for: self) {
            return component
        }
        return "p\(reference)"
    }

    /// An identifier is its own copy.
    ///
    /// IDs are immutable, so both can be used on any thread.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    override public var hash: Int {
        var hasher = Hasher()
        hasher.combine(reference)
        return hasher.finalize()
    }

    override public func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        if other === self { return true }
        guard reference == other.reference else { return false }
        if storeIdentity === other.storeIdentity, layout.model === other.layout.model {
            return layout.root === other.layout.root
        }
        return layout.root.name == other.layout.root.name && storeIdentifier == other.storeIdentifier
    }

    override public var description: String {
        "\(uriRepresentation().absoluteString)"
    }
}

/// A store whose references are the application's own objects and not numbers.
package protocol ReferenceNaming: NSPersistentStore {
    /// The last part of the object's URI, with its leading letter.
    func uriComponent(for id: NSManagedObjectID) -> String?
    /// The number for the last part of a URI.
    func reference(forURIComponent component: String, entity: EntityLayout) -> Int64?
}
