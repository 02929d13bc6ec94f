/// The stores of a coordinator, with what fetches and saves ask for precomputed.
struct StoreList: Sendable {
    private(set) var stores: [NSPersistentStore] = []
    private(set) var rowStores: [any RowStore] = []
    /// By the entity's index in the model: the stores that keep its objects.
    private var byEntity: [[any RowStore]]

    init(entityCount: Int) {
        byEntity = Array(repeating: [], count: entityCount)
    }

    func stores(for entity: EntityLayout) -> [any RowStore] {
        entity.index < byEntity.count ? byEntity[entity.index] : []
    }

    mutating func append(_ store: NSPersistentStore, keeping entities: [EntityLayout]) {
        stores.append(store)
        guard let rowStore = store as? any RowStore else { return }
        rowStores.append(rowStore)
        for entity in entities where entity.index < byEntity.count { byEntity[entity.index].append(rowStore) }
    }

    mutating func remove(_ store: NSPersistentStore) {
        stores.removeAll { $0 === store }
        rowStores.removeAll { $0 === store }
        for index in byEntity.indices { byEntity[index].removeAll { $0 === store } }
    }
}
