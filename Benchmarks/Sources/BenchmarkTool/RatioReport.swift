import Bookshelf

/// The table of ratios, with the verdict on the chosen budget.
struct RatioReport {
    let operations: [Bookshelf.Operation]
    let measured: [Bookshelf.Operation: [Runner.Series]]
    /// The names of the implementations; the first is the baseline.
    let names: [String]
    let level: Budget.Level

    /// The operations whose budget does not hold.
    var failures: [Bookshelf.Operation] {
        operations.filter { operation in
            guard let ratio = ratio(operation), let budget = operation.budget?[level] else { return false }
            return ratio > budget
        }
    }

    func text(markdown: Bool) -> String {
        guard names.count > 1 else { return single.text(markdown: markdown) }
        let peers = names.indices.dropFirst(2)
        var table = Table(
            [
                "operation", "\(names[0]) ms", "\(names[1]) ms", "CPU ms", "CPU ratio", "ratio", "\(level.rawValue)",
                "verdict",
            ]
                + peers.map { "\(names[$0]) ratio" })
        for operation in operations {
            guard let series = measured[operation], let ratio = ratio(operation) else { continue }
            let budget = operation.budget?[level]
            let others = peers.map { self.ratio(operation, of: $0).map(Figures.ratio) ?? "–" }
            let cells = [
                operation.rawValue,
                Figures.milliseconds(Figures.median(series[0].wall)),
                Figures.milliseconds(Figures.median(series[1].wall)),
                Figures.milliseconds(Figures.median(series[1].cpu)),
                self.ratio(operation, by: \.cpu).map(Figures.ratio) ?? "–",
                Figures.ratio(ratio),
                budget.map(Figures.ratio) ?? "–",
                budget.map { ratio <= $0 ? "pass" : "FAIL" } ?? "–",
            ]
            table.add(cells + others)
        }
        return table.text(markdown: markdown)
    }

    /// The median of the turns; the ratio is formed within a turn.
    private func ratio(
        _ operation: Bookshelf.Operation, of index: Int = 1, by times: (Runner.Series) -> [Double] = \.wall
    ) -> Double? {
        guard let series = measured[operation], index < series.count, !series[index].wall.isEmpty else { return nil }
        return Figures.median(zip(times(series[index]), times(series[0])).map { $0 / $1 })
    }

    private var single: Table {
        var table = Table(["operation", "\(names[0]) ms", "CPU ms"])
        for operation in operations {
            guard let series = measured[operation] else { continue }
            table.add([
                operation.rawValue,
                Figures.milliseconds(Figures.median(series[0].wall)),
                Figures.milliseconds(Figures.median(series[0].cpu)),
            ])
        }
        return table
    }
}
