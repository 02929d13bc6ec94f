#if PostgreSQL
package import Foundation
package import OpenCoreData

/// One value for a statement, for where convenience counts; `PostgreSQLParameters` takes values without boxing them.
package enum PostgreSQLParameter: Sendable, Hashable {
    case null(PostgreSQLType)
    case bool(Bool)
    case int2(Int16)
    case int4(Int32)
    case int8(Int64)
    case float4(Float)
    case float8(Double)
    case numeric(Decimal)
    case text(String)
    case bytea(Data)
    case uuid(UUID)
    case timestamptz(Date)
    case jsonb(String)
    /// An array of one dimension: of elements of this type, and of NULLs.
    indirect case array(PostgreSQLType, [PostgreSQLParameter])
}

/// What values can be appended to: the parameters of a statement, or the elements of an array.
package protocol PostgreSQLValueSink {
    /// Appends a value that the block writes in the server's binary form.
    mutating func append(_ type: PostgreSQLType, _ write: (inout WireBuffer) throws -> Void) rethrows
    mutating func appendNull(_ type: PostgreSQLType)
}

extension PostgreSQLValueSink {
    @inline(__always)
    package mutating func append(bool value: Bool) { append(.bool) { $0.put(UInt8(value ? 1 : 0)) } }
    @inline(__always)
    package mutating func append(int2 value: Int16) { append(.int2) { $0.put(value) } }
    @inline(__always)
    package mutating func append(int4 value: Int32) { append(.int4) { $0.put(value) } }
    @inline(__always)
    package mutating func append(int8 value: Int64) { append(.int8) { $0.put(value) } }
    @inline(__always)
    package mutating func append(float4 value: Float) { append(.float4) { $0.put(value) } }
    @inline(__always)
    package mutating func append(float8 value: Double) { append(.float8) { $0.put(value) } }
    package mutating func append(numeric value: Decimal) { append(.numeric) { $0.put(decimal: value) } }
    /// - Throws: `PostgreSQLError` when the string has U+0000.
    package mutating func append(text value: String) throws { try append(.text) { try $0.put(text: value) } }
    /// Appends a string by its UTF-8.
    ///
    /// - Throws: `PostgreSQLError` when it has U+0000.
    package mutating func append(text utf8: UnsafeRawBufferPointer) throws {
        try append(.text) { try $0.put(utf8: utf8) }
    }
    package mutating func append(bytea value: Data) { append(.bytea) { $0.put(data: value) } }
    package mutating func append(bytea value: UnsafeRawBufferPointer) { append(.bytea) { $0.put(value) } }
    package mutating func append(uuid value: UUID) { append(.uuid) { $0.put(uuid: value) } }
    /// - Throws: `PostgreSQLError` when the date is beyond the server's range.
    package mutating func append(timestamptz value: Date) throws {
        try append(.timestamptz) { try $0.put(date: value) }
    }
    package mutating func append(jsonb value: String) throws { try append(.jsonb) { try $0.put(json: value) } }

    /// Appends a value of any type.
    ///
    /// - Throws: `PostgreSQLError` when the server can't store it.
    package mutating func append(_ value: PostgreSQLParameter) throws {
        switch value {
        case .null(let type): appendNull(type)
        case .bool(let value): append(bool: value)
        case .int2(let value): append(int2: value)
        case .int4(let value): append(int4: value)
        case .int8(let value): append(int8: value)
        case .float4(let value): append(float4: value)
        case .float8(let value): append(float8: value)
        case .numeric(let value): append(numeric: value)
        case .text(let value): try append(text: value)
        case .bytea(let value): append(bytea: value)
        case .uuid(let value): append(uuid: value)
        case .timestamptz(let value): try append(timestamptz: value)
        case .jsonb(let value): try append(jsonb: value)
        case .array(let type, let elements):
            var array = PostgreSQLArrayBuilder(type, capacity: elements.count)
            for element in elements { try array.append(element) }
            guard let arrayType = type.array else {
                throw PostgreSQLError(.invalidValue, "There are no arrays of \(type.sqlName) as parameters.")
            }
            append(arrayType) { array.write(to: &$0) }
        }
    }
}

