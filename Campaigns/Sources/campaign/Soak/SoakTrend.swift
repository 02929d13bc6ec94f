/// Whether what a process holds stays level.
struct SoakTrend {
    /// One measure of the samples.
    struct Measure {
        var name: String
        var value: (SoakSample) -> Int
        /// How much the median of the last third may be above that of the middle third, in parts and absolutely.
        var part: Double
        var slack: Int
    }

    static var measures: [Measure] {
        [
            Measure(name: "memory", value: \.memory, part: 0.08, slack: 6 << 20),
            Measure(name: "allocated", value: \.allocated, part: 0.05, slack: 1 << 20),
            Measure(name: "log", value: \.log, part: 0.25, slack: 8 << 20),
            Measure(name: "store", value: \.store, part: 0.10, slack: 2 << 20),
            Measure(name: "handles", value: \.handles, part: 0.10, slack: 3),
            Measure(name: "threads", value: \.threads, part: 0.20, slack: 6),
        ]
    }

    let samples: [SoakSample]

    /// A run of seconds is all warming up, and may grow by more.
    private var warming: Double { max(1, 60 / max(samples.last?.seconds ?? 60, 1)) }

    private func median(_ part: ArraySlice<SoakSample>, _ value: (SoakSample) -> Int) -> Int {
        let sorted = part.map(value).sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    /// What grows: the first third is for warming up.
    var problems: [String] {
        guard samples.count >= 9 else { return ["There are \(samples.count) samples, too few to see a trend"] }
        let third = samples.count / 3
        return Self.measures.compactMap { measure in
            let before = median(samples[third..<2 * third], measure.value)
            let after = median(samples[(2 * third)...], measure.value)
            let allowed = Int(Double(before) * measure.part + Double(measure.slack) * warming)
            guard after - before > allowed else { return nil }
            return "\(measure.name) grows: \(before) in the middle third, \(after) in the last"
        }
    }

    /// The medians of the thirds, for the user.
    var lines: [String] {
        guard samples.count >= 3 else { return [] }
        let third = samples.count / 3
        return Self.measures.map { measure in
            let parts = [samples[..<third], samples[third..<2 * third], samples[(2 * third)...]]
            let medians = parts.map { "\(median($0, measure.value))" }.joined(separator: ", ")
            return "soak: \(measure.name): \(medians), at most \(samples.map(measure.value).max() ?? 0)"
        }
    }
}
