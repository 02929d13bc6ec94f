import Dispatch
import OpenCoreDataKit

/// Core Data's container, whose stores are opened as the kit opens them: with the kit's errors, and without emptying a file
/// that has nothing in common with the model.
// @unchecked Sendable as the class above: nothing is added.
package final class KitContainer: NSPersistentContainer, @unchecked Sendable {
    package override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            guard description.shouldAddStoreAsynchronously else {
                block(description, errorOfOpening(description))
                continue
            }
            let (description, completion) = (SendableBox(description), SendableBox(block))
            DispatchQueue.global(qos: .userInitiated).async {
                completion.value(description.value, self.errorOfOpening(description.value))
            }
        }
    }

    private func errorOfOpening(_ description: NSPersistentStoreDescription) -> (any Error)? {
        do {
            try StoreOpening.add(
                NSPersistentStore.StoreType(rawValue: description.type), configuration: description.configuration,
                at: description.url, options: description.options, ifIncompatible: .fail,
                to: persistentStoreCoordinator)
            return nil
        } catch {
            return error
        }
    }
}
