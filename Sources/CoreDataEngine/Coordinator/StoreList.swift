/// The stores of a coordinator, with what fetches and saves ask for precomputed.
struct StoreList: Sendable {
    private(set) var stores: [NSPersistentStore] = []
    private(set) var rowStores: [any RowStore] = []
    /// The row stores that can take part in a transaction.
    private(set) var transactionalStores: [any TransactionalStore] = []
    /// By the entity's index in the model: the stores that keep its objects.
    private var byEntity: [[any RowStore]]
    /// By the entity's index: the store that gives its objects their numbers before they are saved, if it is the only
    /// one.
    private var numbering: [(any RowStore)?]

    init(entityCount: Int) {
        byEntity = Array(repeating: [], count: entityCount)
        numbering = Array(repeating: nil, count: entityCount)
    }

    func stores(for entity: EntityLayout) -> [any RowStore] {
        entity.index < byEntity.count ? byEntity[entity.index] : []
    }

    func numberingStore(for entity: EntityLayout) -> (any RowStore)? {
        entity.index < numbering.count ? numbering[entity.index] : nil
    }

    mutating func append(_ store: NSPersistentStore, keeping entities: [EntityLayout]) {
        stores.append(store)
        guard let rowStore = store as? any RowStore else { return }
        rowStores.append(rowStore)
        if let store = store as? any TransactionalStore { transactionalStores.append(store) }
        for entity in entities where entity.index < byEntity.count { byEntity[entity.index].append(rowStore) }
        findNumberingStores()
    }

    mutating func remove(_ store: NSPersistentStore) {
        stores.removeAll { $0 === store }
        rowStores.removeAll { $0 === store }
        transactionalStores.removeAll { $0 === store }
        for index in byEntity.indices { byEntity[index].removeAll { $0 === store } }
        findNumberingStores()
    }

    private mutating func findNumberingStores() {
        for index in byEntity.indices {
            let only = byEntity[index].onlyElement
            numbering[index] = only is any ObjectStore ? nil : only
        }
    }
}
