import Logging
import Synchronization

/// Reports values that a property couldn't return as its type promises: there is no value although the type isn't
/// optional, or the stored value can't be converted.
///
/// The property then reads as a neutral value. Each property is reported once. Reports are logged (swift-log, label
/// `OpenCoreData.Values`), unless ``setHandler(_:)`` sets another handler, for example to stop the program:
///
///     UnreadableValues.setHandler { fatalError($0.message) }
///
/// May be used from any thread.
public enum UnreadableValues {
    /// What could not be read.
    public struct Report: Sendable {
        /// The entity.
        public let entity: String
        /// The property.
        public let property: String
        /// The Swift type that the property promises.
        public let type: String
        /// Why there is no such value.
        public let reason: String

        /// The report as a sentence.
        public var message: String {
            "The property '\(property)' of \(entity) can't be read as \(type): \(reason)"
        }
    }

    private struct Key: Hashable {
        let entity: String
        let property: String
    }

    private struct State {
        var reported: Set<Key> = []
        var handler: @Sendable (Report) -> Void = logging
    }

    private static let logging: @Sendable (Report) -> Void = {
        let write = DiagnosticLog.writer("OpenCoreData.Values", level: .error)
        return { write($0.message) }
    }()

    private static let state = Mutex(State())

    /// Sets what is done with reports instead of logging them. What was reported before is reported again.
    ///
    /// The handler replaces the former one, and each property is reported once more.
    ///
    /// - Parameter handler: Called on the thread that read the value; must not use the context. `nil` for the log.
    public static func setHandler(_ handler: (@Sendable (Report) -> Void)?) {
        state.withLock { $0 = State(handler: handler ?? logging) }
    }

    /// Reports a property, unless it was reported before.
    package static func record(_ property: String, of entity: String, type: Any.Type, _ reason: String) {
        let key = Key(entity: entity, property: property)
        let handler = state.withLock { state in state.reported.insert(key).inserted ? state.handler : nil }
        handler?(Report(entity: entity, property: property, type: "\(type)", reason: reason))
    }
}
