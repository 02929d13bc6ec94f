#if Macros
import SwiftSyntax

/// What can be seen of a type from how it is written.
struct ManagedTypeSyntax {
    enum Kind: Equatable {
        /// A type that attributes have as it is, by its name.
        case attribute(String)
        /// A set; of managed objects, or a `Codable` value.
        case set(element: String)
        /// An array; of managed objects, or a `Codable` value.
        case array(element: String)
        /// A type of the user's: a managed object, an enumeration, or a `Codable` value.
        case other
        /// A type that no property can have, and what to use instead.
        case unsupported(instead: String?)
    }

    let kind: Kind
    let isOptional: Bool
    let isImplicitlyUnwrapped: Bool
    /// The type without the mark of the optional.
    let wrapped: TypeSyntax

    private static let attributeNames: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "Bool", "Double", "Float", "String",
        "Date", "Data", "UUID", "URL", "Decimal",
    ]

    private static let replacements: [String: String?] = [
        "UInt": "Int", "UInt64": "Int64", "Int128": "Decimal", "UInt128": "Decimal", "Float16": "Float",
        "Float80": "Double", "Float32": "Float", "Float64": "Double", "CGFloat": "Double", "TimeInterval": "Double",
        "NSString": "String", "NSDate": "Date", "NSData": "Data", "NSUUID": "UUID", "NSURL": "URL",
        "NSDecimalNumber": "Decimal", "NSNumber": "Int", "Character": "String", "Substring": "String",
        "Any": nil, "AnyObject": nil, "NSObject": nil, "Void": nil,
    ]

    init(_ type: TypeSyntax) {
        if let optional = type.as(OptionalTypeSyntax.self) {
            (wrapped, isOptional, isImplicitlyUnwrapped) = (optional.wrappedType.trimmed, true, false)
        } else if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            (wrapped, isOptional, isImplicitlyUnwrapped) = (optional.wrappedType.trimmed, true, true)
        } else if let generic = type.as(IdentifierTypeSyntax.self), generic.name.text == "Optional",
            let argument = generic.onlyArgument
        {
            (wrapped, isOptional, isImplicitlyUnwrapped) = (argument, true, false)
        } else {
            (wrapped, isOptional, isImplicitlyUnwrapped) = (type.trimmed, false, false)
        }
        kind = Self.kind(of: wrapped)
    }

    private static func kind(of type: TypeSyntax) -> Kind {
        if let array = type.as(ArrayTypeSyntax.self) { return .array(element: array.element.trimmedDescription) }
        if type.is(DictionaryTypeSyntax.self) { return .other }
        if type.is(MemberTypeSyntax.self) { return member(type) }
        guard let identifier = type.as(IdentifierTypeSyntax.self) else { return .unsupported(instead: nil) }
        let name = identifier.name.text
        if let argument = identifier.onlyArgument {
            switch name {
            case "Set": return .set(element: argument.trimmedDescription)
            case "Array": return .array(element: argument.trimmedDescription)
            default: return .other
            }
        }
        if name == "NSSet" { return .unsupported(instead: "Set<…> of the class") }
        if name == "NSOrderedSet" { return .unsupported(instead: "an array of the class") }
        if attributeNames.contains(name) { return .attribute(name) }
        if let replacement = replacements[name] { return .unsupported(instead: replacement) }
        return .other
    }

    /// `Foundation.Date`, `Swift.Int`, or a type of the user's.
    private static func member(_ type: TypeSyntax) -> Kind {
        guard let member = type.as(MemberTypeSyntax.self),
            ["Swift", "Foundation"].contains(member.baseType.trimmedDescription),
            attributeNames.contains(member.name.text)
        else { return .other }
        return .attribute(member.name.text)
    }

    /// The name of a type that attributes have as it is.
    var attributeName: String? { if case .attribute(let name) = kind { name } else { nil } }

    /// The element of a set or array.
    var element: String? {
        switch kind {
        case .set(let element), .array(let element): element
        default: nil
        }
    }
}

extension IdentifierTypeSyntax {
    /// The type between the angle brackets, if it is the only one.
    fileprivate var onlyArgument: TypeSyntax? {
        // An argument is a type in swift-syntax 600, and a choice of a type or a value in later ones.
        guard let arguments = genericArgumentClause?.arguments, arguments.count == 1, let only = arguments.first,
            let type = Syntax(only.argument).as(TypeSyntax.self)
        else { return nil }
        return type.trimmed
    }
}
#endif
