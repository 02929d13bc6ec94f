import Foundation
package import OpenCoreData

/// What can be wrong with the default and the limits of an attribute.
package struct ValueRules {
    package let attribute: CheckedProperty
    package let type: NSAttributeType

    package struct Problem {
        package let severity: ModelFinding.Severity
        package let rule: String
        package let message: String
    }

    package func problems() -> [Problem] { defaultProblems() + limitProblems() + patternProblems() }

    private var isDate: Bool { type == .dateAttributeType }
    private var least: String? { attribute.element.string(isDate ? "minDateTimeInterval" : "minValueString") }
    private var most: String? { attribute.element.string(isDate ? "maxDateTimeInterval" : "maxValueString") }
    private var what: String { type == .stringAttributeType ? "length" : "value" }

    // MARK: Default

    private func defaultProblems() -> [Problem] {
        guard let string = attribute.defaultString else { return [] }
        if attribute.isDerived {
            return [
                Problem(
                    severity: .note, rule: "default", message: "A default value has no effect on a derived attribute.")
            ]
        }
        guard SourceValue.value(string, of: type) != nil else {
            return [
                Problem(
                    severity: .warning, rule: "default",
                    message: "The default '\(string)' is not a value of the type \(attribute.typeName); it is left out."
                )
            ]
        }
        if let problem = conversionProblem(string) { return [problem] }
        return rangeProblem(string)
    }

    /// Numbers are read up to where they end, as Apple's compiler does.
    private func conversionProblem(_ string: String) -> Problem? {
        let isRead: Bool
        switch type {
        case .integer16AttributeType: isRead = Int16(string) != nil
        case .integer32AttributeType: isRead = Int32(string) != nil
        case .integer64AttributeType: isRead = Int64(string) != nil
        case .doubleAttributeType, .floatAttributeType: isRead = Double(string) != nil
        case .booleanAttributeType: isRead = ["YES", "NO", "true", "false", "1", "0"].contains(string)
        case .decimalAttributeType: isRead = Decimal.isNumber(string)
        default: isRead = true
        }
        guard !isRead else { return nil }
        let value = SourceValue.value(string, of: type).map { "\($0)" } ?? "nothing"
        return Problem(
            severity: .warning, rule: "default",
            message:
                "The default '\(string)' is not a value of the type \(attribute.typeName); it is treated as \(value).")
    }

    private func rangeProblem(_ string: String) -> [Problem] {
        guard let size = type == .stringAttributeType ? Double(string.utf16.count) : Double(string) else { return [] }
        if let string = least, let least = Double(string), size < least {
            return [
                Problem(
                    severity: .warning, rule: "default",
                    message: "The default is below the minimum \(what), \(string): new objects can't be saved.")
            ]
        }
        if let string = most, let most = Double(string), size > most {
            return [
                Problem(
                    severity: .warning, rule: "default",
                    message: "The default is above the maximum \(what), \(string): new objects can't be saved.")
            ]
        }
        return []
    }

    // MARK: Limits

    private func limitProblems() -> [Problem] {
        let limits = [least, most].compactMap(\.self)
        if let wrong = limits.first(where: { Double($0) == nil }) {
            return [
                Problem(
                    severity: .warning, rule: "limits",
                    message: "The limit '\(wrong)' does not fit the type \(attribute.typeName); it is left out.")
            ]
        }
        guard let least = least.flatMap(Double.init), let most = most.flatMap(Double.init), least > most else {
            return []
        }
        return [
            Problem(
                severity: .warning, rule: "limits",
                message: "The minimum \(what) is greater than the maximum: no object can be saved.")
        ]
    }

    private func patternProblems() -> [Problem] {
        guard let pattern = attribute.element.string("regularExpressionString") else { return [] }
        guard let expression = try? NSRegularExpression(pattern: pattern) else {
            return [
                Problem(
                    severity: .warning, rule: "pattern",
                    message: "The pattern '\(pattern)' is not a regular expression.")
            ]
        }
        guard let string = attribute.defaultString, type == .stringAttributeType else { return [] }
        let whole = NSRange(string.startIndex..., in: string)
        guard expression.firstMatch(in: string, options: [.anchored], range: whole)?.range != whole else { return [] }
        return [
            Problem(
                severity: .warning, rule: "default",
                message: "The default '\(string)' doesn't match the pattern: new objects can't be saved.")
        ]
    }
}
