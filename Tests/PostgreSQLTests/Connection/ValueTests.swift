#if PostgreSQL
import Foundation
import Testing

@testable import OpenCoreDataPostgreSQL

/// Values of all types, compared with what the server makes of its own texts.
@Suite(.needsServer) struct ValueTests {
    private struct Sample {
        let value: PostgreSQLParameter
        /// The server's text of it.
        let text: String

        init(_ value: PostgreSQLParameter, _ text: String) {
            self.value = value
            self.text = text
        }
    }

    private static let samples: [(type: PostgreSQLType, values: [Sample])] = [
        (.bool, [.init(.bool(true), "true"), .init(.bool(false), "false")]),
        (.int2, [.init(.int2(.min), "-32768"), .init(.int2(.max), "32767"), .init(.int2(0), "0")]),
        (.int4, [.init(.int4(.min), "-2147483648"), .init(.int4(7), "7")]),
        (.int8, [.init(.int8(.min), "-9223372036854775808"), .init(.int8(.max), "9223372036854775807")]),
        (.float4, [.init(.float4(1.5), "1.5"), .init(.float4(-.infinity), "-Infinity")]),
        (
            .float8,
            [
                .init(.float8(0.1), "0.1"), .init(.float8(.nan), "NaN"), .init(.float8(.infinity), "Infinity"),
                .init(.float8(-0.0), "-0"), .init(.float8(.leastNonzeroMagnitude), "5e-324"),
            ]
        ),
        (
            .text,
            [
                .init(.text(""), ""), .init(.text("é\u{301}🦊 'x' \\ \""), "é\u{301}🦊 'x' \\ \""),
                .init(.text("NULL"), "NULL"),
            ]
        ),
        (.bytea, [.init(.bytea(Data()), "\\x"), .init(.bytea(Data([0, 255, 10])), "\\x00ff0a")]),
        (
            .uuid,
            [
                .init(
                    .uuid(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF") ?? UUID()),
                    "01234567-89ab-cdef-0123-456789abcdef")
            ]
        ),
        (
            .timestamptz,
            [
                .init(.timestamptz(Date(timeIntervalSinceReferenceDate: 0)), "2001-01-01 00:00:00+00"),
                .init(.timestamptz(Date(timeIntervalSinceReferenceDate: -0.25)), "2000-12-31 23:59:59.75+00"),
                .init(.timestamptz(.distantPast), "0001-12-30 00:00:00+00 BC"),
                .init(.timestamptz(.distantFuture), "4001-01-01 00:00:00+00"),
                .init(.timestamptz(Date(timeIntervalSinceReferenceDate: .infinity)), "infinity"),
                .init(.timestamptz(Date(timeIntervalSinceReferenceDate: -.infinity)), "-infinity"),
            ]
        ),
        (.jsonb, [.init(.jsonb(#"{"a": [1, null]}"#), #"{"a": [1, null]}"#)]),
        (
            .numeric,
            [
                .init(.numeric(0), "0"), .init(.numeric(Decimal.nan), "NaN"),
                .init(
                    .numeric(decimal("12345678901234567890123456789012345678")),
                    "12345678901234567890123456789012345678"),
                .init(.numeric(decimal("-0.0000001")), "-0.0000001"), .init(.numeric(decimal("10000")), "10000"),
                .init(.numeric(decimal("9999.9999")), "9999.9999"),
                .init(
                    .numeric(decimal("0.12345678901234567890123456789012345678")),
                    "0.12345678901234567890123456789012345678"),
            ]
        ),
    ]

    private static func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

    private func value(_ row: PostgreSQLRow, _ column: Int, _ type: PostgreSQLType) throws -> PostgreSQLParameter {
        switch type {
        case .bool: .bool(try row.bool(column))
        case .int2: .int2(Int16(try row.integer(column)))
        case .int4: .int4(Int32(try row.integer(column)))
        case .int8: .int8(try row.integer(column))
        case .float4: .float4(Float(try row.double(column)))
        case .float8: .float8(try row.double(column))
        case .numeric: .numeric(try row.decimal(column))
        case .bytea: .bytea(row.data(column))
        case .uuid: .uuid(try row.uuid(column))
        case .timestamptz: .timestamptz(try row.date(column))
        case .jsonb: .jsonb(try row.json(column))
        default: .text(row.string(column))
        }
    }

    /// Equal, with NaN equal to itself and zeros told apart.
    private func isSame(_ left: PostgreSQLParameter, _ right: PostgreSQLParameter) -> Bool {
        switch (left, right) {
        case (.float8(let left), .float8(let right)):
            left.bitPattern == right.bitPattern || (left.isNaN && right.isNaN)
        case (.numeric(let left), .numeric(let right)): left == right || (left.isNaN && right.isNaN)
        default: left == right
        }
    }

    @Test func valuesGoInAndOutUnchanged() throws {
        let connection = try TestServer.connect()
        for (type, samples) in Self.samples {
            for sample in samples {
                let result = try connection.execute(
                    "SELECT $1::\(type.sqlName)::text, $1::\(type.sqlName), $2::text::\(type.sqlName)",
                    values: [sample.value, .text(sample.text)])
                let row = try #require(result.first)
                #expect(row.string(0) == sample.text)
                #expect(isSame(try value(row, 1, type), sample.value), "\(sample.value)")
                #expect(isSame(try value(row, 2, type), sample.value), "\(sample.value)")
            }
            let null = try #require(
                try connection.execute("SELECT $1::\(type.sqlName)", values: [.null(type)]).first)
            #expect(null.isNull(0))
            #expect(null.bytes(0).isEmpty)
        }
    }

    @Test func arraysOfAllTypesGoInAndOutUnchanged() throws {
        let connection = try TestServer.connect()
        for (type, samples) in Self.samples {
            let elements = samples.map(\.value) + [.null(type)] + samples.map(\.value)
            let rows = try connection.execute(
                "SELECT v, v::text FROM unnest($1) WITH ORDINALITY AS t(v, n) ORDER BY n",
                values: [.array(type, elements)])
            #expect(rows.count == elements.count)
            for (index, element) in elements.enumerated() {
                if case .null = element {
                    #expect(rows[index].isNull(0))
                } else {
                    #expect(isSame(try value(rows[index], 0, type), element))
                }
            }
            let back = try connection.execute("SELECT $1, $2", values: [.array(type, elements), .array(type, [])])
            let row = try #require(back.first)
            var reader = try row.array(0)
            #expect(reader.count == elements.count && reader.element == type)
            for element in elements {
                let bytes = try reader.next()
                if case .null = element { #expect(bytes == nil) } else { #expect(bytes != nil) }
            }
            #expect(throws: PostgreSQLError.self) { try reader.next() }
            #expect(try row.array(1).count == 0)
        }
    }

    @Test func randomDecimalsAreExact() throws {
        let connection = try TestServer.connect()
        var random = SystemRandomNumberGenerator()
        var array = PostgreSQLArrayBuilder(.numeric)
        var decimals: [Decimal] = []
        for _ in 0..<2000 {
            var digits = String(
                (1...Int.random(in: 1...38, using: &random)).map { _ in "0123456789".randomElement() ?? "0" })
            digits.insert(
                ".", at: digits.index(digits.startIndex, offsetBy: Int.random(in: 0...digits.count, using: &random))
            )
            decimals.append(Self.decimal((Bool.random(using: &random) ? "-0" : "0") + digits + "0"))
        }
        // The ends of the exponent's range, which text can't spell.
        decimals += [
            Decimal(sign: .plus, exponent: 127, significand: 7),
            Decimal(sign: .minus, exponent: -128, significand: 7),
        ]
        for decimal in decimals { array.append(numeric: decimal) }
        var parameters = PostgreSQLParameters()
        parameters.append(array)
        let rows = try connection.execute(
            "SELECT v, v::text FROM unnest($1) WITH ORDINALITY AS t(v, n) ORDER BY n", parameters)
        for (index, decimal) in decimals.enumerated() {
            #expect(try rows[index].decimal(0) == decimal)
            if index < 2000 { #expect(Self.decimal(rows[index].string(1)) == decimal) }
        }
    }

    @Test func numbersThatNoDecimalHasAreTypedErrors() throws {
        let connection = try TestServer.connect()
        for text in ["Infinity", "-Infinity", "1" + String(repeating: "2", count: 60), "1e-130", "1e200"] {
            let row = try #require(
                try connection.execute("SELECT $1::text::numeric AS n", values: [.text(text)]).first)
            let error = try #require(throws: PostgreSQLError.self) { try row.decimal(0) }
            #expect(error.kind == .unreadableValue && error.column == "n")
        }
    }

    @Test func valuesThatTheServerCannotStoreAreTypedErrors() throws {
        for seconds in [1e300, -1e300, Double.nan, 9.3e12, -2.2e11] {
            #expect(throws: PostgreSQLError.self) {
                try PostgreSQLParameters([.timestamptz(Date(timeIntervalSinceReferenceDate: seconds))])
            }
        }
        #expect(throws: PostgreSQLError.self) { try PostgreSQLParameters([.text("a\0b")]) }
        #expect(throws: PostgreSQLError.self) { try PostgreSQLParameters([.array(.text, [.text("a\0b")])]) }
        let tooMany = try PostgreSQLParameters(Array(repeating: .bool(true), count: 65_536))
        #expect(throws: PostgreSQLError.self) { try tooMany.check() }
    }

    @Test func savedDatesAreThoseThatAreReadAgain() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let date = Date(timeIntervalSinceReferenceDate: .random(in: -6e10...6e10, using: &random))
            let read = PostgreSQLDate.date(try PostgreSQLDate.microseconds(of: date))
            #expect(abs(read.timeIntervalSince(date)) <= 0.000_01)
            #expect(PostgreSQLDate.date(try PostgreSQLDate.microseconds(of: read)) == read)
        }
    }
}

/// Bytes that no server sends.
struct DamagedValueTests {
    @Test func damagedBytesAreTypedErrors() {
        var random = SystemRandomNumberGenerator()
        var failures = 0
        for round in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            // Half of them with a head that could be right.
            if round % 2 == 0, bytes.count > 8 { bytes.replaceSubrange(0..<8, with: [0, 0, 0, 1, 0, 0, 0, 0]) }
            bytes.withUnsafeBytes { bytes in
                do {
                    _ = try PostgreSQLNumeric.decimal(bytes)
                    var reader = try PostgreSQLArrayReader(bytes)
                    for _ in 0..<reader.count { _ = try reader.next() }
                } catch {
                    failures += 1
                    #expect((error as? PostgreSQLError)?.kind == .unreadableValue)
                }
            }
        }
        #expect(failures > 10_000)
    }
}
#endif
