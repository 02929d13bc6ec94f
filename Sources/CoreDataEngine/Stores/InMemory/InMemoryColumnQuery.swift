import Foundation

/// A fetch of columns: rows or groups become lists of values.
final class InMemoryColumnQuery {
    private let query: StoreQuery
    private let session: InMemorySession
    private let constants: InMemoryConstants
    private let variables: [String: Any]

    init(query: StoreQuery, session: InMemorySession) {
        self.query = query
        self.session = session
        let constants = InMemoryConstants(session: session, model: query.entity.model)
        self.constants = constants
        variables = query.variables.mapValues { constants.mapped($0) ?? NSNull() }
    }

    func result() throws -> [[PropertyValue]] {
        try validate()
        let rows = try session.matchingRows(query)
        let groups = try self.groups(of: rows)
        var lines = try groups.map { try line(of: $0) }
        if let having = query.having {
            lines = try lines.filter { try matches(having, $0) }
        }
        lines = try InMemorySession.sorted(lines, by: query.sortDescriptors) { try self.sortValue($1, of: $0) }
        if query.isDistinct { lines = distinct(lines) }
        return session.windowed(lines, query).map(\.values)
    }

    /// One group of rows and its columns.
    private struct Line {
        let group: [InMemoryRow]
        let values: [PropertyValue]
        /// The computed columns by name.
        let named: [String: Any]
    }

    private var isGrouped: Bool {
        !query.groupBy.isEmpty || query.having != nil
            || query.columns.contains { column in
                if case .expression(let expression, _, _) = column { return InMemoryAggregates.occur(in: expression) }
                return false
            }
    }

    private func validate() throws {
        let check = PredicateCheck(entity: query.entity, variables: query.variables)
        for column in query.columns + query.groupBy {
            switch column {
            case .objectID: break
            case .keyPath(let path): try check.check(NSExpression(forKeyPath: path))
            case .expression(let expression, _, _): try check.check(expression)
            }
        }
    }

    private func groups(of rows: [InMemoryRow]) throws -> [[InMemoryRow]] {
        guard isGrouped else { return rows.map { [$0] } }
        if query.groupBy.isEmpty { return [rows] }
        var groups: [[InMemoryRow]] = []
        var indexes: [String: Int] = [:]
        for row in rows {
            let key = try query.groupBy.map { column in
                let identity = try value(of: column, group: [row]).stored.identityKey
                return "\(identity.utf8.count):\(identity)"
            }.joined()
            if let index = indexes[key] {
                groups[index].append(row)
            } else {
                indexes[key] = groups.count
                groups.append([row])
            }
        }
        return groups
    }

    private func line(of group: [InMemoryRow]) throws -> Line {
        var named: [String: Any] = [:]
        let values = try query.columns.map { column in
            let value = try value(of: column, group: group)
            if case .expression(_, let name, _) = column { named[name] = value.any ?? (NSNull() as Any) }
            return value.stored
        }
        return Line(group: group, values: values, named: named)
    }

    // MARK: Values

    private func value(of column: QueryColumn, group: [InMemoryRow]) throws -> (stored: PropertyValue, any: Any?) {
        switch column {
        case .objectID:
            return (group.first.map { .reference($0.objectReference) } ?? .null, group.first)
        case .keyPath(let path):
            return (try storedValue(path, of: group.first), nil)
        case .expression(let expression, _, let type):
            let value = try self.value(of: expression, group: group)
            return (PropertyValue(computed: value, type: type), value)
        }
    }

    private func value(of expression: NSExpression, group: [InMemoryRow]) throws -> Any? {
        let prepared = try InMemoryAggregates(group: group, variables: variables, entity: query.entity)
            .replaced(in: constants.mapped(expression))
        return OptionalValue.flatten(try prepared.value(with: group.first, variables: variables))
    }

