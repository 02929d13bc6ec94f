#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// Keeps the orders of the lists that were shown last, each as long as the store's file doesn't change.
actor SortedOrders {
    /// A page that took longer shows that the store has no index for the list.
    static let slowPage = Duration.milliseconds(100)
    /// Lists of tables with so many rows are sorted after their first page, unless an index has the order.
    static let largeTable: Int64 = 200_000
    private static let kept = 2

    private struct Entry {
        let list: [String?]
        let version: FileFingerprint
        let order: Task<SortedOrder?, Never>
        var isFinished = false
    }

    private let store: InspectedStore
    private let slowPage: Duration
    private let largeTable: Int64
    private var entries: [Entry] = []

    init(_ store: InspectedStore, slowPage: Duration = slowPage, largeTable: Int64 = largeTable) {
        self.store = store
        self.slowPage = slowPage
        self.largeTable = largeTable
    }

    /// Makes the order of a list ready after a page of it that was found without: one far down that took long, or one of a
    /// large table that no index sorts.
    func consider(_ arguments: RequestArguments, after page: PageRequest, took time: Duration) async {
        guard entry(for: arguments) == nil else { return }
        if page.offset >= ObjectList.longSkip {
            if time > slowPage { prepare(arguments) }
            return
        }
        guard arguments["sort"] != nil, version != nil else { return }
        let isLarge = try? await store.read { [largeTable] reader in
            guard reader.store.type == NSSQLiteStoreType else { return false }
            return try ObjectList(arguments, in: reader).isSorted(withoutIndexOver: largeTable, in: reader)
        }
        if isLarge == true { prepare(arguments) }
    }

    /// The order of a list as the store is now; nil where none is ready.
    func order(of arguments: RequestArguments) async -> SortedOrder? {
        guard let entry = entry(for: arguments), entry.isFinished else { return nil }
        return await entry.order.value
    }

    /// Begins to sort a list, unless that is being done.
    func prepare(_ arguments: RequestArguments) {
        guard entry(for: arguments) == nil, let version, entries.filter({ !$0.isFinished }).count < Self.kept else {
            return
        }
        let order = Task { [store] in
            try? await store.read { reader in
                try reader.store.type == NSSQLiteStoreType
                    ? SortedOrder(ObjectList(arguments, in: reader), in: reader) : nil
            }
        }
        entries = entries.suffix(Self.kept - 1)
        entries.append(Entry(list: Self.list(arguments), version: version, order: order))
        Task {
            _ = await order.value
            finish(order)
        }
    }

    private func finish(_ order: Task<SortedOrder?, Never>) {
        guard let index = entries.firstIndex(where: { $0.order == order }) else { return }
        entries[index].isFinished = true
    }

    /// The version of the store; nil for one that isn't a file.
    private var version: FileFingerprint? {
        (try? store.databaseURL()).flatMap { $0 }.map { FileFingerprint(storeAt: $0) }
    }

    private func entry(for arguments: RequestArguments) -> Entry? {
        let version = self.version
        entries.removeAll { $0.version != version }
        let list = Self.list(arguments)
        return entries.first { $0.list == list }
    }

    /// What decides on the objects of a list and their order.
    private static func list(_ arguments: RequestArguments) -> [String?] {
        ["entity", "where", "sort", "of", "via"].map { arguments[$0] }
    }
}
#endif
