import BNRCoreDataStack
import TestSupport
import Testing

/// Results that tell what becomes of them.
@MainActor struct FetchedResultsControllerTests {
    /// Notes what it is told, in order.
    private final class Witness: FetchedResultsControllerDelegate {
        var told: [String] = []
        var objects: [FetchedResultsObjectChange<Volume>] = []
        var sections: [FetchedResultsSectionChange<Volume>] = []

        func fetchedResultsControllerDidPerformFetch(_ controller: FetchedResultsController<Volume>) {
            told.append("fetched")
        }
        func fetchedResultsControllerWillChangeContent(_ controller: FetchedResultsController<Volume>) {
            told.append("will")
        }
        func fetchedResultsControllerDidChangeContent(_ controller: FetchedResultsController<Volume>) {
            told.append("did")
        }
        func fetchedResultsController(
            _ controller: FetchedResultsController<Volume>, didChangeObject change: FetchedResultsObjectChange<Volume>
        ) {
            objects.append(change)
            switch change {
            case .insert(let volume, let path): told.append("insert \(volume.title) \(path.section).\(path.row)")
            case .delete(_, let path): told.append("delete \(path.section).\(path.row)")
            case .move(let volume, let from, let to):
                told.append("move \(volume.title) \(from.section).\(from.row) \(to.section).\(to.row)")
            case .update(let volume, let path): told.append("update \(volume.title) \(path.section).\(path.row)")
            }
        }
        func fetchedResultsController(
            _ controller: FetchedResultsController<Volume>,
            didChangeSection change: FetchedResultsSectionChange<Volume>
        ) {
            sections.append(change)
            switch change {
            case .insert(let info, let index): told.append("insert \(info.name) \(index)")
            case .delete(let info, let index): told.append("delete \(info.name) \(index)")
            }
        }
    }

    private struct Shelf {
        let stack: CoreDataStack
        let folder: TemporaryFolder
        let controller: FetchedResultsController<Volume>
        let witness = Witness()
        var context: NSManagedObjectContext { stack.mainQueueContext }

        @MainActor func make(_ title: String) -> Volume {
            let volume = Volume(managedObjectContext: context)
            volume.title = title
            return volume
        }

        @MainActor func volume(_ title: String) throws -> Volume {
            try #require(
                try Volume.findFirstInContext(context, predicate: NSPredicate(format: "title == %@", title)))
        }

