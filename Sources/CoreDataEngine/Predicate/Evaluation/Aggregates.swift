import Foundation

/// Sums, averages and the like over lists of values; nil is skipped everywhere, and so is what is no number, which SQL
/// takes for NULL.
enum Aggregates {
    static func sum(_ values: [Any?]) throws -> Any {
        var integers: Int64 = 0
        var isExact = true
        var doubles = CompensatedSum()
        var decimals = Decimal(0)
        var areDecimals = true
        for value in values {
            let value = PredicateValue(value)
            if value.isNothing { continue }
            if case .decimal(let number) = value { decimals += number } else { areDecimals = false }
            switch value {
            case .integer(let number):
                let (result, overflow) = integers.addingReportingOverflow(number)
                if overflow { isExact = false } else { integers = result }
                doubles.add(Double(number))
            case let other:
                doubles.add(try addend(other, "sum"))
                isExact = false
            }
        }
        if areDecimals, !isExact { return NSDecimalNumber(decimal: decimals) }
        return isExact ? integers : doubles.value
    }

    static func average(_ values: [Any?]) throws -> Any? {
        if let decimals = decimals(values) {
            return NSDecimalNumber(decimal: decimals.reduce(Decimal(0), +) / Decimal(decimals.count))
        }
        let numbers = try values.lazy.map { PredicateValue($0) }.filter { !$0.isNothing }.map {
            try addend($0, "average")
        }
        guard !numbers.isEmpty else { return nil }
        return CompensatedSum(numbers).value / Double(numbers.count)
    }

    static func minimum(_ values: [Any?]) -> Any? { extreme(values, .orderedAscending) }

    static func maximum(_ values: [Any?]) -> Any? { extreme(values, .orderedDescending) }

    private static func extreme(_ values: [Any?], _ wanted: ComparisonResult) -> Any? {
        var best: Any?
        for case let value? in values where !PredicateValue(value).isNothing {
            guard let current = best else {
                best = value
                continue
            }
            if ValueComparison.order(PredicateValue(value), PredicateValue(current), options: []) == wanted {
                best = value
            }
        }
        return best
    }

    static func count(_ values: [Any?]) -> Int { values.lazy.filter { !PredicateValue($0).isNothing }.count }

    /// The value in the middle. Of an even number of values it is the mean of the middle two, or for dates and strings the
    /// lower one.
    static func median(_ values: [Any?]) throws -> Any? {
        if let ordered = orderedValues(values) { return ordered[(ordered.count - 1) / 2] }
        let numbers = try doubles(values, "median").sorted()
        guard !numbers.isEmpty else { return nil }
        let middle = numbers.count / 2
        return numbers.count % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2
    }

    /// The most frequent values, smallest first.
    static func mode(_ values: [Any?]) throws -> Any? {
        let numbers = try doubles(values, "mode")
        let counts = Dictionary(numbers.map { ($0, 1) }, uniquingKeysWith: +)
        guard let most = counts.values.max() else { return nil }
        return counts.filter { $0.value == most }.keys.sorted()
    }

    /// The standard deviation of the whole population.
    static func standardDeviation(_ values: [Any?]) throws -> Any? {
        let numbers = try doubles(values, "stddev")
        guard !numbers.isEmpty else { return nil }
        let mean = CompensatedSum(numbers).value / Double(numbers.count)
        let squares = CompensatedSum(numbers.map { ($0 - mean) * ($0 - mean) })
        return (squares.value / Double(numbers.count)).squareRoot()
    }

    /// The values when all of them are decimals and there is one.
    private static func decimals(_ values: [Any?]) -> [Decimal]? {
        var result: [Decimal] = []
        for value in values {
            switch PredicateValue(value) {
            case .none: continue
            case .decimal(let number): result.append(number)
            default: return nil
            }
        }
        return result.isEmpty ? nil : result
    }

    /// Dates or strings in their order; `nil` for an empty list, or if it has other values.
    private static func orderedValues(_ values: [Any?]) -> [Any]? {
        let present = values.compactMap { $0 }
        let isOrdered = present.allSatisfy { $0 is Date } || present.allSatisfy { $0 is String }
        guard isOrdered, !present.isEmpty else { return nil }
        return present.sorted {
            ValueComparison.order(PredicateValue($0), PredicateValue($1), options: []) == .orderedAscending
        }
    }

    private static func doubles(_ values: [Any?], _ function: String) throws -> [Double] {
        try values.compactMap { value in
            let value = PredicateValue(value)
            if value.isNothing { return nil }
            guard let number = value.double else { throw notANumber(function, value) }
            return number
        }
    }

    /// A value as sums and averages take it: of a string the number that it begins with, or 0, as SQL has it.
    private static func addend(_ value: PredicateValue, _ function: String) throws -> Double {
        if case .string(let text) = value { return LeadingNumber.value(of: text) }
        guard let number = value.double else { throw notANumber(function, value) }
        return number
    }

    private static func notANumber(_ function: String, _ value: PredicateValue) -> any Error {
        PredicateError.evaluation("The function \(function) needs numbers, not \(value.kind).")
    }
}

extension PredicateValue {
    /// Whether the value is `nil` or not a number.
    fileprivate var isNothing: Bool {
        switch self {
        case .none: true
        case .real(let number): number.isNaN
        default: false
        }
    }
}

/// Adds doubles with the compensation of Kahan, Babuska and Neumaier, as SQLite's `sum` does.
struct CompensatedSum {
    private var sum = 0.0
    private var compensation = 0.0

    init() {}

    init(_ numbers: [Double]) {
        for number in numbers { add(number) }
    }

    var value: Double { (sum + compensation).isFinite ? sum + compensation : sum }

    mutating func add(_ number: Double) {
        let total = sum + number
        compensation += abs(sum) > abs(number) ? (sum - total) + number : (number - total) + sum
        sum = total
    }
}
