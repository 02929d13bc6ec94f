import BNRCoreDataStack

@MainActor func borrow(_ titles: [String], _ model: NSManagedObjectModel, _ file: URL) async throws -> [String] {
    let stack = try await CoreDataStack.constructSQLiteStack(model: model, at: file)

    let worker = stack.newBackgroundWorkerMOC()
    try await worker.perform {
        for title in titles {
            let volume = Volume(managedObjectContext: worker)
            volume.title = title
        }
        // The main context has the volumes when this returns; main context and store are saved afterwards, by themselves.
        try worker.saveContextAndWait()
    }

    let order = [NSSortDescriptor(key: "title", ascending: true)]
    let volumes = try Volume.allInContext(stack.mainQueueContext, sortDescriptors: order)
    try stack.mainQueueContext.saveContextToStoreAndWait()
    return volumes.map(\.title)
}
