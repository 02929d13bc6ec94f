import Foundation

/// The elements of a constant list, prepared for many questions of the kind `x IN list`.
///
/// It answers for lists of integers, of other numbers, of dates, strings, UUIDs, data or objects, nil included; anything else
/// is left to comparing with each element.
final class MembershipIndex {
    private enum Elements {
        case integers(Set<Int64>)
        case strings(Set<[UInt8]>)
        case objects(Set<AnyHashable>)
        case reals(Set<Double>)
        case dates(Set<Date>)
        case uuids(Set<UUID>)
        case data(Set<Data>)

        init?(_ values: [PredicateValue], options: NSComparisonPredicate.Options) {
            guard let first = values.first else { return nil }
            let made: Elements? =
                switch first {
                case .integer:
                    Self.set(values) { if case .integer(let number) = $0 { number } else { nil } }
                        .map(Elements.integers)
                case .string: Self.set(values) { Self.key($0, options) }.map(Elements.strings)
                case .object:
                    Self.set(values) { if case .object(let identity) = $0 { identity } else { nil } }
                        .map(Elements.objects)
                case .real:
                    Self.set(values) { if case .real(let number) = $0 { number } else { nil } }.map(Elements.reals)
                case .date: Self.set(values) { if case .date(let date) = $0 { date } else { nil } }.map(Elements.dates)
                case .uuid: Self.set(values) { if case .uuid(let uuid) = $0 { uuid } else { nil } }.map(Elements.uuids)
                case .data: Self.set(values) { if case .data(let bytes) = $0 { bytes } else { nil } }.map(Elements.data)
                default: nil
                }
            guard let made else { return nil }
            self = made
        }

        /// Nil if a value is of another kind.
        private static func set<Key: Hashable>(
            _ values: [PredicateValue], _ key: (PredicateValue) -> Key?
        ) -> Set<Key>? {
            var keys = Set<Key>(minimumCapacity: values.count)
            for value in values {
                guard let key = key(value) else { return nil }
                keys.insert(key)
            }
            return keys
        }

        static func key(_ value: PredicateValue, _ options: NSComparisonPredicate.Options) -> [UInt8]? {
            if case .string(let string) = value { Array(StringFolding.folded(string, options).utf8) } else { nil }
        }
    }

    private let elements: Elements
    private let hasNil: Bool
    private let options: NSComparisonPredicate.Options

    /// Nil if the list is too short to be worth it or has elements of several kinds.
    init?(_ values: [Any?], options: NSComparisonPredicate.Options) {
        guard values.count >= 8, !options.contains(.localeSensitive) else { return nil }
        var hasNil = false
        var known: [PredicateValue] = []
        known.reserveCapacity(values.count)
        for value in values {
            switch PredicateValue(value) {
            case .none: hasNil = true
            case let value: known.append(value)
            }
        }
        guard let elements = Elements(known, options: options) else { return nil }
        self.elements = elements
        self.hasNil = hasNil
        self.options = options
    }

    /// Whether the list has a value; nil if that takes comparing.
    func contains(_ value: PredicateValue) -> Bool? {
        switch (elements, value) {
        case (_, .none): hasNil
        case (.integers(let numbers), .integer(let number)): numbers.contains(number)
        case (.strings(let strings), .string): Elements.key(value, options).map { strings.contains($0) }
        case (.objects(let objects), .object(let identity)): objects.contains(identity)
        case (.reals(let numbers), .real(let number)): numbers.contains(number)
        case (.dates(let dates), .date(let date)): dates.contains(date)
        case (.uuids(let uuids), .uuid(let uuid)): uuids.contains(uuid)
        case (.data(let data), .data(let bytes)): data.contains(bytes)
        default: nil
        }
    }
}
