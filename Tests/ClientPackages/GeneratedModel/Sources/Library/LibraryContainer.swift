public import Foundation
public import OpenCoreData

/// Opens the library on disk.
public func libraryContainer(at file: URL) throws -> NSPersistentContainer {
    guard let url = Bundle.module.url(forResource: "Library", withExtension: "xcdatamodeld"),
        let model = NSManagedObjectModel(contentsOf: url)
    else { throw CocoaError(.fileReadNoSuchFile) }
    let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
}
