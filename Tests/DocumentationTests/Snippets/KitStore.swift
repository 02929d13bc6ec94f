import OpenCoreDataKit

let storesOfTheLibrary: [Store] = [
    .sqlite(in: .documents, configuration: "Books", ifIncompatible: .recreate),
    .memory(configuration: "Session"),
]

func testConfiguration(_ configuration: Database.Configuration) -> Database.Configuration {
    configuration.inMemory()
}
