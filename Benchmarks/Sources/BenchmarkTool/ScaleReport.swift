import Bookshelf
import Foundation

/// How times grow with the number of books; 10 would be the same time for each book.
///
/// Sizes are compared as implementations are: each runs an operation after the other, in turns, and the growth is
/// formed within a turn. Each has a process of its own, so that none finds the memory that another one left.
struct ScaleReport {
    static let operations: [Bookshelf.Operation] = [.insert, .fetchTouch, .fetchIDs, .fetchFaults]
    static let sizes = [10_000, 100_000, 1_000_000]

    let names: [String]
    /// For each name and operation, by size, the median times of the turns in seconds.
    private var times: [String: [Bookshelf.Operation: [Int: [Double]]]] = [:]

    /// Starts one child process for each turn, implementation and size.
    init(names: [String], turns: Int, runs: Int, folder: URL) throws {
        self.names = names
        for turn in 1...turns {
            for name in names {
                Progress.show("turn \(turn) of \(turns): \(name)")
                let children = try Self.sizes.map { size in
                    try ConversingChild(
                        ["--child-scale", "--only", name, "--n", "\(size)", "--folder", folder.path],
                        task: "timing \(name) with \(size) books")
                }
                for operation in Self.operations {
                    let medians = try Self.medians(of: operation, children, runs: runs)
                    for (size, median) in zip(Self.sizes, medians) {
                        times[name, default: [:]][operation, default: [:]][size, default: []].append(median)
                    }
                }
            }
        }
        Progress.show("")
    }

    /// The median of each size; one run is not counted.
    private static func medians(
        of operation: Bookshelf.Operation, _ children: [ConversingChild], runs: Int
    ) throws -> [Double] {
        var samples: [[Double]] = children.map { _ in [] }
        for run in 0...runs {
            for (index, child) in children.enumerated() {
                let nanoseconds = try child.number(for: operation.rawValue)
                if run > 0 { samples[index].append(Double(nanoseconds) / 1e9) }
            }
        }
        return samples.map(Figures.median)
    }

    /// Whether all but the baseline keep to the budgets.
    var holds: Bool {
        names.filter { $0 != BenchmarkTool.baselineName }.allSatisfy { name in
            Self.operations.allSatisfy { growth($0, name) <= Self.budget($0) }
        }
    }

    func text(markdown: Bool) -> String {
        var table = Table(["scale"] + Self.sizes.map { "\($0) ms" } + ["1M / 100k", "budget"])
        for operation in Self.operations {
            for name in names {
                let cells = Self.sizes.map { size in
                    Figures.milliseconds(Figures.median(times[name]?[operation]?[size] ?? []))
                }
                table.add(
                    ["\(operation.rawValue), \(name)"] + cells
                        + [Figures.ratio(growth(operation, name)), Figures.ratio(Self.budget(operation))])
            }
        }
        return table.text(markdown: markdown)
    }

    /// The median of the turns.
    private func growth(_ operation: Bookshelf.Operation, _ name: String) -> Double {
        guard let times = times[name]?[operation], let large = times[1_000_000], let small = times[100_000] else {
            return .infinity
        }
        return Figures.median(zip(large, small).map { $0 / $1 })
    }

    private static func budget(_ operation: Bookshelf.Operation) -> Double {
        operation == .insert ? Budget.insertScale : Budget.fetchScale
    }
}
