#if PostgreSQL && Server
import CoreMetrics
import Synchronization

/// Keeps what metrics record, by label and dimensions.
final class RecordedMetrics: MetricsFactory {
    private let values = Mutex<[String: [Double]]>([:])

    /// What was recorded under a label with these dimensions among others.
    func values(_ label: String, _ dimensions: [String: String]) -> [Double] {
        values.withLock { values in
            values.filter { name, _ in
                name.hasPrefix(label + " ") && dimensions.allSatisfy { name.contains(" \($0)=\($1) ") }
            }.flatMap(\.value)
        }
    }

    /// The sum of what counters of a label were increased by.
    func sum(_ label: String, _ dimensions: [String: String]) -> Double { values(label, dimensions).reduce(0, +) }

    private final class Handler: CounterHandler, FloatingPointCounterHandler, RecorderHandler, TimerHandler,
        MeterHandler
    {
        private let note: @Sendable (Double) -> Void

        init(_ note: @escaping @Sendable (Double) -> Void) { self.note = note }

        func increment(by amount: Int64) { note(Double(amount)) }
        func increment(by amount: Double) { note(amount) }
        func decrement(by amount: Double) { note(-amount) }
        func record(_ value: Int64) { note(Double(value)) }
        func record(_ value: Double) { note(value) }
        func recordNanoseconds(_ duration: Int64) { note(Double(duration) / 1e9) }
        func set(_ value: Int64) { note(Double(value)) }
        func set(_ value: Double) { note(value) }
        func reset() {}
    }

    private func handler(_ label: String, _ dimensions: [(String, String)]) -> Handler {
        let name = "\(label) " + dimensions.map { " \($0)=\($1) " }.joined()
        return Handler { [weak self] value in self?.values.withLock { $0[name, default: []].append(value) } }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { handler(label, dimensions) }
    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { handler(label, dimensions) }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { handler(label, dimensions) }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        handler(label, dimensions)
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { handler(label, dimensions) }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
#endif
