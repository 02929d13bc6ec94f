import EngineWorkload
import Foundation

/// What one change costs a fetched results controller, by the number of its results.
struct ControllerReport {
    static let sizes = [1_000, 10_000, 100_000, 1_000_000]

    private var table = Table(["one change in", "update µs", "move µs", "insert µs", "delete µs", "fetch ms"])

    mutating func add(_ figures: ControllerFigures) {
        let costs = figures.figures.map { Figures.decimal($0.cost / 1000, places: 2) }
        table.add(["\(figures.count) results"] + costs + [Figures.milliseconds(figures.fetch)])
        let alone = figures.figures.map { Figures.decimal($0.alone / 1000, places: 2) }
        table.add(["  (the context alone)"] + alone + [""])
    }

    func text(markdown: Bool) -> String { table.text(markdown: markdown) }
}
