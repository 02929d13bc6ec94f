import THRCoreData

final class ChartUpdate: CoreDataOperation, @unchecked Sendable {
    override func performWork(inContext context: NSManagedObjectContext) {
        let rows = [SongRow(uniqueIDValue: "t-1", title: "So What"), SongRow(uniqueIDValue: "t-2", title: "Naima")]
        Song.insertOrUpdate(intermediates: rows, inContext: context) { row, song in
            song.title = row.title
        }
        finish()  // Saves up to the store; the main context has merged it when the operation is finished.
    }
}

@MainActor func updateChart(_ bundle: Bundle, _ folder: URL, _ show: @escaping @MainActor ([String]) -> Void) throws {
    let manager = try CoreDataManager.open(modelName: "Music", storeType: .sqlite(folder), bundle: bundle)
    let update = ChartUpdate(coreDataManager: manager)
    update.completionBlock = {
        Task { @MainActor in
            let songs = Song.fetch(inContext: manager.mainContext) { $0.sortDescriptors = Song.defaultSortDescriptors }
            show(songs.map(\.title))
        }
    }
    OperationQueue().addOperation(update)
}
