#if Telemetry || Server
import CoreMetrics
import OpenCoreData
import Synchronization
import Tracing

/// Makes spans and timers of the work of stores.
final class TelemetryMonitor: StoreMonitor {
    private struct TimerKey: Hashable {
        let kind: MonitoredStatement.Kind
        let store: StoreLabels
    }

    private let metrics: (any MetricsFactory)?
    private let tracer: (any Tracer)?
    private let timers = Mutex<[TimerKey: CoreMetrics.Timer]>([:])

    init(metrics: (any MetricsFactory)?, tracer: (any Tracer)?) {
        self.metrics = metrics
        self.tracer = tracer
    }

    func scope() -> @Sendable (() -> Void) -> Void {
        let context = ServiceContext.current
        return { body in ServiceContext.withValue(context, operation: body) }
    }

    func measure<Result>(_ task: StoreTask, _ body: () throws -> Result) rethrows -> Result {
        let span = activeTracer.startSpan(task.kind.rawValue, context: ServiceContext.current ?? .topLevel)
        defer { span.end() }
        describe(span, task.store, operation: task.kind.rawValue)
        if let entity = task.entity { span.attributes["opencoredata.entity"] = entity }
        do {
            return try ServiceContext.withValue(span.context, operation: body)
        } catch {
            // Its message may have values.
            span.setStatus(SpanStatus(code: .error))
            throw error
        }
    }

    func didRun(_ statement: MonitoredStatement) {
        timer(statement.kind, statement.store).recordNanoseconds(statement.nanoseconds)
        let end = DefaultTracerClock.now.nanosecondsSinceEpoch
        let start = Moment(nanosecondsSinceEpoch: end &- UInt64(max(0, statement.nanoseconds)))
        let operation = statement.kind.rawValue.uppercased()
        let span = activeTracer.startSpan(
            operation, context: ServiceContext.current ?? .topLevel, ofKind: .client, at: start)
        describe(span, statement.store, operation: operation)
        if statement.hasFailed { span.setStatus(SpanStatus(code: .error)) }
        span.end(at: Moment(nanosecondsSinceEpoch: end))
    }

    private var activeTracer: any Tracer { tracer ?? InstrumentationSystem.tracer }

    /// Sets the attributes that OpenTelemetry's conventions for databases name.
    private func describe(_ span: any Span, _ store: StoreLabels, operation: String) {
        span.updateAttributes { attributes in
            attributes["db.system.name"] = store.system
            attributes["db.namespace"] = [store.store, store.schema].compactMap { $0 }.joined(separator: "|")
            attributes["db.operation.name"] = operation
        }
    }

    private func timer(_ kind: MonitoredStatement.Kind, _ store: StoreLabels) -> CoreMetrics.Timer {
        timers.withLock { timers in
            let key = TimerKey(kind: kind, store: store)
            if let timer = timers[key] { return timer }
            let timer = CoreMetrics.Timer(
                label: "opencoredata_statement_seconds", dimensions: [("kind", kind.rawValue)] + store.dimensions,
                factory: metrics ?? MetricsSystem.factory)
            timers[key] = timer
            return timer
        }
    }

    private struct Moment: TracerInstant {
        let nanosecondsSinceEpoch: UInt64

        static func < (first: Moment, second: Moment) -> Bool {
            first.nanosecondsSinceEpoch < second.nanosecondsSinceEpoch
        }
    }
}
#endif