        /// What was told since.
        @MainActor func told(_ change: () throws -> Void) rethrows -> [String] {
            witness.told = []
            try change()
            context.processPendingChanges()
            return witness.told
        }
    }

    /// 100 volumes in a store, fetched by a controller with sections and a delegate.
    private func shelf(_ kind: StoreKind, cacheName: String? = nil) async throws -> Shelf {
        let folder = try TemporaryFolder()
        let stack =
            switch kind {
            case .sqlite:
                try await CoreDataStack.constructSQLiteStack(
                    model: VolumeModel.make(), at: folder.file("Volumes.sqlite"))
            case .memory: try CoreDataStack.constructInMemoryStack(model: VolumeModel.make())
            }
        let context = stack.mainQueueContext
        for title in VolumeModel.titles.shuffled() { Volume(managedObjectContext: context).title = title }
        try context.saveContextToStoreAndWait()
        let request = Volume.fetchRequestForEntity(inContext: context)
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let controller = FetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial", cacheName: cacheName)
        let shelf = Shelf(stack: stack, folder: folder, controller: controller)
        controller.setDelegate(shelf.witness)
        #expect(controller.fetchedObjects == nil && controller.sections == nil && controller.count == 0)
        #expect(controller.first == nil && controller.sectionCount == 0)
        try controller.performFetch()
        return shelf
    }

    // Feature BNR-18
    @Test(arguments: StoreKind.allCases) func theResultsAreInSections(_ kind: StoreKind) async throws {
        let shelf = try await shelf(kind)
        let controller = shelf.controller
        #expect(shelf.witness.told == ["fetched"])
        #expect(controller.count == 100 && controller.fetchedObjects?.count == 100)
        #expect(controller.first?.title == "1984")
        let sections = try #require(controller.sections)
        #expect(sections.count == 19 && controller.sectionCount == 19)
        #expect(sections.map(\.name) == ["1"] + "ABCDEFGHIJLMNOPSTW".map { String($0) })
        #expect(sections.map(\.indexTitle) == sections.map(\.name))
        #expect(sections.map(\.objects.count).reduce(0, +) == 100)
        #expect(sections[1].objects.map(\.title) == VolumeModel.titles.filter { $0.hasPrefix("A") }.sorted())
        let path = IndexPath(row: 1, section: 2)
        #expect(controller[path] === sections[2].objects[1])
        #expect(controller.indexPathForObject(controller[path]) == path)
        #expect(controller.indexPathForObject(Volume(managedObjectContext: shelf.context)) == nil)
        #expect(controller.sectionNameKeyPath == "initial" && controller.cacheName == nil)
        #expect(controller.managedObjectContext === shelf.context && controller.fetchRequest.entityName == "Volume")
    }

    // Feature BNR-18
    @Test(arguments: StoreKind.allCases) func objectsThatComeAndGoAreTold(_ kind: StoreKind) async throws {
        let shelf = try await shelf(kind)
        let new = shelf.make("Az Story")
        #expect(shelf.told {} == ["will", "insert Az Story 1.6", "did"])
        let last = try #require(shelf.witness.objects.last)
        guard case .insert(let object, _) = last else {
            Issue.record("\(last)")
            return
        }
        #expect(object === new)
        #expect(shelf.told { shelf.context.delete(new) } == ["will", "delete 1.6", "did"])
    }

    // Feature BNR-18
    @Test(arguments: StoreKind.allCases) func anObjectThatMovesIsTold(_ kind: StoreKind) async throws {
        let shelf = try await shelf(kind)
        let volume = try shelf.volume("Aa Story")
        #expect(shelf.told { volume.title = "Bz Story" } == ["will", "move Bz Story 1.0 2.5", "did"])
        // One that changes where it stands is updated.
        #expect(shelf.told { volume.title = "Bzz Story" } == ["will", "update Bzz Story 2.5", "did"])
    }

    // Feature BNR-18
    @Test(arguments: StoreKind.allCases) func aRelationshipThatChangesIsAnUpdate(_ kind: StoreKind) async throws {
        let shelf = try await shelf(kind)
        let volume = try shelf.volume("1984")
        let writer = Writer(managedObjectContext: shelf.context)
        writer.name = "Orwell"
        #expect(shelf.told { volume.writer = writer } == ["will", "update 1984 0.0", "did"])
    }

    // Feature BNR-18
    @Test(arguments: StoreKind.allCases) func sectionsThatComeAndGoAreTold(_ kind: StoreKind) async throws {
        let shelf = try await shelf(kind)
        let new = shelf.make("#1 Story")
        #expect(shelf.told {} == ["will", "insert # 0", "insert #1 Story 0.0", "did"])
        #expect(shelf.controller.sectionCount == 20 && shelf.controller.first === new)
        #expect(shelf.told { shelf.context.delete(new) } == ["will", "delete 0.0", "delete # 0", "did"])
        #expect(shelf.controller.sectionCount == 19)
        guard case .insert(let info, 0)? = shelf.witness.sections.first else {
            Issue.record("\(shelf.witness.sections)")
            return
        }
        #expect(info.name == "#")
    }

    // Feature BNR-18
    @Test func aWorkersSaveIsToldOnce() async throws {
        let shelf = try await shelf(.sqlite)
        let worker = shelf.stack.newBackgroundWorkerMOC()
        shelf.witness.told = []
        try await worker.perform {
            for title in ["Xa Story", "Xb Story"] { Volume(managedObjectContext: worker).title = title }
            try worker.save()
        }
        #expect(shelf.witness.told.filter { $0 == "will" || $0 == "did" } == ["will", "did"])
        #expect(shelf.witness.told.contains("insert X 19") && shelf.controller.count == 102)
    }

    // Feature BNR-18
    @Test func aFailedFetchIsToldToo() async throws {
        let shelf = try await shelf(.memory)
        shelf.witness.told = []
        shelf.controller.fetchRequest.sortDescriptors = nil
        #expect(throws: (any Error).self) { try shelf.controller.performFetch() }
        #expect(shelf.witness.told == ["fetched"])
    }

    // Feature BNR-18
    @Test func theDelegateIsHeldWeakly() async throws {
        let shelf = try await shelf(.memory)
        weak var gone: Witness?
        do {
            let witness = Witness()
            gone = witness
            shelf.controller.setDelegate(witness)
            _ = shelf.make("Az Story")
            shelf.context.processPendingChanges()
            #expect(witness.told.count == 3)
        }
        #expect(gone == nil)
        _ = shelf.make("Ax Story")
        shelf.context.processPendingChanges()
        #expect(shelf.controller.count == 102)
    }

    // Feature BNR-18
    @Test func sectionsMayBeKeptInAFile() async throws {
        let name = "BNR-\(UUID().uuidString)"
        let shelf = try await shelf(.sqlite, cacheName: name)
        #expect(shelf.controller.cacheName == name && shelf.controller.sectionCount == 19)
        FetchedResultsController<Volume>.deleteCache(withName: name)
        try shelf.controller.performFetch()
        #expect(shelf.controller.sectionCount == 19)
        FetchedResultsController<Volume>.deleteCache(withName: name)
    }
}