/// The values of a statement's parameters, one after the other in one piece of memory.
package struct PostgreSQLParameters: Sendable, PostgreSQLValueSink {
    private(set) var buffer = WireBuffer()
    private(set) var types: [UInt32] = []
    private(set) var offsets: [Int] = []
    /// -1 for NULL.
    private(set) var lengths: [Int32] = []

    /// The server takes messages of less than a gigabyte, and counts parameters with 16 bits.
    private static let most = (count: 65_535, bytes: 0x3FFF_0000)

    package init() {}

    /// - Throws: `PostgreSQLError` for a value that the server can't store.
    package init(_ values: some Sequence<PostgreSQLParameter>) throws {
        for value in values { try append(value) }
    }

    /// Parameters without values yet.
    init(types: [UInt32]) {
        self.types = types
        offsets = Array(repeating: 0, count: types.count)
        lengths = Array(repeating: -1, count: types.count)
    }

    package var count: Int { types.count }

    @inline(__always)
    package mutating func append(_ type: PostgreSQLType, _ write: (inout WireBuffer) throws -> Void) rethrows {
        let start = buffer.count
        try write(&buffer)
        types.append(type.rawValue)
        offsets.append(start)
        lengths.append(Int32(clamping: buffer.count - start))
    }

    package mutating func appendNull(_ type: PostgreSQLType = .unspecified) {
        types.append(type.rawValue)
        offsets.append(buffer.count)
        lengths.append(-1)
    }

    /// Appends a finished array as one parameter.
    package mutating func append(_ array: PostgreSQLArrayBuilder) {
        append(array.type) { array.write(to: &$0) }
    }

    /// Appends a value that the shared SQL binds: an integer as bigint, a real as double precision, a string, or bytes.
    package mutating func append(_ value: SQLValue) throws {
        switch value {
        case .null: appendNull()
        case .integer(let number): append(int8: number)
        case .real(let number): append(float8: number)
        case .text(let string): try append(text: string)
        case .blob(let data): append(bytea: data)
        }
    }

    /// - Throws: `PostgreSQLError` for more than the protocol can carry.
    func check() throws {
        guard count <= Self.most.count, buffer.count <= Self.most.bytes else {
            throw PostgreSQLError(
                .invalidValue,
                "A statement with \(count) parameters of \(buffer.count) bytes is more than PostgreSQL takes: at most "
                    + "\(Self.most.count) parameters and a gigabyte.")
        }
    }
}

/// Elements for an array parameter, one after the other.
package struct PostgreSQLArrayBuilder: Sendable, PostgreSQLValueSink {
    /// The type of the elements.
    package let element: PostgreSQLType
    private var buffer: WireBuffer
    package private(set) var count = 0
    private var hasNull = false

    /// Begins an array.
    ///
    /// - Parameters:
    ///   - element: One of the types that have arrays.
    ///   - capacity: How many elements are expected.
    package init(_ element: PostgreSQLType, capacity: Int = 0) {
        self.element = element
        buffer = WireBuffer(capacity: capacity * 12)
    }

    /// The type of the array.
    package var type: PostgreSQLType { element.array ?? .unspecified }

    @inline(__always)
    package mutating func append(_ type: PostgreSQLType, _ write: (inout WireBuffer) throws -> Void) rethrows {
        if type != element { fatalError("A \(type) can't be an element of an array of \(element).") }
        let start = buffer.count
        buffer.put(Int32(0))
        try write(&buffer)
        buffer.set(Int32(clamping: buffer.count - start - 4), at: start)
        count += 1
    }

    package mutating func appendNull() {
        buffer.put(Int32(-1))
        count += 1
        hasNull = true
    }

    package mutating func appendNull(_ type: PostgreSQLType) { appendNull() }

    func write(to target: inout WireBuffer) {
        target.put(Int32(count == 0 ? 0 : 1))
        target.put(Int32(hasNull ? 1 : 0))
        target.put(element.rawValue)
        guard count > 0 else { return }
        target.put(Int32(clamping: count))
        target.put(Int32(1))
        target.put(buffer)
    }
}
#endif
