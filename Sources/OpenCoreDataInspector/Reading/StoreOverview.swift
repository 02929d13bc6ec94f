#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// What the page shows before anything is chosen.
enum StoreOverview {
    static func json(_ reader: StoreReader, _ inspected: InspectedStore) throws -> JSONValue {
        let store = reader.store
        return [
            "name": .string(store.url.map { StoreAddress(url: $0).name } ?? store.type),
            "path": JSONValue(store.url?.isFileURL == true ? store.url?.path : nil),
            "type": .string(store.type), "uuid": JSONValue(store.identifier),
            "model": .string(inspected.modelOrigin), "writable": .bool(inspected.isWritable),
            "history": .bool(try HistoryPage(reader: reader).newestNumber() != nil),
        ]
    }

    /// The number of objects by entity, subentities included.
    static func counts(_ reader: StoreReader) throws -> JSONValue {
        .object(
            try reader.model.sortedEntities.map { entity in
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
                return JSONMember(key: entity.displayName, value: JSONValue(try reader.context.count(for: request)))
            })
    }

    /// The picture of the model.
    static func diagram(_ reader: StoreReader) -> String {
        DiagramRenderer(layout: DiagramLayout(Diagram(reader.model)), title: "Model").svg
    }
}
#endif
