import OpenCoreData

func openModel(at url: URL) throws -> NSManagedObjectModel? {
    NSManagedObjectModel(contentsOf: url)
}
