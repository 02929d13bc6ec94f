import Foundation
import OpenCoreData

/// Values that attributes of any model take.
enum SampleValue {
    /// A value that an attribute's type and rules allow; `nil` when none of those tried here is.
    static func of(_ attribute: NSAttributeDescription) -> Any? {
        candidates(attribute).first { value in
            attribute.validationPredicates.allSatisfy { $0.evaluate(with: value) }
        }
    }

    private static func candidates(_ attribute: NSAttributeDescription) -> [Any] {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            [7, 1, 0, 100].map { NSNumber(value: $0) }
        case .doubleAttributeType, .floatAttributeType: [1.5, 0.5, 100].map { NSNumber(value: $0) }
        case .decimalAttributeType: [NSDecimalNumber(string: "12.25")]
        case .booleanAttributeType: [NSNumber(value: true)]
        case .stringAttributeType: ["Kløver", "a", String(repeating: "long", count: 20), "0123456789"]
        case .dateAttributeType: [Date(timeIntervalSinceReferenceDate: 700_000_000.5)]
        case .binaryDataAttributeType: [Data([0, 1, 254, 255])]
        case .UUIDAttributeType: [UUID(uuidString: "6F1C2E0A-9D4B-4C57-8E63-0B6A5D2F7C11") ?? UUID()]
        case .URIAttributeType: URL(string: "https://example.org/a?b=c").map { [$0] } ?? []
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
