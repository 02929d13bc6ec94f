#if BENCHMARK_SWIFTDATA
import Foundation
import SwiftDataWorkload

/// What models of SwiftData cost beside the engine's objects, and whether that is within the aims.
struct SwiftDataReport {
    /// Most memory that a row may take as a model, beside a row as an object.
    private static let mostMemory = 1.4

    private let figures: [SwiftDataFigures.Figure]
    private let bytes: (engine: Double, models: Double)

    init(folder: URL, count: Int) throws {
        figures = try SwiftDataFigures(folder: folder, count: count).figures
        func held(_ kind: String) throws -> Double {
            let arguments = ["--child-hold", kind, "--folder", folder.path, "--n", "\(count)"]
            return Double(try ChildProcess.number(arguments, task: "holding \(kind)")) / Double(count)
        }
        bytes = (try held("engine"), try held("models"))
    }

    var holds: Bool {
        figures.allSatisfy { $0.judged <= $0.limit } && bytes.models / bytes.engine <= Self.mostMemory
    }

    func text(markdown: Bool) -> String {
        var table = Table(["SwiftData", "engine ns", "models ns", "ratio", "limit", ""])
        func nanoseconds(_ seconds: Double) -> String { Figures.decimal(seconds * 1e9, places: 1) }
        for figure in figures {
            let isRatio = figure.engine != nil
            table.add([
                figure.name, figure.engine.map(nanoseconds) ?? "", nanoseconds(figure.models),
                isRatio ? Figures.ratio(figure.judged) : "",
                isRatio ? Figures.ratio(figure.limit) : nanoseconds(figure.limit),
                figure.judged <= figure.limit ? "" : "over",
            ])
        }
        let ratio = bytes.models / bytes.engine
        table.add([
            "memory of a row, bytes", Figures.decimal(bytes.engine, places: 0),
            Figures.decimal(bytes.models, places: 0),
            Figures.ratio(ratio), Figures.ratio(Self.mostMemory), ratio <= Self.mostMemory ? "" : "over",
        ])
        return table.text(markdown: markdown)
    }
}
#endif
