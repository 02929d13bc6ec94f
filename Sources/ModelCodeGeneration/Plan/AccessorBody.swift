/// How a property of a class is read and written.
struct AccessorBody: Hashable, Sendable {
    /// The type of the `ManagedProperty` that it goes through; `nil` for key-value coding.
    var slotType: SwiftType?
    /// The statements of the getter.
    var getter: [String]
    /// The statements of the setter, with `newValue`; `nil` for a property that is only read.
    var setter: [String]?

    /// What the engine has a typed accessor for, and so its optional.
    private static let slotTypes: Set<String> = [
        "String", "Int", "Int16", "Int32", "Int64", "Double", "Float", "Bool", "Date", "Data", "UUID", "URL", "Decimal",
    ]
    /// Numbers that key-value coding hands out as `NSNumber`, with the property of it.
    private static let otherNumbers: [String: String] = [
        "Int8": "int8Value", "UInt": "uintValue", "UInt8": "uint8Value", "UInt16": "uint16Value",
        "UInt32": "uint32Value", "UInt64": "uint64Value",
    ]
    /// What represents a value that isn't there where the type has no `nil`.
    private static let empty: [String: String] = [
        "NSSet": "NSSet()", "NSOrderedSet": "NSOrderedSet()", "NSNumber": "NSNumber(value: 0)",
        "NSDecimalNumber": "NSDecimalNumber(value: 0)", "NSString": "NSString()", "NSData": "NSData()",
        "NSDate": "NSDate(timeIntervalSinceReferenceDate: 0)", "NSArray": "NSArray()",
        "NSDictionary": "NSDictionary()",
    ]

    /// The same for types whose neutral value couldn't be mistaken for a real one; reading them is reported.
    private static let neutral: [String: String] = [
        "Any": "NSNull()", "AttributedString": "AttributedString()", "CGFloat": "0", "CGPoint": "CGPoint.zero",
        "CGRect": "CGRect.zero", "CGSize": "CGSize.zero", "Calendar": "Calendar(identifier: .gregorian)",
        "CharacterSet": "CharacterSet()", "DateComponents": "DateComponents()", "DateInterval": "DateInterval()",
        "IndexPath": "IndexPath()", "IndexSet": "IndexSet()", "Locale": "Locale(identifier: \"\")",
        "NSAttributedString": "NSAttributedString(string: \"\")", "NSCountedSet": "NSCountedSet()",
        "NSDateComponents": "NSDateComponents()", "NSIndexSet": "NSIndexSet()", "NSMutableArray": "NSMutableArray()",
        "NSMutableAttributedString": "NSMutableAttributedString(string: \"\")", "NSMutableData": "NSMutableData()",
        "NSMutableDictionary": "NSMutableDictionary()", "NSMutableOrderedSet": "NSMutableOrderedSet()",
        "NSMutableSet": "NSMutableSet()", "NSMutableString": "NSMutableString(string: \"\")", "NSNull": "NSNull()",
        "NSObject": "NSObject()", "NSRange": "NSRange(location: 0, length: 0)",
        "NSURL": "NSURL(fileURLWithPath: \"/dev/null\")", "PersonNameComponents": "PersonNameComponents()",
        "TimeZone": "TimeZone.gmt", "URLComponents": "URLComponents()",
    ]

    /// - Parameters:
    ///   - type: The declared type.
    ///   - key: The property in the model.
    ///   - slot: The expression of its `ManagedProperty`.
    ///   - owner: The class, for the message of a trap.
    ///   - isManagedClass: Whether a name is that of a class of managed objects.
    init(
        type: SwiftType, key: String, slot: String, owner: String, isManagedClass: (String) -> Bool
    ) {
        let wrapped = type.unwrapped
        if let name = wrapped.simpleName {
            if name == "TimeInterval" {
                self.init(slotType: type.isOptional ? .optional(.named("Double")) : .named("Double"), slot)
                return
            }
            if Self.slotTypes.contains(name) || type.isOptional && ["NSSet", "NSOrderedSet"].contains(name) {
                self.init(slotType: type, slot)
                return
            }
            if isManagedClass(name) {
                self.init(object: wrapped, type.isOptional, slot)
                return
            }
            if let property = Self.otherNumbers[name] {
                self.init(number: property, type, key)
                return
            }
        }
        if let element = wrapped.element(of: "Set"), let name = element.simpleName, isManagedClass(name) {
            self.init(slotType: wrapped, slot)
            if type.isOptional { setter = ["self[\(slot)] = newValue ?? []"] }
            return
        }
        self.init(keyed: type, key, "\(owner).\(key)")
    }

