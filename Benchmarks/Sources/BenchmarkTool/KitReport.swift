import EngineWorkload
import Foundation

/// What blocks of the kit cost beside the same work with a plain context, while the main thread is idle or blocked.
struct KitReport {
    /// Most that a block may take of the time of a context, by the beginning of the work's name.
    private static let budgets = ["write": 1.15, "read": 1.1]

    private var rows: [(state: String, figures: [[KitFigures.Figure]])] = []

    init(folder: URL, count: Int, turns: Int) throws {
        for (state, isBlocked) in [("idle", false), ("blocked", true)] {
            let figures = try (0..<turns).map { _ in
                try KitFigures(folder: folder, count: count, isMainBlocked: isBlocked).figures
            }
            rows.append((state, figures))
        }
    }

    /// Whether all ratios are within their budgets.
    var holds: Bool {
        rows.allSatisfy { row in
            row.figures[0].indices.allSatisfy { Self.ratio(row.figures, $0) <= Self.budget(row.figures[0][$0].name) }
        }
    }

    private static func budget(_ name: String) -> Double {
        budgets.first { name.hasPrefix($0.key) }?.value ?? .infinity
    }

    private static func ratio(_ figures: [[KitFigures.Figure]], _ index: Int) -> Double {
        Figures.median(figures.map { $0[index].ratio })
    }

    func text(markdown: Bool) -> String {
        var table = Table(["kit", "main thread", "context µs", "block µs", "ratio", "budget", "blocks a second"])
        for row in rows {
            for index in row.figures[0].indices {
                let name = row.figures[0][index].name
                let block = Figures.median(row.figures.map { $0[index].block })
                table.add([
                    name, row.state,
                    Figures.decimal(Figures.median(row.figures.map { $0[index].context }) * 1e6, places: 1),
                    Figures.decimal(block * 1e6, places: 1), Figures.ratio(Self.ratio(row.figures, index)),
                    Figures.ratio(Self.budget(name)), "\(Int(1 / block))",
                ])
            }
        }
        return table.text(markdown: markdown)
    }
}
