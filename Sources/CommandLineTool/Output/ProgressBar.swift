import Foundation
import Synchronization

/// A line on standard error that shows how far a long command is, and how long it will still take.
///
/// Nothing is shown where that is no terminal, or one that can't clear a line, nor in the first moments: most commands
/// are done by then. After them the line is drawn again and again, so that a long step doesn't look like the end of all
/// progress.
final class ProgressBar: Sendable {
    private static let width = 30
    /// A bar narrower than this says nothing.
    private static let narrowest = 5
    private static let interval = Duration.milliseconds(150)
    private static let delay = Duration.milliseconds(500)

    private struct State {
        var (done, total) = (0, 1)
        var isFinished = false
    }

    private let label: String
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    /// A bar that is shown from now on until `finish()` is called.
    init(_ label: String, isTerminal: Bool = isatty(STDERR_FILENO) == 1 && TerminalSize.canClearLines) {
        self.label = label
        guard isTerminal else { return }
        Thread.detachNewThread { [weak self] in
            Thread.sleep(forTimeInterval: Self.delay / .seconds(1))
            while self?.draw() == true { Thread.sleep(forTimeInterval: Self.interval / .seconds(1)) }
        }
    }

    /// The line for `done` of `total` steps.
    ///
    /// - Parameters:
    ///   - elapsed: How long that took; the rest is assumed to be as fast.
    ///   - columns: The width of the terminal; `nil` if it isn't known.
    func line(done: Int, of total: Int, after elapsed: Duration, fitting columns: Int? = nil) -> String {
        let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
        let seconds = elapsed / .seconds(1)
        let time = share > 0.01 ? "\(Self.time(seconds / share - seconds)) left" : "\(Self.time(seconds)) so far"
        let numbers = "\(Int(share * 100)) %  \(time)"
        // The last column stays free: a terminal that fills it may go to the next line.
        let room = (columns ?? .max) - label.count - numbers.count - 3
        guard room >= Self.narrowest else { return String("\(label) \(numbers)".prefix(max(0, (columns ?? .max) - 1))) }
        let width = min(Self.width, room)
        let filled = Int(share * Double(width))
        return
            "\(label) \(String(repeating: "█", count: filled))\(String(repeating: "░", count: width - filled)) \(numbers)"
    }

    /// Records how far it is.
    func show(done: Int, of total: Int) {
        state.withLock { ($0.done, $0.total) = (done, total) }
    }

    /// Takes the bar off the screen; it doesn't come back.
    func finish() {
        state.withLock { state in
            state.isFinished = true
            StandardError.removeBar()
        }
    }

    /// - Returns: Whether it is to be drawn again.
    private func draw() -> Bool {
        state.withLock { state in
            guard !state.isFinished else { return false }
            StandardError.showBar(
                line(
                    done: state.done, of: state.total, after: ContinuousClock.now - start,
                    fitting: TerminalSize.columns(of: STDERR_FILENO)))
            return true
        }
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 359_999).rounded(.up))
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3_600) h \(whole / 60 % 60) min"
    }
}
