/// Something in a model that is wrong, or perhaps not what was meant.
package struct ModelFinding: Equatable {
    package enum Severity: String, Comparable, CaseIterable {
        /// The model cannot be used.
        case error
        /// The model can be used; Xcode warns about it too, or it loses data.
        case warning
        /// Worth a look.
        case note

        package static func < (first: Severity, second: Severity) -> Bool {
            (allCases.firstIndex(of: first) ?? 0) < (allCases.firstIndex(of: second) ?? 0)
        }
    }

    package var severity: Severity
    /// The rule, in a word that scripts can look for.
    package var rule: String
    package var entity: String?
    package var property: String?
    package var line: Int?
    package var message: String

    /// `Entity.property`, or as much of it as there is.
    package var subject: String? {
        guard let entity else { return property }
        return property.map { "\(entity).\($0)" } ?? entity
    }
}
