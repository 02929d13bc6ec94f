import Foundation

/// A line on standard error that shows how far a long command is.
///
/// Nothing is shown where that is no terminal.
struct ProgressBar {
    private static let width = 30
    private static let interval: TimeInterval = 0.1

    private let label: String
    private let total: Int
    private let isShown: Bool
    private var lastShown = Date.distantPast

    /// A bar for `total` steps.
    init(_ label: String, total: Int, isTerminal: Bool = isatty(STDERR_FILENO) == 1) {
        self.label = label
        self.total = total
        isShown = isTerminal
    }

    /// The text for `done` steps.
    func text(done: Int) -> String {
        let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        return "\(label) \(bar) \(Int(share * 100)) %"
    }

    mutating func show(done: Int) {
        guard isShown else { return }
        let now = Date()
        guard now.timeIntervalSince(lastShown) >= Self.interval else { return }
        lastShown = now
        StandardError.showBar(text(done: done))
    }

    /// Takes the bar off the screen.
    func finish() { StandardError.removeBar() }
}
