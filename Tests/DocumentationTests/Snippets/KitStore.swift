import OpenCoreDataKit

let storesOfTheLibrary: [Store] = [
    .sqlite(in: .documents, configuration: "Books", ifIncompatible: .recreate),
    .memory(configuration: "Session"),
]

func testConfiguration(_ configuration: Database.Configuration) -> Database.Configuration {
    configuration.inMemory()
}

func storeOfAServer(at file: URL) -> Store {
    var store = Store.sqlite(at: file)
    store.limits.maximumReaders = 16
    store.limits.readerTimeout = 10
    store.limits.largestLog = 1 << 30
    store.limits.generationLifetime = 600
    return store
}
