#if PostgreSQL
import Foundation
import OpenCoreData

extension PostgreSQLParameters {
    /// The values as they would stand in a statement.
    var literals: [String] {
        buffer.bytes.withUnsafeBytes { bytes in
            (0..<count).map { index in
                let length = Int(lengths[index])
                guard length >= 0 else { return "NULL" }
                return PostgreSQLLiteral.text(
                    UnsafeRawBufferPointer(rebasing: bytes[offsets[index]..<offsets[index] + length]),
                    PostgreSQLType(rawValue: types[index]))
            }
        }
    }
}

/// Values in the server's binary form as people read them.
enum PostgreSQLLiteral {
    /// Longer arrays and data are shortened in the log.
    private static let most = (elements: 1_000, bytes: 2_000)

    static func text(_ bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType) -> String {
        do {
            return try readable(bytes, type)
        } catch {
            return hexadecimal(bytes)
        }
    }

    private static func readable(_ bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType) throws -> String {
        var reader = WireReader(bytes)
        switch type {
        case .bool: return try reader.next(UInt8.self) != 0 ? "true" : "false"
        case .int2: return "\(try reader.next(Int16.self))"
        case .int4: return "\(try reader.next(Int32.self))"
        case .oid: return "\(try reader.next(UInt32.self))"
        case .int8: return "\(try reader.next(Int64.self))"
        case .float4: return number(Double(Float(bitPattern: try reader.next(UInt32.self))))
        case .float8: return number(Double(bitPattern: try reader.next(UInt64.self)))
        case .numeric: return try PostgreSQLNumeric.decimal(bytes).description
        case .timestamptz: return moment(try reader.next(Int64.self))
        case .uuid where bytes.count == 16:
            return quoted(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)).uuidString)
        case .text, .name, .unspecified: return quoted(String(decoding: bytes, as: UTF8.self))
        case .jsonb: return quoted(String(decoding: bytes.dropFirst(), as: UTF8.self))
        case _ where type.isArray: return try array(bytes)
        default: return hexadecimal(bytes)
        }
    }

    // MARK: Statements

    /// A value as it can stand in a statement, in full; `nil` for one that can't.
    static func statement(_ value: PropertyValue, _ type: PostgreSQLType) -> String? {
        switch (value, type) {
        case (.integer(let number), .bool): return number != 0 ? "true" : "false"
        case (.integer(let number), .int2), (.integer(let number), .int4), (.integer(let number), .int8),
            (.integer(let number), .numeric):
            return "\(number)"
        case (.double(let number), .float8): return number.isFinite ? "'\(number)'::float8" : nil
        case (.double(let number), .timestamptz):
            return statement(Date(timeIntervalSinceReferenceDate: number))
        case (.string(let string), .text): return string.utf8.contains(0) ? nil : SQLName.literal(string)
        case (.uri(let url), .text): return SQLName.literal(url.absoluteString)
        case (.uuid(let uuid), .uuid): return "'\(uuid.uuidString.lowercased())'::uuid"
        case (.decimal(let box), .numeric): return box.value.isNaN ? nil : box.value.description
        case (.data(let data), .bytea) where data.count <= most.bytes:
            return data.withUnsafeBytes { hexadecimal($0) } + "::bytea"
        default: return nil
        }
    }

    /// A moment of the years that have four digits.
    static func statement(_ date: Date) -> String? {
        guard date.timeIntervalSince1970 > -62_000_000_000, date.timeIntervalSince1970 < 253_000_000_000,
            let microseconds = try? PostgreSQLDate.microseconds(of: date)
        else { return nil }
        return moment(microseconds) + "::timestamptz"
    }

    private static func array(_ bytes: UnsafeRawBufferPointer) throws -> String {
        var reader = try PostgreSQLArrayReader(bytes)
        let shown = min(reader.count, most.elements)
        var elements = try (0..<shown).map { _ in
            try reader.next().map { text($0, reader.element) } ?? "NULL"
        }
        if reader.count > shown { elements.append("… \(reader.count) elements") }
        return "ARRAY[\(elements.joined(separator: ", "))]"
    }

    private static func quoted(_ string: String) -> String {
        "'\(string.replacingOccurrences(of: "'", with: "''"))'"
    }

    private static func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "'\(value)'" }

    private static func hexadecimal(_ bytes: UnsafeRawBufferPointer) -> String {
        let digits = bytes.prefix(most.bytes).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return "'\\x\(digits.joined())\(bytes.count > most.bytes ? "… \(bytes.count) bytes" : "")'"
    }

    private static func moment(_ microseconds: Int64) -> String {
        if microseconds == .max { return "'infinity'" }
        if microseconds == .min { return "'-infinity'" }
        let fraction = ((microseconds % 1_000_000) + 1_000_000) % 1_000_000
        let seconds = PostgreSQLDate.date(microseconds - fraction).formatted(.iso8601).dropLast()
        let digits = String(fraction)
        return "'\(seconds).\(String(repeating: "0", count: 6 - digits.count))\(digits)Z'"
    }
}
#endif
