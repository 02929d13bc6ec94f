#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// Finds a page far down a sorted list without sorting the list.
///
/// The values of some objects, which are chosen at random, tell between which two values the page lies. The store counts the
/// objects before the first of them, and sorts those between the two.
struct SampledPage {
    /// From this many objects on, on either side of a page, it is found so.
    static let fewestPassed = 10_000
    /// Objects that are asked for, and those of them that must be in the list.
    private static let sampleSize = 1_000
    private static let fewestFound = 100

    let list: ObjectList
    let key: String
    let ascending: Bool
    let reader: StoreReader

    /// A request for the objects of a page; nil where the sample doesn't tell where they are.
    func request(_ wanted: PageRequest, total: Int) throws -> NSFetchRequest<NSManagedObject>? {
        let sample = try self.sample()
        guard sample.count >= Self.fewestFound else { return nil }
        let share = Double(wanted.offset) / Double(total)
        let expected = share * Double(sample.count)
        // Four standard deviations of the number of objects in the sample that are before the page.
        let spread = 4 * (Double(sample.count) * share * (1 - share)).squareRoot() + 2
        let pageEnd = Double(wanted.offset + wanted.limit) / Double(total) * Double(sample.count)
        let (first, last) = (Int((expected - spread).rounded(.down)), Int((pageEnd + spread).rounded(.up)))
        let start = first >= 0 ? sample[first] : nil
        let end = last < sample.count ? sample[last] : nil
        // Objects without a value are first in ascending order, and last in descending order.
        if ascending ? last < sample.count && end == nil : first >= 0 && start == nil { return nil }

        let before = try start.map { try count(before: $0) } ?? 0
        guard wanted.offset >= before else { return nil }
        let request = list.request(offset: wanted.offset - before, limit: wanted.limit)
        let bounds = [
            start.map { condition(from: $0) }, end.map { condition(through: $0) },
        ]
        request.predicate = Self.all([list.predicate] + bounds)
        return request
    }

    /// The values of some objects of the list, in its order.
    private func sample() throws -> [Any?] {
        let number = try reader.highestNumber(of: list.entity)
        guard number > 0 else { return [] }
        let numbers = Set((0..<Self.sampleSize).map { _ in Int64.random(in: 1...number) })
        let ids = numbers.compactMap { reader.objectID(numbered: $0, of: list.entity) }
        let request = NSFetchRequest<NSDictionary>(entityName: list.entity.displayName)
        request.resultType = .dictionaryResultType
        request.predicate = Self.all([
            list.predicate, NSPredicate(format: "SELF IN %@", argumentArray: [ids]),
        ])
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: ascending)]
        request.propertiesToFetch = [key]
        return try reader.context.fetch(request).map { row in row[key].flatMap { $0 is NSNull ? nil : $0 } }
    }

    // MARK: Conditions

    private func count(before value: Any) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: list.entity.displayName)
        let comparison = compare(ascending ? .lessThan : .greaterThan, value)
        request.predicate = Self.all([
            list.predicate, ascending ? Self.any([comparison, compare(.equalTo, nil)]) : comparison,
        ])
        return try reader.context.count(for: request)
    }

    private func condition(from value: Any) -> NSPredicate {
        ascending
            ? compare(.greaterThanOrEqualTo, value)
            : Self.any([compare(.lessThanOrEqualTo, value), compare(.equalTo, nil)])
    }

    private func condition(through value: Any) -> NSPredicate {
        ascending
            ? Self.any([compare(.lessThanOrEqualTo, value), compare(.equalTo, nil)])
            : compare(.greaterThanOrEqualTo, value)
    }

    private func compare(_ type: NSComparisonPredicate.Operator, _ value: Any?) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: key), rightExpression: NSExpression(forConstantValue: value),
            modifier: .direct, type: type)
    }

    private static func all(_ parts: [NSPredicate?]) -> NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: parts.compactMap { $0 })
    }

    private static func any(_ parts: [NSPredicate]) -> NSPredicate {
        NSCompoundPredicate(orPredicateWithSubpredicates: parts)
    }
}
#endif
