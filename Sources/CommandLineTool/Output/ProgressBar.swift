import Foundation

/// A line on standard error that shows how far a long command is, and how long it will take still.
///
/// Nothing is shown where that is no terminal, nor in the first moments: most commands are done by then.
struct ProgressBar {
    private static let width = 30
    private static let interval: TimeInterval = 0.1
    private static let delay: TimeInterval = 0.5

    private let label: String
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var nextShown = ContinuousClock.now + .seconds(delay)

    /// A bar that has not started yet.
    init(_ label: String, isTerminal: Bool = isatty(STDERR_FILENO) == 1) {
        self.label = label
        isShown = isTerminal
    }

    /// The text for `done` of `total` steps.
    ///
    /// - Parameter elapsed: How long that took; what is left is taken to go on as fast.
    func text(done: Int, of total: Int, after elapsed: Duration) -> String {
        let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let seconds = elapsed / .seconds(1)
        let left = share > 0.01 ? "  \(Self.time(seconds / share - seconds)) left" : ""
        return "\(label) \(bar) \(Int(share * 100)) %\(left)"
    }

    /// Shows how far it is, not too often.
    mutating func show(done: Int, of total: Int) {
        guard isShown else { return }
        let now = ContinuousClock.now
        guard now >= nextShown else { return }
        nextShown = now + .seconds(Self.interval)
        StandardError.showBar(text(done: done, of: total, after: now - start))
    }

    /// Takes the bar off the screen.
    func finish() { StandardError.removeBar() }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 359_999).rounded(.up))
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3_600) h \(whole / 60 % 60) min"
    }
}
