import OpenCoreData
import OpenCoreDataTesting
import TestSupport
import Testing

/// The contract on every store: those of the engine, and two that an application could have written.
@Suite struct StoreContractTests {
    /// A contract whose locations are files of a type.
    private static func contract(
        _ type: String, _ features: StoreContract.Features = .all, register: @escaping @Sendable () -> Void = {}
    ) -> StoreContract {
        StoreContract(features) {
            register()
            let folder = try TemporaryFolder()
            return { model in
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                try coordinator.addPersistentStore(
                    ofType: type, configurationName: nil, at: folder.file("Contract.\(type)"))
                return coordinator
            }
        }
    }

    static let sqlite = contract(NSSQLiteStoreType)
    static let memory = contract(NSInMemoryStoreType, [.locking, .uniqueness, .aggregates, .checkedKeys])
    static let binary = contract(NSBinaryStoreType)
    static let xml = contract(NSXMLStoreType)
    static let atomic = contract(ArchiveStore.storeType) { ArchiveStore.register() }
    static let incremental = contract(RecordStore.storeType, [.reopening, .locking]) { RecordStore.register() }

    @Test(arguments: sqlite.checks) func sqliteStores(_ check: StoreCheck) throws { try Self.sqlite.run(check) }

    @Test(arguments: memory.checks) func inMemoryStores(_ check: StoreCheck) throws { try Self.memory.run(check) }

    @Test(arguments: binary.checks) func binaryStores(_ check: StoreCheck) throws { try Self.binary.run(check) }

    @Test(arguments: xml.checks) func xmlStores(_ check: StoreCheck) throws { try Self.xml.run(check) }

    @Test(arguments: atomic.checks) func anApplicationsAtomicStore(_ check: StoreCheck) throws {
        try Self.atomic.run(check)
    }

    @Test(arguments: incremental.checks) func anApplicationsIncrementalStore(_ check: StoreCheck) throws {
        try Self.incremental.run(check)
    }

    @Test func aStoreThatFailsIsFoundOut() {
        let broken = StoreContract { { _ in throw CocoaError(.fileReadNoSuchFile) } }
        #expect(broken.failures().count == StoreCheck.all.count)
    }
}
