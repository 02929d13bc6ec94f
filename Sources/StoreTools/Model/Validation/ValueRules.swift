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
    private var leastText: String? { attribute.element.text(isDate ? "minDateTimeInterval" : "minValueString") }
    private var mostText: String? { attribute.element.text(isDate ? "maxDateTimeInterval" : "maxValueString") }
    private var what: String { type == .stringAttributeType ? "length" : "value" }

    // MARK: Default

    private func defaultProblems() -> [Problem] {
        guard let text = attribute.defaultText else { return [] }
        if attribute.isDerived {
            return [
                Problem(
                    severity: .note, rule: "default", message: "A default value has no effect on a derived attribute.")
            ]
        }
        guard SourceValue.value(text, of: type) != nil else {
            return [
                Problem(
                    severity: .error, rule: "default",
                    message: "The default '\(text)' is not a value of the type \(attribute.typeName).")
            ]
        }
        if let problem = conversionProblem(text) { return [problem] }
        return rangeProblem(text)
    }

    /// Numbers are read up to where they end, as Apple's compiler does.
    private func conversionProblem(_ text: String) -> Problem? {
        let isRead: Bool
        switch type {
        case .integer16AttributeType: isRead = Int16(text) != nil
        case .integer32AttributeType: isRead = Int32(text) != nil
        case .integer64AttributeType: isRead = Int64(text) != nil
        case .doubleAttributeType, .floatAttributeType: isRead = Double(text) != nil
        case .booleanAttributeType: isRead = ["YES", "NO", "true", "false", "1", "0"].contains(text)
        default: isRead = true
        }
        guard !isRead else { return nil }
        let value = SourceValue.value(text, of: type).map { "\($0)" } ?? "nothing"
        return Problem(
            severity: .warning, rule: "default",
            message:
                "The default '\(text)' is not a value of the type \(attribute.typeName); it is treated as \(value).")
    }

    private func rangeProblem(_ text: String) -> [Problem] {
        guard let size = type == .stringAttributeType ? Double(text.utf16.count) : Double(text) else { return [] }
        if let text = leastText, let least = Double(text), size < least {
            return [
                Problem(
                    severity: .warning, rule: "default",
                    message: "The default is below the minimum \(what), \(text): new objects can't be saved.")
            ]
        }
        if let text = mostText, let most = Double(text), size > most {
            return [
                Problem(
                    severity: .warning, rule: "default",
                    message: "The default is above the maximum \(what), \(text): new objects can't be saved.")
            ]
        }
        return []
    }

    // MARK: Limits

    private func limitProblems() -> [Problem] {
        let texts = [leastText, mostText].compactMap(\.self)
        if let wrong = texts.first(where: { Double($0) == nil }) {
            return [
                Problem(
                    severity: .error, rule: "limits",
                    message: "The limit '\(wrong)' does not fit the type \(attribute.typeName).")
            ]
        }
        guard let least = leastText.flatMap(Double.init), let most = mostText.flatMap(Double.init), least > most else {
            return []
        }
        return [
            Problem(
                severity: .warning, rule: "limits",
                message: "The minimum \(what) is greater than the maximum: no object can be saved.")
        ]
    }

    private func patternProblems() -> [Problem] {
        guard let pattern = attribute.element.text("regularExpressionString") else { return [] }
        guard let expression = try? NSRegularExpression(pattern: pattern) else {
            return [
                Problem(
                    severity: .warning, rule: "pattern",
                    message: "The pattern '\(pattern)' is not a regular expression.")
            ]
        }
        guard let text = attribute.defaultText, type == .stringAttributeType else { return [] }
        let whole = NSRange(text.startIndex..., in: text)
        guard expression.firstMatch(in: text, options: [.anchored], range: whole)?.range != whole else { return [] }
        return [
            Problem(
                severity: .warning, rule: "default",
                message: "The default '\(text)' doesn't match the pattern: new objects can't be saved.")
        ]
    }
}
