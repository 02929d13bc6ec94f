#if Inspector
import Foundation
import HTTPTypes
public import Hummingbird
public import OpenCoreData
public import OpenCoreDataKit
import StoreTools

/// The inspector as routes of a program's own server.
///
///     let inspector = InspectorRoutes(database)
///     inspector.addRoutes(to: router, atPath: "inspector")
///     print("http://127.0.0.1:8080/inspector/?token=\(inspector.access.token?.string ?? "")")
///
/// Safe to use from any thread. It reads with contexts of its own; nothing of the program's is touched.
public struct InspectorRoutes: Sendable {
    /// The access policy.
    public let access: InspectorAccess
    let store: InspectedStore
    let feed: ChangeFeed
    let editor: StoreEditor
    let orders: SortedOrders

    /// Creates an inspector of a database.
    ///
    /// After `erase()`, the inspector shows the new stores. It holds the database and doesn't close it.
    ///
    /// - Parameters:
    ///   - database: The database, which may be in use.
    ///   - isWritable: Whether objects can be edited. Edits are validated like the program's own.
    ///   - access: The access policy. By default, requests from this machine that carry the token in ``access``.
    public init(_ database: Database, isWritable: Bool = false, access: InspectorAccess = InspectorAccess()) {
        self.init(
            InspectedStore(
                currentCoordinator: { database.tree.coordinator }, modelOrigin: "the running program",
                isWritable: isWritable),
            access: access)
    }

    /// Creates an inspector of a container's stores.
    ///
    /// For programs without the kit. The container is never changed.
    ///
    /// - Parameters:
    ///   - container: The container, with its stores loaded.
    ///   - isWritable: Whether objects can be edited. Edits are validated like the program's own.
    ///   - access: The access policy. By default, requests from this machine that carry the token in ``access``.
    public init(
        _ container: NSPersistentContainer, isWritable: Bool = false, access: InspectorAccess = InspectorAccess()
    ) {
        self.init(coordinator: container.persistentStoreCoordinator, isWritable: isWritable, access: access)
    }

    /// Creates an inspector of a coordinator's stores.
    ///
    /// For stacks that are made by hand. The coordinator's contexts aren't used.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator, with its stores.
    ///   - isWritable: Whether objects can be edited. Edits are validated like the program's own.
    ///   - access: The access policy. By default, requests from this machine that carry the token in ``access``.
    public init(
        coordinator: NSPersistentStoreCoordinator, isWritable: Bool = false,
        access: InspectorAccess = InspectorAccess()
    ) {
        self.init(
            InspectedStore(
                currentCoordinator: { coordinator }, modelOrigin: "the running program", isWritable: isWritable),
            access: access)
    }

    init(_ store: InspectedStore, access: InspectorAccess, orders: SortedOrders? = nil) {
        self.store = store
        self.access = access
        feed = ChangeFeed(store)
        editor = StoreEditor(store)
        self.orders = orders ?? SortedOrders(store)
    }

    /// Adds the page and what it asks for to a router.
    ///
    /// Every route checks the access policy. Call it once for a path; the path may be that of a group with middleware
    /// of its own.
    ///
    /// - Parameters:
    ///   - router: The router, or a group of one.
    ///   - path: The folder of the page, such as `inspector`.
    public func addRoutes<Context: RequestContext>(
        to router: some RouterMethods<Context>, atPath path: RouterPath = ""
    ) {
        let group = router.group(path)
        group.add(middleware: AccessGuard<Context>(access: access, cookieName: cookieName))
        addPage(to: group)
        let api = group.group("api")
        addReading(to: api)
        addEditing(to: api)
    }

    /// Cookies don't know ports; the token's own beginning would reveal a part of it, so that a hash stands in the
    /// name.
    private var cookieName: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in (access.token?.string ?? "").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "inspector-\(String(hash & 0xffff, radix: 16))"
    }
}
#endif
