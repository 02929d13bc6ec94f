import Foundation
import OpenCoreData
import OpenCoreDataKit

/// The files of a database, opened by the engine alone. It belongs to one thread.
final class PlainStack {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(_ configuration: Database.Configuration, _ files: [URL]) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: GoodsModel.make())
        for (store, file) in zip(configuration.stores, files) {
            var options: [AnyHashable: Any] = [:]
            if store.watched {
                options[NSPersistentHistoryTrackingKey] = true
                options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = true
            }
            try coordinator.addPersistentStore(
                ofType: store.type.rawValue, configurationName: store.configuration, at: file, options: options)
        }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    func close() {
        context.performAndWait { context.reset() }
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }
}
