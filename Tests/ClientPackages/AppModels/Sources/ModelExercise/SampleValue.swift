import Foundation
import OpenCoreData

/// Values that attributes of any model take.
enum SampleValue {
    /// A value that an attribute's type and rules allow; `nil` when none of those tried here is.
    ///
    /// - Parameter number: Another one for each object, as values may have to be unique.
    static func of(_ attribute: NSAttributeDescription, _ number: Int) -> Any? {
        candidates(attribute, number).first { value in
            attribute.validationPredicates.allSatisfy { $0.evaluate(with: value) }
        }
    }

    private static func candidates(_ attribute: NSAttributeDescription, _ number: Int) -> [Any] {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            [number, 1, 0, 100].map { NSNumber(value: $0) }
        case .doubleAttributeType, .floatAttributeType: [Double(number) + 0.5, 0.5, 100].map { NSNumber(value: $0) }
        case .decimalAttributeType: [NSDecimalNumber(string: "\(number).25")]
        case .booleanAttributeType: [NSNumber(value: true)]
        case .stringAttributeType: ["Kløver \(number)", "a", String(repeating: "long", count: 20), "0123456789"]
        case .dateAttributeType: [Date(timeIntervalSinceReferenceDate: 700_000_000.5 + Double(number))]
        case .binaryDataAttributeType: [Data([0, 1, 254, UInt8(truncatingIfNeeded: number)])]
        case .UUIDAttributeType: [UUID()]
        case .URIAttributeType: URL(string: "https://example.org/a?b=\(number)").map { [$0] } ?? []
        case .transformableAttributeType where isPlain(attribute): [NSArray(array: ["a", "b"])]
        // Values of an application's own classes can't be made here.
        default: []
        }
    }

    private static func isPlain(_ attribute: NSAttributeDescription) -> Bool {
        [nil, "NSObject", "NSArray"].contains(attribute.attributeValueClassName)
            && [
                nil, "", "NSKeyedUnarchiveFromDataTransformerName", "NSSecureUnarchiveFromDataTransformerName",
                "NSSecureUnarchiveFromData",
            ].contains(attribute.valueTransformerName)
    }
}
