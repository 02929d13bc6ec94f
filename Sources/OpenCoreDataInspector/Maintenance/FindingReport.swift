#if Inspector
import Foundation
import HTTPTypes
import OpenCoreData
import StoreTools

/// What is wrong with a store, with the objects that have it.
struct FindingReport {
    let findings: [StoreFinding]
    let time: Duration

    init(storeURL url: URL, model: NSManagedObjectModel) throws {
        let start = ContinuousClock.now
        findings = try StoreAddress(url: url).findings(model: model)
        time = ContinuousClock.now - start
    }

    func json(_ reader: StoreReader) throws -> JSONValue {
        let roots = Dictionary(
            reader.model.entities.filter { $0.superentity == nil }.map { ("Z" + $0.displayName.uppercased(), $0) },
            uniquingKeysWith: { first, _ in first })
        return [
            "milliseconds": .number(time.milliseconds),
            "findings": .array(
                try findings.map { finding in
                    let object = try finding.table.flatMap { roots[$0] }.flatMap { root in
                        try finding.row.flatMap { try reader.object("\(root.displayName)/p\($0)", orNil: true) }
                    }
                    return [
                        "kind": .string(finding.kind.rawValue), "table": JSONValue(finding.table),
                        "row": finding.row.map(JSONValue.integer) ?? .null, "message": .string(finding.message),
                        "object": object.map(ObjectLabel.link) ?? .null,
                    ]
                }),
        ]
    }
}

extension StoreReader {
    /// The object with a name; `nil` if it can't be read, for example because its row is what is wrong.
    fileprivate func object(_ name: String, orNil: Bool) throws -> NSManagedObject? {
        do { return try object(name) } catch let error as InspectorError where error.status == .notFound {
            return nil
        }
    }
}
#endif