    /// An `NSNumber`, or its optional, over a slot with a number.
    init(boxing scalar: String, type: SwiftType, slot: String) {
        let isDecimal = scalar == "Decimal"
        let boxed = isDecimal ? "NSDecimalNumber(decimal: " : "NSNumber(value: "
        let unboxed = isDecimal ? "decimalValue" : SwiftIdentifier.uncapitalized(scalar) + "Value"
        if type.isOptional {
            slotType = .optional(.named(scalar))
            getter = ["self[\(slot)].map { \(boxed)$0) }"]
            setter = ["self[\(slot)] = newValue?.\(unboxed)"]
        } else {
            slotType = .named(scalar)
            getter = ["\(boxed)self[\(slot)])"]
            setter = ["self[\(slot)] = newValue.\(unboxed)"]
        }
    }

    /// A primitive accessor, as in `primitiveName`.
    init(primitive type: SwiftType, key: String, owner: String) {
        self.init(keyed: type, key, "\(owner).\(key)", read: "primitiveValue", write: "setPrimitiveValue")
        if let name = type.unwrapped.simpleName, let number = Self.numberProperty(name) {
            let optional = "(primitiveValue(forKey: \"\(key)\") as? NSNumber)?.\(number)"
            getter = [type.isOptional ? optional : "\(optional) ?? \(name == "Bool" ? "false" : "0")"]
        }
    }

    private static func numberProperty(_ name: String) -> String? {
        switch name {
        case "Int", "Int16", "Int32", "Int64", "Double", "Float", "Bool":
            SwiftIdentifier.uncapitalized(name) + "Value"
        default: otherNumbers[name]
        }
    }

    /// A property that is read from its slot and written to it as it is.
    init(slotType: SwiftType, _ slot: String) {
        self.slotType = slotType
        getter = ["self[\(slot)]"]
        setter = ["self[\(slot)] = newValue"]
    }

    private init(object type: SwiftType, _ isOptional: Bool, _ slot: String) {
        slotType = .optional(type)
        setter = ["self[\(slot)] = newValue"]
        getter = [isOptional ? "self[\(slot)]" : "self[\(slot)] ?? _standIn(for: \(slot))"]
    }

    private init(number property: String, _ type: SwiftType, _ key: String) {
        slotType = nil
        let value = "(value(forKey: \"\(key)\") as? NSNumber)?.\(property)"
        getter = [type.isOptional ? value : "\(value) ?? 0"]
        setter = [
            type.isOptional
                ? "setValue(newValue.map { NSNumber(value: $0) }, forKey: \"\(key)\")"
                : "setValue(NSNumber(value: newValue), forKey: \"\(key)\")"
        ]
    }

    private init(
        keyed type: SwiftType, _ key: String, _ path: String, read: String = "value", write: String = "setValue"
    ) {
        slotType = nil
        setter = ["\(write)(newValue, forKey: \"\(key)\")"]
        let value = "\(read)(forKey: \"\(key)\")"
        switch type {
        case .optional(.any): getter = [value]
        case .optional(let wrapped): getter = ["\(value) as? \(wrapped.source)"]
        default:
            let cast = type == .any ? value : "\(value) as? \(type.source)"
            if let absent = Self.absent(type) {
                getter = ["\(cast) ?? \(absent)"]
            } else if let neutral = Self.neutral[type == .any ? "Any" : type.simpleName ?? ""] {
                getter = ["\(cast) ?? _absent(\(neutral), \"\(key)\")"]
            } else {
                getter = Self.required(cast, path)
            }
        }
    }

    private static func absent(_ type: SwiftType) -> String? {
        if case .named(["Dictionary"], let arguments) = type, arguments.count == 2 { return "[:]" }
        if type.element(of: "Array") != nil || type.element(of: "Set") != nil { return "[]" }
        guard let name = type.simpleName else { return nil }
        switch name {
        case "String": return "\"\""
        case "Date": return "Date(timeIntervalSinceReferenceDate: 0)"
        case "Data": return "Data()"
        case "Decimal": return "0"
        default: return empty[name]
        }
    }

    /// A value whose type has no `nil` and nothing that could represent it.
    private static func required(_ value: String, _ path: String) -> [String] {
        [
            "guard let result = \(value) else {",
            "    fatalError(\"\(path) has no value, and its type is not optional.\")",
            "}",
            "return result",
        ]
    }
}
