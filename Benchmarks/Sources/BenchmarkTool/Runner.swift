import Bookshelf
import Foundation

/// Runs operations in turns and checks every answer.
struct Runner {
    /// The medians of one implementation for one operation, one for each turn.
    struct Series {
        var wall: [Double] = []
        var cpu: [Double] = []
    }

    let implementations: [any Implementation]
    let bookCount: Int
    let runs: Int
    let turns: Int

    /// All implementations run an operation one after the other, then the next; the whole is repeated.
    ///
    /// - Throws: `WrongResult` when an answer is not the agreed one.
    func measure(_ operations: [Bookshelf.Operation]) throws -> [Bookshelf.Operation: [Series]] {
        var measured: [Bookshelf.Operation: [Series]] = [:]
        for turn in 1...turns {
            for operation in operations {
                var series = measured[operation] ?? implementations.map { _ in Series() }
                var expected = operation.expectedResult(bookCount: bookCount)
                for (index, implementation) in implementations.enumerated()
                where implementation.takesPart(in: operation) {
                    Progress.show("turn \(turn) of \(turns): \(operation.rawValue), \(implementation.name)")
                    let samples = try run(operation, implementation, expected: &expected)
                    series[index].wall.append(Figures.median(samples.map(\.wall)))
                    series[index].cpu.append(Figures.median(samples.map(\.cpu)))
                }
                measured[operation] = series
            }
        }
        Progress.show("")
        return measured
    }

    /// The counted runs. Where no result is agreed, the first implementation sets it for the others.
    private func run(
        _ operation: Bookshelf.Operation, _ implementation: any Implementation, expected: inout String?
    ) throws -> [Bookshelf.Measurement] {
        var samples: [Bookshelf.Measurement] = []
        for _ in 0...runs {
            let sample = try implementation.run(operation)
            if let expected, expected != sample.result {
                throw WrongResult(
                    operation: operation, implementation: implementation.name, expected: expected,
                    result: sample.result)
            }
            expected = sample.result
            samples.append(sample)
        }
        return Array(samples.dropFirst())
    }
}

/// An answer that is not the agreed one; a figure with it does not count.
struct WrongResult: Error, CustomStringConvertible {
    let operation: Bookshelf.Operation
    let implementation: String
    let expected: String
    let result: String

    var description: String {
        "\(operation.rawValue) by \(implementation) answered \(result); the agreed result is \(expected)"
    }
}
