#if PostgreSQL
import Foundation
import OpenCoreData

/// Property values as elements of an array parameter, one array for each column of a set statement.
struct ColumnValues {
    /// A column, and which part of a slot's value stands in it.
    struct Field: Sendable {
        enum Part: Sendable {
            case value
            /// The entity number of a to-one's destination.
            case entity
            /// A leaf of a composite attribute.
            case leaf(Int)
        }

        var slot: SlotLayout
        var column: String
        var type: PostgreSQLType
        var part: Part
        /// How many characters of a text the column of an existing table takes, where there is a limit.
        var maximumLength: Int?
        /// The digits of a number that the column of an existing table takes, where there is a limit.
        var digits: NumericDigits?
        /// The only values of an enumeration; none where there are others.
        var labels: [String] = []
        /// How the bytes are JSON; nil where they aren't.
        var json: JSONColumn?
        /// Whether it is a key of a JSON object.
        var isMember = false

        /// A value that no row of a table has in the column, in SQL.
        func unusedValue(in table: String) -> String {
            let name = SQLName.quoted(column)
            switch type {
            case .text:
                guard let length = maximumLength, length < 36 else { return "'ocd ' || md5(random()::text)" }
                // Short texts may be taken.
                return
                    "(SELECT v FROM (SELECT left(md5(random()::text || g), \(length)) v FROM generate_series(1, 100) g) c "
                    + "WHERE NOT EXISTS (SELECT FROM \(table) t WHERE t.\(name) = v) LIMIT 1)"
            case .uuid: return "md5(random()::text)::uuid"
            case .bytea: return "decode(md5(random()::text), 'hex')"
            case .timestamptz: return "to_timestamp(random() * 1e9)"
            case .float8: return "random()"
            case .int2, .int4, .int8, .numeric:
                let least = type == .int2 ? Int64(Int16.min) : type == .int4 ? Int64(Int32.min) : Int64.min
                return "(SELECT CASE WHEN MIN(\(name)) > (\(least)) THEN MIN(\(name)) - 1 ELSE MAX(\(name)) + 1 END "
                    + "FROM \(table))"
            default: return "NULL"
            }
        }
    }

    let field: Field
    private(set) var builder: PostgreSQLArrayBuilder

    init(_ field: Field, capacity: Int) {
        self.field = field
        builder = PostgreSQLArrayBuilder(field.type, capacity: capacity)
    }

    /// Appends the part of a value that the column has.
    ///
    /// - Throws: `NSManagedObjectValidationError` that names the property of a value which the server can't store.
    mutating func append(_ value: PropertyValue, in store: StoreMapping) throws {
        switch field.part {
        case .value: try append(value)
        case .entity:
            guard case .reference(let target) = value, Int(target.entityIndex) < store.entities.count,
                let entity = store.entities[Int(target.entityIndex)]
            else { return builder.appendNull() }
            builder.append(int2: Int16(truncatingIfNeeded: entity.number))
        case .leaf(let index):
            var packed: Data?
            switch value {
            case .data(let data): packed = data
            case .transformed(let box): packed = try field.slot.archived(box.value)
            default: break
            }
            let leaves = packed.map(CompositeCoding.unpack) ?? []
            try append(stored: index < leaves.count ? leaves[index] : .null)
        }
    }

