#if PostgreSQL
/// A type of the server's, by its object identifier.
package struct PostgreSQLType: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ number: UInt32) { rawValue = number }

    /// The server finds out from where the value stands.
    package static let unspecified = PostgreSQLType(0)
    package static let bool = PostgreSQLType(16)
    package static let bytea = PostgreSQLType(17)
    package static let name = PostgreSQLType(19)
    package static let int8 = PostgreSQLType(20)
    package static let int2 = PostgreSQLType(21)
    package static let int4 = PostgreSQLType(23)
    package static let text = PostgreSQLType(25)
    package static let oid = PostgreSQLType(26)
    package static let float4 = PostgreSQLType(700)
    package static let float8 = PostgreSQLType(701)
    package static let timestamptz = PostgreSQLType(1184)
    package static let numeric = PostgreSQLType(1700)
    package static let uuid = PostgreSQLType(2950)
    package static let jsonb = PostgreSQLType(3802)

    /// The type of one-dimensional arrays of this type; nil where the client layer knows none.
    package var array: PostgreSQLType? {
        // No dictionary, as each save asks for each of its columns.
        switch self {
        case .int8: PostgreSQLType(1016)
        case .text: PostgreSQLType(1009)
        case .int4: PostgreSQLType(1007)
        case .float8: PostgreSQLType(1022)
        case .bool: PostgreSQLType(1000)
        case .timestamptz: PostgreSQLType(1185)
        case .int2: PostgreSQLType(1005)
        case .numeric: PostgreSQLType(1231)
        case .uuid: PostgreSQLType(2951)
        case .bytea: PostgreSQLType(1001)
        case .name: PostgreSQLType(1003)
        case .float4: PostgreSQLType(1021)
        case .oid: PostgreSQLType(1028)
        case .jsonb: PostgreSQLType(3807)
        default: nil
        }
    }

    /// Whether it is such a type of arrays.
    var isArray: Bool { Self.arrays.values.contains(self) }

    private static let arrays = Dictionary(
        uniqueKeysWithValues: names.keys.compactMap { type in type.array.map { (type, $0) } })

    private static let names: [PostgreSQLType: String] = [
        bool: "boolean", bytea: "bytea", name: "name", int2: "smallint", int4: "integer", int8: "bigint",
        text: "text",
        oid: "oid", float4: "real", float8: "double precision", timestamptz: "timestamptz", numeric: "numeric",
        uuid: "uuid", jsonb: "jsonb",
    ]

    /// The type's name in SQL; its number where the client layer doesn't know it.
    package var sqlName: String {
        if let name = Self.names[self] { return name }
        if let element = Self.arrays.first(where: { $0.value == self })?.key { return element.sqlName + "[]" }
        return "type \(rawValue)"
    }
}
#endif
