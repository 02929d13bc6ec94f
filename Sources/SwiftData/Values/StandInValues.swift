/// Values that are read where a row of a store has none that the property's type can show.
enum StandInValues {
    /// A value of a type, or `nil` if none can be made.
    ///
    /// It is a zero, an empty collection, the first known case of an enumeration, or what the type decodes from such
    /// values. The type's decoding can be code of the program, so this is only called for a row that has no value.
    static func make<Value>(_ type: Value.Type) -> Value? {
        // The least depth first, because a type may contain itself.
        for depth in [1, 2, 4, 8] {
            if let value = any(type, Effort(depth)) as? Value { return value }
        }
        return nil
    }

    fileprivate static func any(_ type: Any.Type, _ effort: Effort) -> Any? {
        if let value = SampleValues.plain(type) ?? knownCase(of: type) { return value }
        guard let type = type as? any Decodable.Type else { return nil }
        var choice = 0
        // An enumeration decodes the case whose key it finds; the first one may need a value that can't be made.
        while effort.begin() {
            defer { effort.end() }
            let decoder = StandInDecoder(effort: effort, choice: choice)
            if let value = try? type.init(from: decoder) { return value }
            choice += 1
            guard choice < decoder.record.keyCount else { return nil }
        }
        return nil
    }

    /// The first case that a type lists, or the one of the least raw value that it has.
    private static func knownCase(of type: Any.Type) -> Any? {
        if let type = type as? any CaseIterable.Type, let first = firstCase(of: type) { return first }
        return (type as? any RawRepresentable.Type).flatMap { rawCase(of: $0) }
    }

    private static func firstCase<Listed: CaseIterable>(of type: Listed.Type) -> Any? { type.allCases.first }

    private static func rawCase<Raw: RawRepresentable>(of type: Raw.Type) -> Any? {
        if let integer = Raw.RawValue.self as? any FixedWidthInteger.Type {
            func open<Integer: FixedWidthInteger>(_ integer: Integer.Type) -> Any? {
                for number in 0...100 {
                    if let value = (Integer(number) as? Raw.RawValue).flatMap(Raw.init(rawValue:)) { return value }
                }
                return nil
            }
            return open(integer)
        }
        return (SampleValues.plain(Raw.RawValue.self) as? Raw.RawValue).flatMap(Raw.init(rawValue:))
    }

    /// Ends the search in types that contain themselves.
    fileprivate final class Effort {
        private let most: Int
        private var depth = 0
        private var left = 1000
        private var reads = 1000

        init(_ most: Int) { self.most = most }

        func begin() -> Bool {
            guard depth < most, left > 0 else { return false }
            depth += 1
            left -= 1
            return true
        }

        func end() { depth -= 1 }

        /// Counts what is read, so that a loop that waits for an error ends.
        ///
        /// - Returns: Whether that may go on.
        func read() -> Bool {
            reads -= 1
            return reads > 0
        }
    }
}

/// A decoder that has a zero, or a value made of zeros, for everything that it is asked for.
private struct StandInDecoder: Decoder {
    final class Record {
        /// How many keys the container of the value may have.
        var keyCount = 0
    }

    let effort: StandInValues.Effort
    /// Which of its keys a container has.
    let choice: Int
    let record = Record()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func value<Value>(_ type: Value.Type) throws -> Value {
        guard effort.read(), let value = StandInValues.any(type, effort) as? Value else { throw Self.noValue(type) }
        return value
    }

    static func noValue(_ type: Any.Type) -> DecodingError {
        .valueNotFound(type, .init(codingPath: [], debugDescription: "There is no value."))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        record.keyCount = EnumSlots.caseNames(of: type)?.count ?? 0
        return KeyedDecodingContainer(StandInContainer(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { StandInList(decoder: self) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { StandInValue(decoder: self) }
}

private struct StandInContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: StandInDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] {
        guard let names = EnumSlots.caseNames(of: Key.self), decoder.choice < names.count else { return [] }
        return EnumSlots.value(at: decoder.choice).map { [$0] } ?? []
    }

    func contains(_ key: Key) -> Bool { decoder.effort.read() }
    func decodeNil(forKey key: Key) throws -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder.value(type) }
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        KeyedDecodingContainer(StandInContainer<NestedKey>(decoder: decoder))
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        StandInList(decoder: decoder)
    }
    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
}

private struct StandInValue: SingleValueDecodingContainer {
    let decoder: StandInDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}

/// A list without elements. For types that read as many as they need without asking, it has a few.
private struct StandInList: UnkeyedDecodingContainer {
    private static let most = 32

    let decoder: StandInDecoder
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }

    init(decoder: StandInDecoder) { self.decoder = decoder }

    private mutating func advance(_ type: Any.Type) throws {
        guard currentIndex < Self.most, decoder.effort.read() else { throw StandInDecoder.noValue(type) }
        currentIndex += 1
    }

    mutating func decodeNil() throws -> Bool {
        try advance(Never.self)
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try advance(type)
        return try decoder.value(type)
    }
    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try advance(type)
        return KeyedDecodingContainer(StandInContainer<NestedKey>(decoder: decoder))
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try advance([Never].self)
        return StandInList(decoder: decoder)
    }
    mutating func superDecoder() throws -> any Decoder {
        try advance(Never.self)
        return decoder
    }
}
