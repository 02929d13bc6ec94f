import Synchronization

/// Finds out whether reads are being noted on this thread.
///
/// The Observation library doesn't say. But a registrar puts the key path of each read into a set while
/// `withObservationTracking` runs, and does nothing otherwise; and a key path that has an argument asks the argument for
/// its hash then. So models that are not observed need no registrar, and writing them has no observers to tell.
final class ObservationProbe: Observable {
    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    /// The argument of the key path. Registrars hash it at other times, too, and on other threads.
    private struct Mark: Hashable {
        let flag: Flag

        static func == (lhs: Mark, rhs: Mark) -> Bool { lhs.flag === rhs.flag }

        func hash(into hasher: inout Hasher) { flag.isSet.store(true, ordering: .relaxed) }
    }

    private let flag: Flag
    private let keyPath: KeyPath<ObservationProbe, Int>
    @exclusivity(unchecked) private var registrar = Registrar()

    private subscript(mark: Mark) -> Int { 0 }

    init() {
        let flag = Flag()
        let mark = Mark(flag: flag)
        self.flag = flag
        keyPath = \ObservationProbe.[mark]
    }

    /// Whether `isTracking` can be relied on with the Observation library that is there.
    static let works = {
        let probe = ObservationProbe()
        return withObservationTracking({ probe.isTracking }, onChange: {})
    }()

    /// Whether reads are being noted. If so, `takeRegistrar` has to follow.
    var isTracking: Bool {
        flag.isSet.store(false, ordering: .relaxed)
        registrar.value.access(self, keyPath: keyPath)
        return flag.isSet.load(ordering: .relaxed)
    }

    /// The registrar that noted the read: the model's from now on, so that what was noted ends with the model.
    func takeRegistrar() -> Registrar {
        let used = registrar
        registrar = Registrar()
        return used
    }
}

/// A registrar on the heap: whether there is one, and using it, costs less than with the value, which is copied and
/// compared by functions of its library.
final class Registrar: Sendable {
    let value = ObservationRegistrar()
}
