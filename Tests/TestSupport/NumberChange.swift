public import Foundation
public import OpenCoreData

/// A number of one attribute type that becomes one of another, or doesn't fit.
public struct NumberChange: Sendable, CustomStringConvertible {
    /// The type that the attribute had.
    public let from: NSAttributeType
    /// The number.
    public let number: @Sendable () -> NSNumber
    /// The type that the attribute gets.
    public let to: NSAttributeType
    /// What it becomes; `nil` if it doesn't fit.
    public let expected: (@Sendable () -> NSNumber)?

    /// The change in the name of a test.
    public var description: String { "\(from) \(number()) to \(to)" }

    private init(
        _ from: NSAttributeType, _ number: @autoclosure @escaping @Sendable () -> NSNumber, _ to: NSAttributeType,
        _ expected: (@Sendable () -> NSNumber)? = nil
    ) {
        (self.from, self.number, self.to, self.expected) = (from, number, to, expected)
    }

    private static func decimal(_ digits: String) -> NSDecimalNumber { NSDecimalNumber(string: digits) }

    /// Numbers that fit.
    public static let fitting: [NumberChange] = [
        NumberChange(.integer64AttributeType, 9_007_199_254_740_992, .doubleAttributeType) { 9_007_199_254_740_992 },
        NumberChange(.integer64AttributeType, -7, .decimalAttributeType) { -7 },
        NumberChange(.integer64AttributeType, NSNumber(value: Int64.max), .decimalAttributeType) {
            decimal("9223372036854775807")
        },
        NumberChange(.integer64AttributeType, 300, .integer16AttributeType) { 300 },
        NumberChange(.integer32AttributeType, 16_777_216, .floatAttributeType) { 16_777_216 },
        NumberChange(.doubleAttributeType, 0.1, .decimalAttributeType) { decimal("0.1") },
        NumberChange(.doubleAttributeType, 0.25, .floatAttributeType) { 0.25 },
        NumberChange(.doubleAttributeType, 0.1, .floatAttributeType) { NSNumber(value: Float(0.1)) },
        NumberChange(.doubleAttributeType, -3, .integer16AttributeType) { -3 },
        NumberChange(.floatAttributeType, NSNumber(value: Float(0.1)), .doubleAttributeType) {
            NSNumber(value: Double(Float(0.1)))
        },
        NumberChange(.floatAttributeType, NSNumber(value: Float(0.1)), .decimalAttributeType) { decimal("0.1") },
        NumberChange(.decimalAttributeType, decimal("12.5"), .doubleAttributeType) { 12.5 },
        NumberChange(.decimalAttributeType, decimal("0.1"), .floatAttributeType) { NSNumber(value: Float(0.1)) },
        NumberChange(.decimalAttributeType, decimal("-300"), .integer16AttributeType) { -300 },
        NumberChange(.decimalAttributeType, decimal("1"), .booleanAttributeType) { true },
        NumberChange(.booleanAttributeType, true, .integer32AttributeType) { 1 },
        NumberChange(.booleanAttributeType, false, .doubleAttributeType) { 0 },
    ]

    /// Numbers that don't.
    public static let misfits: [NumberChange] = [
        NumberChange(.integer64AttributeType, 40_000, .integer16AttributeType),
        NumberChange(.integer64AttributeType, -3_000_000_000, .integer32AttributeType),
        NumberChange(.integer64AttributeType, 9_007_199_254_740_993, .doubleAttributeType),
        NumberChange(.integer64AttributeType, NSNumber(value: Int64.max), .doubleAttributeType),
        NumberChange(.integer32AttributeType, 16_777_217, .floatAttributeType),
        NumberChange(.integer16AttributeType, 2, .booleanAttributeType),
        NumberChange(.integer16AttributeType, -1, .booleanAttributeType),
        NumberChange(.doubleAttributeType, 1e19, .integer64AttributeType),
        NumberChange(.doubleAttributeType, 7.5, .integer32AttributeType),
        NumberChange(.doubleAttributeType, 0.5, .booleanAttributeType),
        NumberChange(.doubleAttributeType, 1e300, .floatAttributeType),
        NumberChange(.doubleAttributeType, NSNumber(value: Double.pi), .floatAttributeType),
        NumberChange(.doubleAttributeType, 1e200, .decimalAttributeType),
        NumberChange(.doubleAttributeType, NSNumber(value: Double.infinity), .integer16AttributeType),
        NumberChange(.floatAttributeType, 70_000, .integer16AttributeType),
        NumberChange(.decimalAttributeType, decimal("7.5"), .integer16AttributeType),
        NumberChange(.decimalAttributeType, decimal("1e30"), .integer64AttributeType),
        NumberChange(.decimalAttributeType, decimal("16777217"), .floatAttributeType),
    ]
}
