import Foundation
import OpenCoreData

/// What a store says of itself.
enum MetadataChecks {
    static let all: [StoreCheck] = [
        StoreCheck("a store has a type and a UUID") { probe in
            let store = try probe.store
            let metadata = probe.coordinator.metadata(for: store)
            try probe.equal(metadata[NSStoreTypeKey] as? String, store.type, "the type in the metadata")
            try probe.equal(metadata[NSStoreUUIDKey] as? String, store.identifier, "the UUID in the metadata")
            try probe.expect(!(store.identifier ?? "").isEmpty, "the identifier should not be empty")
        },
        StoreCheck("a store keeps its UUID", needs: .reopening) { probe in
            let identifier = try probe.store.identifier
            try probe.save { probe.make("Person", in: $0) }
            try probe.reopen()
            try probe.equal(try probe.store.identifier, identifier, "the UUID")
        },
        StoreCheck("a store keeps the application's metadata with the next save", needs: [.reopening, .metadata]) {
            probe in
            let store = try probe.store
            var metadata = probe.coordinator.metadata(for: store)
            metadata["contract"] = "kept"
            probe.coordinator.setMetadata(metadata, for: store)
            try probe.save { probe.make("Person", in: $0) }
            try probe.reopen()
            let found = probe.coordinator.metadata(for: try probe.store)
            try probe.equal(found["contract"] as? String, "kept", "the value")
        },
    ]
}
