import Foundation

/// The elements of a constant list, prepared for many questions of the kind `x IN list`.
///
/// It answers for lists of integers, of texts and of objects, nil included; anything else is left to comparing with
/// each element.
final class MembershipIndex {
    private enum Elements {
        case integers(Set<Int64>)
        case texts(Set<[UInt8]>)
        case objects(Set<AnyHashable>)
    }

    private let elements: Elements
    private let hasNil: Bool
    private let options: NSComparisonPredicate.Options

    /// Nil if the list is too short to be worth it or has elements of several kinds.
    init?(_ values: [Any?], options: NSComparisonPredicate.Options) {
        guard values.count >= 8, !options.contains(.localeSensitive) else { return nil }
        var integers = Set<Int64>()
        var texts = Set<[UInt8]>()
        var objects = Set<AnyHashable>()
        var hasNil = false
        for value in values {
            switch PredicateValue(value) {
            case .none: hasNil = true
            case .integer(let number): integers.insert(number)
            case .text(let text): texts.insert(Array(TextFolding.folded(text, options).utf8))
            case .object(let identity): objects.insert(identity)
            default: return nil
            }
        }
        switch (integers.isEmpty, texts.isEmpty, objects.isEmpty) {
        case (false, true, true): elements = .integers(integers)
        case (true, false, true): elements = .texts(texts)
        case (true, true, false): elements = .objects(objects)
        default: return nil
        }
        self.hasNil = hasNil
        self.options = options
    }

    /// Whether the list has a value; nil if that takes comparing.
    func contains(_ value: PredicateValue) -> Bool? {
        switch (elements, value) {
        case (_, .none): hasNil
        case (.integers(let numbers), .integer(let number)): numbers.contains(number)
        case (.texts(let texts), .text(let text)): texts.contains(Array(TextFolding.folded(text, options).utf8))
        case (.objects(let objects), .object(let identity)): objects.contains(identity)
        default: nil
        }
    }
}
