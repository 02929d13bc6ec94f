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
            guard let ratio = ratio(operation), let budget = operation.budget else { return false }
            return ratio > budget[level]
        }
    }

    func text(markdown: Bool) -> String {
        guard names.count > 1 else { return single.text(markdown: markdown) }
        var table = Table(
            ["operation", "\(names[0]) ms", "\(names[1]) ms", "CPU ms", "ratio", "\(level.rawValue)", "verdict"])
        for operation in operations {
            guard let series = measured[operation], let ratio = ratio(operation) else { continue }
            let budget = operation.budget?[level]
            table.add([
                operation.rawValue,
                Figures.milliseconds(Figures.median(series[0].wall)),
                Figures.milliseconds(Figures.median(series[1].wall)),
                Figures.milliseconds(Figures.median(series[1].cpu)),
                Figures.ratio(ratio),
                budget.map(Figures.ratio) ?? "–",
                budget.map { ratio <= $0 ? "pass" : "FAIL" } ?? "–",
            ])
        }
        return table.text(markdown: markdown)
    }

    /// The median of the turns; the ratio is formed within a turn.
    private func ratio(_ operation: Bookshelf.Operation) -> Double? {
        guard let series = measured[operation], series.count > 1 else { return nil }
        return Figures.median(zip(series[1].wall, series[0].wall).map { $0 / $1 })
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