    /// The stored value at the end of a key path over to-ones.
    private func storedValue(_ path: String, of row: InMemoryRow?) throws -> PropertyValue {
        guard let row else { return .null }
        let keys = path.split(separator: ".").map(String.init)
        var current = row
        for (index, key) in keys.enumerated() {
            if index == keys.count - 1, let slot = current.record.entity.slot(named: key) {
                return current.storedValue(slot)
            }
            guard let next = try current.predicateValue(forKey: key) else { return .null }
            guard let destination = next as? InMemoryRow else {
                let rest = keys[(index + 1)...].joined(separator: ".")
                let value: Any? = rest.isEmpty ? next : try KeyValueAccess.value(of: next, forKeyPath: rest)
                return PropertyValue(computed: OptionalValue.flatten(value), type: .undefinedAttributeType)
            }
            current = destination
        }
        return .reference(current.objectReference)
    }

    // MARK: Groups

    private func matches(_ having: NSPredicate, _ line: Line) throws -> Bool {
        if let error = having.formatError { throw error }
        let aggregates = InMemoryAggregates(group: line.group, variables: variables, entity: query.entity)
        let prepared = try aggregates.replaced(in: constants.mapped(having), columns: line.named)
        return try prepared.matches(
            line.group.first, variables: variables.merging(line.named) { variable, _ in variable })
    }

    private func sortValue(_ descriptor: NSSortDescriptor, of line: Line) throws -> Any? {
        if let key = descriptor.key, let value = line.named[key] { return OptionalValue.flatten(value) }
        return try descriptor.value(of: line.group.first)
    }

    private func distinct(_ lines: [Line]) -> [Line] {
        var seen: Set<String> = []
        return lines.filter { line in
            let key = line.values.map { value in
                let identity = value.identityKey
                return "\(identity.utf8.count):\(identity)"
            }.joined()
            return seen.insert(key).inserted
        }
    }
}

extension PropertyValue {
    /// The stored form of a computed value.
    ///
    /// - Parameter type: The type that the column was declared with; undefined to keep the value's own.
    init(computed value: Any?, type: NSAttributeType) {
        switch value {
        case nil: self = .null
        case let row as InMemoryRow: self = .reference(row.objectReference)
        case let string as String: self = .string(string)
        case let date as Date: self = .double(date.timeIntervalSinceReferenceDate)
        case let data as Data: self = .data(data)
        case let uuid as UUID: self = .uuid(uuid)
        case let url as URL: self = .uri(url)
        case let value?: self = PropertyValue(number: value, type: type) ?? .transformed(TransformedValue(value))
        }
    }

    private init?(number value: Any, type: NSAttributeType) {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            guard let double = SlotLayout.double(from: value) else { return nil }
            self = .integer(SlotLayout.integer(from: value) ?? Int64(exactly: double.rounded(.towardZero)) ?? 0)
        case .booleanAttributeType:
            guard let double = SlotLayout.double(from: value) else { return nil }
            self = .integer(double == 0 ? 0 : 1)
        case .doubleAttributeType, .floatAttributeType, .dateAttributeType:
            guard let double = SlotLayout.double(from: value) else { return nil }
            self = .double(double)
        case .decimalAttributeType:
            guard let decimal = SlotLayout.decimal(from: value) else { return nil }
            self = .decimal(DecimalBox(decimal))
        case .stringAttributeType: self = .string("\(value)")
        default: self.init(untypedNumber: value)
        }
    }

    private init?(untypedNumber value: Any) {
        switch value {
        case let decimal as NSDecimalNumber: self = .decimal(DecimalBox(decimal.decimalValue))
        case let decimal as Decimal: self = .decimal(DecimalBox(decimal))
        case let number as NSNumber where ["f", "d"].contains(String(cString: number.objCType)):
            self = .double(number.doubleValue)
        case let number as NSNumber: self = .integer(number.int64Value)
        default:
            if let integer = SlotLayout.integer(from: value) {
                self = .integer(integer)
            } else if let double = SlotLayout.double(from: value) {
                self = .double(double)
            } else {
                return nil
            }
        }
    }
}
