package import OpenCoreData

/// Writes the objects of one entity as JSON: `{"objectID": "…", "title": "…"}`.
///
/// Everything that is the same for all objects is looked up once; what a row has is written without making values of it.
package struct ObjectWriter {
    private enum Value {
        case identifier
        case integer(Int, ClosedRange<Int64>)
        case boolean(Int)
        case double(Int)
        case float(Int)
        case date(Int)
        case string(Int)
        case toOne(SlotLayout)
        /// What a row does not show, or not as such.
        case other
    }

    private struct Member {
        /// The name, with what stands before and behind it.
        let key: [UInt8]
        let value: Value
        let field: Field
    }

    private let layout: EntityLayout?
    private let storeIdentifier: String
    private let members: [Member]
    private let start: [UInt8]
    /// For each entity of the model how the URIs of its objects start, up to the number; nil for the slow way.
    private let uriStarts: [[UInt8]?]

    /// A writer for objects of `entity`.
    ///
    /// - Parameters:
    ///   - entity: An entity of the model in use.
    ///   - fields: What to write.
    ///   - naming: Whether the name of the entity is written first, as `"entity"`.
    package init(entity: NSEntityDescription, fields: [Field], in session: StoreSession, naming: Bool = false) {
        let layout = entity.layout
        self.layout = layout
        storeIdentifier = session.store.identifier ?? ""
        let scheme = "\"\(ObjectName.scheme)\(storeIdentifier)/"
        uriStarts = (layout?.model.entities ?? []).map { layout in
            layout.name.utf8.allSatisfy(ObjectName.isPlain) ? Array("\(scheme)\(layout.name)/p".utf8) : nil
        }
        var start = "{"
        if naming {
            start += "\"entity\": "
            JSONText.appendQuoted(entity.displayName, to: &start)
        }
        self.start = Array(start.utf8)
        members = fields.enumerated().map { index, field in
            var key = index > 0 || naming ? ", " : ""
            JSONText.appendQuoted(field.title, to: &key)
            return Member(key: Array((key + ": ").utf8), value: Self.value(of: field, in: layout), field: field)
        }
    }

    private static func value(of field: Field, in layout: EntityLayout?) -> Value {
        if case .identifier = field.end { return .identifier }
        guard let slot = layout?.slot(named: field.path), !slot.isTransient else { return .other }
        switch slot.kind {
        case .integer16, .integer32, .integer64:
            return .integer(slot.index, slot.kind.integerRange ?? Int64.min...Int64.max)
        case .boolean: return .boolean(slot.index)
        case .double: return .double(slot.index)
        case .float: return .float(slot.index)
        case .date: return .date(slot.index)
        case .string: return .string(slot.index)
        case .toOne: return .toOne(slot)
        default: return .other
        }
    }

    /// Appends an object of the entity or of one that inherits from it.
    package func append(_ object: NSManagedObject, to output: inout [UInt8]) {
        let row = object.storedRow
        output.append(contentsOf: start)
        for member in members {
            output.append(contentsOf: member.key)
            if let row {
                append(member.value, of: member.field, row, object, to: &output)
            } else {
                JSONBytes.append(member.field.value(of: object), to: &output)
            }
        }
        output.append(UInt8(ascii: "}"))
    }

    private func append(
        _ value: Value, of field: Field, _ stored: StoredRow, _ object: NSManagedObject, to output: inout [UInt8]
    ) {
        let (slab, row) = (stored.slab, stored.row)
        func isNull(_ slot: Int) -> Bool {
            guard slab.isNull(row, slot) else { return false }
            JSONBytes.append("null", to: &output)
            return true
        }
        switch value {
        case .identifier:
            appendURI(entity: object.rowLayout.index, slab.reference(row), object.objectID, to: &output)
        case .integer(let slot, let range):
            if isNull(slot) { return }
            let number = slab.integer(row, slot)
            // What a damaged file has is shown as an accessor gives it.
            guard range.contains(number) else { return JSONBytes.append(field.value(of: object), to: &output) }
            JSONBytes.append(number, to: &output)
        case .boolean(let slot):
            if !isNull(slot) { JSONBytes.append(slab.integer(row, slot) != 0 ? "true" : "false", to: &output) }
        case .double(let slot):
            if !isNull(slot) { JSONBytes.append(slab.double(row, slot), to: &output) }
        case .float(let slot):
            if isNull(slot) { return }
            let number = Float(slab.double(row, slot))
            JSONBytes.append(Double(number.description) ?? Double(number), to: &output)
        case .date(let slot):
            if isNull(slot) { return }
            ISODate.appendQuoted(secondsSinceReferenceDate: slab.double(row, slot), to: &output)
        case .string(let slot):
            if !isNull(slot) { JSONBytes.appendQuoted(slab.bytes(row, slot), to: &output) }
        case .toOne(let slot):
            if isNull(slot.index) { return }
            let destination = slab.destination(row, slot)
            appendURI(
                entity: Int(destination.entityIndex), destination.reference,
                object.objectIDs(forRelationshipNamed: slot.name).first, to: &output)
        case .other:
            JSONBytes.append(field.value(of: object), to: &output)
        }
    }

    private func appendURI(
        entity index: Int, _ reference: Int64, _ id: @autoclosure () -> NSManagedObjectID?, to output: inout [UInt8]
    ) {
        if uriStarts.indices.contains(index), let start = uriStarts[index], reference > 0 {
            output.append(contentsOf: start)
            JSONBytes.append(reference, to: &output)
            output.append(UInt8(ascii: "\""))
        } else if let id = id() {
            JSONBytes.append(.string(ObjectName.uri(of: id)), to: &output)
        } else {
            JSONBytes.append("null", to: &output)
        }
    }
}
