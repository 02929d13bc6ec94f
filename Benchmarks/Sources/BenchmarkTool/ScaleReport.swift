import Bookshelf

/// How times grow with the number of books; 10 would be the same time for each book.
struct ScaleReport {
    static let operations: [Bookshelf.Operation] = [.insert, .fetchTouch, .fetchIDs, .fetchFaults]
    static let sizes = [10_000, 100_000, 1_000_000]

    let names: [String]
    /// The median wall times by size and operation, one for each implementation.
    private(set) var times: [Int: [Bookshelf.Operation: [Double]]] = [:]

    init(names: [String]) {
        self.names = names
    }

    mutating func add(_ bookCount: Int, _ measured: [Bookshelf.Operation: [Runner.Series]]) {
        times[bookCount] = measured.mapValues { $0.map { Figures.median($0.wall) } }
    }

    /// Whether the engine, which is the second, keeps to the budgets.
    var holds: Bool {
        Self.operations.allSatisfy { operation in
            names.indices.dropFirst().allSatisfy { index in
                (growth(operation, index) ?? 0) <= Self.budget(operation)
            }
        }
    }

    func text(markdown: Bool) -> String {
        var table = Table(["scale"] + Self.sizes.map { "\($0) ms" } + ["1M / 100k", "budget"])
        for operation in Self.operations {
            for (index, name) in names.enumerated() {
                let cells = Self.sizes.map { size in
                    times[size]?[operation].map { Figures.milliseconds($0[index]) } ?? "–"
                }
                let growth = growth(operation, index).map(Figures.ratio) ?? "–"
                table.add(["\(operation.rawValue), \(name)"] + cells + [growth, Figures.ratio(Self.budget(operation))])
            }
        }
        return table.text(markdown: markdown)
    }

    private func growth(_ operation: Bookshelf.Operation, _ index: Int) -> Double? {
        guard let large = times[1_000_000]?[operation], let small = times[100_000]?[operation] else { return nil }
        return large[index] / small[index]
    }

    private static func budget(_ operation: Bookshelf.Operation) -> Double {
        operation == .insert ? Budget.insertScale : Budget.fetchScale
    }
}
