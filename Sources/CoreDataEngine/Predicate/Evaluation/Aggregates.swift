import Foundation

/// Sums, averages and the like over lists of values; nil is skipped everywhere.
enum Aggregates {
    static func sum(_ values: [Any?]) throws -> Any {
        var integers: Int64 = 0
        var isExact = true
        var doubles = CompensatedSum()
        var decimals = Decimal(0)
        var areDecimals = true
        for value in values {
            let value = PredicateValue(value)
            if case .none = value { continue }
            if case .decimal(let number) = value { decimals += number } else { areDecimals = false }
            switch value {
            case .integer(let number):
                let (result, overflow) = integers.addingReportingOverflow(number)
                if overflow { isExact = false } else { integers = result }
                doubles.add(Double(number))
            case let other:
                guard let number = other.double else { throw notANumber("sum", other) }
                isExact = false
                doubles.add(number)
            }
        }
        if areDecimals, !isExact { return NSDecimalNumber(decimal: decimals) }
        return isExact ? integers : doubles.value
    }

    static func average(_ values: [Any?]) throws -> Any? {
        let numbers = try doubles(values, "average")
        guard !numbers.isEmpty else { return nil }
        return CompensatedSum(numbers).value / Double(numbers.count)
    }

    static func minimum(_ values: [Any?]) -> Any? { extreme(values, .orderedAscending) }

    static func maximum(_ values: [Any?]) -> Any? { extreme(values, .orderedDescending) }

    private static func extreme(_ values: [Any?], _ wanted: ComparisonResult) -> Any? {
        var best: Any?
        for case let value? in values {
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

    static func count(_ values: [Any?]) -> Int { values.lazy.filter { $0 != nil }.count }

    static func median(_ values: [Any?]) throws -> Any? {
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

    private static func doubles(_ values: [Any?], _ function: String) throws -> [Double] {
        try values.compactMap { value in
            let value = PredicateValue(value)
            if case .none = value { return nil }
            guard let number = value.double else { throw notANumber(function, value) }
            return number
        }
    }

    private static func notANumber(_ function: String, _ value: PredicateValue) -> any Error {
        PredicateError.evaluation("The function \(function) needs numbers, not \(value.kind).")
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
