/// The time at which an ``EntityMonitor`` reports changes.
public enum FireFrequency: Hashable, Sendable {
    /// As soon as the context has processed them, saved or not.
    case onChange
    /// Once the context has saved them.
    case onSave
}
