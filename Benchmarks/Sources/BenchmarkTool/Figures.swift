import Foundation

/// Small functions for figures.
enum Figures {
    /// The middle value, or the mean of the two in the middle; 0 for no values.
    static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    static func milliseconds(_ seconds: Double) -> String {
        let value = seconds * 1000
        return decimal(value, places: value < 10 ? 2 : value < 1000 ? 1 : 0)
    }

    static func ratio(_ value: Double) -> String {
        decimal(value, places: 2)
    }

    static func decimal(_ value: Double, places: Int) -> String {
        String(format: "%.\(places)f", value)
    }
}
