/// The engine's own stores.
enum BuiltInStores {
    /// Their classes by type.
    static var classes: [String: NSPersistentStore.Type] {
        [
            NSBinaryStoreType: BinaryStore.self, NSInMemoryStoreType: InMemoryStore.self,
            NSSQLiteStoreType: SQLiteStore.self, NSXMLStoreType: XMLStore.self,
        ]
    }
}
