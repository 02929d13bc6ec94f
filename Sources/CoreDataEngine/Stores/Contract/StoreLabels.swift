package import Foundation

/// What metrics and traces call a store: the name of its file without the folder, or that of a database and its schema.
package struct StoreLabels: Sendable, Hashable {
    /// The database system, by its name in OpenTelemetry's conventions where it has one there.
    package let system: String
    package let store: String
    /// The schema of a store on a server.
    package let schema: String?

    package init(system: String, store: String, schema: String?) {
        self.system = system
        self.store = store
        self.schema = schema
    }

    /// - Parameter url: Where the store is: a file, or the location on a server.
    package init(_ url: URL) {
        guard !url.isFileURL, url.scheme?.hasPrefix("postgres") == true else {
            self.init(system: "sqlite", store: url.lastPathComponent, schema: nil)
            return
        }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        self.init(
            system: "postgresql", store: url.lastPathComponent,
            schema: items.first { $0.name == "schema" }?.value ?? "public")
    }

    init(_ store: NSPersistentStore) {
        guard let url = store.url else {
            self.init(system: store.type.lowercased(), store: "memory", schema: nil)
            return
        }
        let labels = StoreLabels(url)
        let system = labels.system == "postgresql" ? labels.system : store.type.lowercased()
        self.init(system: system, store: labels.store, schema: labels.schema)
    }

    /// The labels of a metric.
    package var dimensions: [(String, String)] { [("store", store)] + (schema.map { [("schema", $0)] } ?? []) }
}