    private mutating func append(_ value: PropertyValue) throws {
        switch value {
        case .null: builder.appendNull()
        case .integer(let number): try append(stored: .integer(number))
        case .double(let number): try append(stored: .real(number))
        case .string(let string): try append(stored: .text(string))
        case .uri(let url): try append(stored: .text(url.absoluteString))
        case .uuid(let uuid): builder.append(uuid: uuid)
        case .decimal(let box):
            if box.value.isNaN { builder.appendNull() } else { try append(decimal: box.value) }
        case .data(let data): try append(data)
        case .transformed(let box):
            guard let data = try field.slot.archived(box.value) else { return builder.appendNull() }
            try append(data)
        case .reference(let target): builder.append(int8: target.reference)
        case .object:
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The relationship \"\(field.slot.name)\" of \(field.slot.owner.name) still holds an object instead of "
                    + "its identity.")
        }
    }

    private mutating func append(_ data: Data) throws {
        if let problem = field.json?.problem(of: data) { throw invalid(problem) }
        builder.append(bytea: data)
    }

    private mutating func append(stored value: SQLValue) throws {
        switch (value, field.type) {
        case (.null, _): builder.appendNull()
        case (.integer(let number), .int2):
            guard let narrow = Int16(exactly: number) else { throw unfit("\(number)") }
            builder.append(int2: narrow)
        case (.integer(let number), .int4):
            guard let narrow = Int32(exactly: number) else { throw unfit("\(number)") }
            builder.append(int4: narrow)
        case (.integer(let number), .int8): builder.append(int8: number)
        case (.integer(let number), .bool): builder.append(bool: number != 0)
        case (.integer(let number), .float8): builder.append(float8: Double(number))
        case (.integer(let number), .numeric): try append(decimal: Decimal(number))
        case (.integer(let number), .timestamptz): try append(date: Double(number))
        // As in other SQL stores, what is no number is no value.
        case (.real(let number), _) where number.isNaN: builder.appendNull()
        case (.real(let number), .float8) where field.isMember && !number.isFinite:
            throw invalid("is infinite, which JSON has no number for")
        case (.real(let number), .float8): builder.append(float8: number)
        case (.real(let number), .timestamptz): try append(date: number)
        case (.real(let number), .numeric):
            guard let decimal = Decimal(string: SQLNumber.string(of: number)) else { throw unfit("\(number)") }
            try append(decimal: decimal)
        case (.text(let string), .text):
            if let limit = field.maximumLength, string.unicodeScalars.count > limit {
                throw invalid(
                    "has more than the \(limit) characters that the column \(field.column) takes",
                    code: NSValidationStringTooLongError)
            }
            guard field.labels.isEmpty || field.labels.contains(string) else {
                throw invalid(
                    "isn't one of the values of the column \(field.column): \(field.labels.joined(separator: ", "))")
            }
            if let problem = field.json?.problem(of: Data(string.utf8)) { throw invalid(problem) }
            do {
                try builder.append(text: string)
            } catch {
                throw invalid("has the character U+0000, which PostgreSQL can't store")
            }
        case (.text(let string), .numeric):
            guard let decimal = Decimal(string: string) else { throw unfit(string) }
            try append(decimal: decimal)
        case (.blob(let data), .bytea): builder.append(bytea: data)
        case (.blob(let data), .uuid) where data.count == 16:
            builder.append(uuid: data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        default: throw unfit("\(value)")
        }
    }

    private mutating func append(decimal value: Decimal) throws {
        if let digits = field.digits, !digits.canHold(value) {
            throw invalid(
                "has more digits than the column \(field.column) takes, which is of the type \(digits.typeName)",
                code: NSValidationNumberTooLargeError)
        }
        builder.append(numeric: value)
    }

    private mutating func append(date seconds: Double) throws {
        do {
            try builder.append(timestamptz: Date(timeIntervalSinceReferenceDate: seconds))
        } catch {
            throw invalid("is a date beyond what PostgreSQL can store, the years 4714 BC to 294276")
        }
    }

    private func unfit(_ value: String) -> CocoaError {
        invalid("is \(value), which doesn't fit its column of the type \(field.type.sqlName)")
    }

    private func invalid(_ reason: String, code: Int = NSManagedObjectValidationError) -> CocoaError {
        CoreDataError.make(
            code,
            "The value of \(field.slot.name) of \(field.slot.owner.name) \(reason).",
            userInfo: [NSValidationKeyErrorKey: field.slot.name])
    }
}

/// How many digits the numbers of a `numeric(precision, scale)` have at most, and how many of them after the point.
struct NumericDigits: Sendable {
    let precision: Int
    let scale: Int

    /// - Parameter typeName: A type as the server writes it, such as `numeric(10,2)`.
    init?(_ typeName: String) {
        guard typeName.hasPrefix("numeric("), typeName.hasSuffix(")") else { return nil }
        let parts = typeName.dropFirst("numeric(".count).dropLast().split(separator: ",")
        guard parts.count == 2, let precision = Int(parts[0]), let scale = Int(parts[1]) else { return nil }
        (self.precision, self.scale) = (precision, scale)
    }

    var typeName: String { "numeric(\(precision),\(scale))" }

    /// Whether a number, which the server rounds to the scale, has few enough digits before the point.
    func canHold(_ value: Decimal) -> Bool {
        // No decimal is beyond such a limit.
        guard precision - scale <= 127 else { return true }
        var (given, rounded) = (abs(value), Decimal())
        NSDecimalRound(&rounded, &given, scale, .plain)
        return rounded < Decimal(sign: .plus, exponent: precision - scale, significand: 1)
    }
}
#endif
