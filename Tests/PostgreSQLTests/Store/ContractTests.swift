#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataTesting
import Testing

@testable import OpenCoreDataPostgreSQL

/// What every store must do, on a server.
@Suite(.needsServer) struct ContractTests {
    private static let contract = StoreContract(.all) {
        let schema = "c_" + UUID().uuidString.lowercased().replacing("-", with: "")
        let url = try TestServer.url(schema: schema)
        return { model in
            PostgreSQLStore.register()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil, at: url,
                options: [NSPersistentStoreConnectionPoolMaxSizeKey: 2])
            return coordinator
        }
    }

    @Test(arguments: contract.checks) func storeKeepsTheContract(_ check: StoreCheck) throws {
        try Self.contract.run(check)
    }
}
#endif
