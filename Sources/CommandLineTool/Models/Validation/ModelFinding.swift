/// Something in a model that is wrong, or perhaps not what was meant.
struct ModelFinding: Equatable {
    enum Severity: String, Comparable, CaseIterable {
        /// The model cannot be used.
        case error
        /// The model can be used; Xcode warns about it too, or it loses data.
        case warning
        /// Worth a look.
        case note

        static func < (first: Severity, second: Severity) -> Bool {
            (allCases.firstIndex(of: first) ?? 0) < (allCases.firstIndex(of: second) ?? 0)
        }
    }

    var severity: Severity
    /// The rule, in a word that scripts can look for.
    var rule: String
    var entity: String?
    var property: String?
    var line: Int?
    var message: String

    /// `Entity.property`, or as much of it as there is.
    var subject: String? {
        guard let entity else { return property }
        return property.map { "\(entity).\($0)" } ?? entity
    }
}
