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
    /// A store that is being written isn't sorted: the order would be void before it is used.
    static let quietTime = Duration.seconds(2)

    private struct Entry {
        let list: [String?]
        let version: FileFingerprint
        let order: Task<SortedOrder?, Never>
        var isFinished = false
    }

    private let store: InspectedStore
    private let slowPage: Duration
    private let largeTable: Int64
    private let quietTime: Duration
    private var entries: [Entry] = []
    /// The list that is being sorted; one at a time, as it takes a connection and a core.
    private var sorting: Task<SortedOrder?, Never>?
    /// The list that is going to be sorted when the store has been quiet for a while.
    private var waiting: Task<Void, Never>?

    init(
        _ store: InspectedStore, slowPage: Duration = slowPage, largeTable: Int64 = largeTable,
        quietTime: Duration = quietTime
    ) {
        self.store = store
        self.slowPage = slowPage
        self.largeTable = largeTable
        self.quietTime = quietTime
    }

    /// Makes the order of a list ready after a page of it that was found without: one far down that took long, or one of a
    /// large table that no index sorts.
    func consider(_ arguments: RequestArguments, after page: PageRequest, took time: Duration) async {
        guard entry(for: arguments) == nil else { return }
        if page.offset >= ObjectList.longSkip {
            if time > slowPage { prepare(arguments) }
            return
        }
        guard arguments["sort"] != nil, let version else { return }
        let isLarge = try? await store.read { [largeTable] reader in
            guard reader.store.type == NSSQLiteStoreType else { return false }
            return try ObjectList(arguments, in: reader).isSorted(withoutIndexOver: largeTable, in: reader)
        }
        if isLarge == true { prepareLater(arguments, version) }
    }

    private func prepareLater(_ arguments: RequestArguments, _ version: FileFingerprint) {
        waiting?.cancel()
        waiting = Task { [quietTime] in
            try? await Task.sleep(for: quietTime)
            if !Task.isCancelled, self.version == version { prepare(arguments) }
        }
    }

    /// The order of a list as the store is now; nil where none is ready.
    func order(of arguments: RequestArguments) async -> SortedOrder? {
        guard let entry = entry(for: arguments), entry.isFinished else { return nil }
        return await entry.order.value
    }

    /// Begins to sort a list, unless that is being done.
    func prepare(_ arguments: RequestArguments) {
        guard entry(for: arguments) == nil, let version, sorting == nil else { return }
        let order = Task { [store] in
            try? await store.read { reader in
                try reader.store.type == NSSQLiteStoreType
                    ? SortedOrder(ObjectList(arguments, in: reader), in: reader) : nil
            }
        }
        sorting = order
        entries = entries.suffix(Self.kept - 1)
        entries.append(Entry(list: Self.list(arguments), version: version, order: order))
        Task {
            _ = await order.value
            finish(order)
        }
    }

    private func finish(_ order: Task<SortedOrder?, Never>) {
        sorting = nil
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
