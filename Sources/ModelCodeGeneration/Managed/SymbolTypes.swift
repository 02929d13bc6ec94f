/// A type that a symbol can name: its module, and the names from the outermost type inwards.
struct NominalType: Hashable, Sendable {
    /// The letters of kinds of types in symbols.
    enum Kind: String, Sendable {
        case `class` = "C"
        case `struct` = "V"
        case `enum` = "O"
    }

    struct Part: Hashable, Sendable {
        var name: String
        var kind: Kind
    }

    var module: String
    var path: [Part]

    init(module: String, path: [Part]) {
        self.module = module
        self.path = path
    }

    init(_ module: String, _ name: String, _ kind: Kind) {
        self.init(module: module, path: [Part(name: name, kind: kind)])
    }
}

/// The types outside a module that its properties can have.
enum SymbolTypes {
    /// The types of the standard library that symbols have a letter for.
    static let letters: [String: Character] = [
        "Array": "a", "Bool": "b", "Dictionary": "D", "Double": "d", "Float": "f", "Set": "h", "Int": "i",
        "Character": "J", "String": "S", "Substring": "s", "UInt": "u",
    ]

    /// Other names of types.
    static let aliases: [String: String] = ["TimeInterval": "Double", "NSRange": "_NSRange"]

    /// A type by the name that it has without a module.
    static let known: [String: NominalType] = {
        var result: [String: NominalType] = [:]
        func add(_ module: String, _ kind: NominalType.Kind, _ names: String) {
            for name in names.split(separator: " ").map(String.init) { result[name] = NominalType(module, name, kind) }
        }
        add("Swift", .struct, "Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 AnyHashable")
        add(
            "FoundationEssentials", .struct,
            "AttributedString Calendar Data Date DateComponents DateInterval Decimal IndexPath Locale TimeZone URL UUID"
        )
        add("FoundationEssentials", .struct, "URLComponents URLQueryItem")
        add("Foundation", .struct, "CharacterSet IndexSet PersonNameComponents")
        add("Foundation", .struct, "CGFloat CGPoint CGRect CGSize _NSRange")
        add(
            "Foundation", .class,
            """
            NSArray NSAttributedString NSCalendar NSCountedSet NSData NSDate NSDateComponents NSDecimalNumber \
            NSDictionary NSError NSIndexSet NSLocale NSMutableArray NSMutableAttributedString NSMutableData \
            NSMutableDictionary NSMutableOrderedSet NSMutableSet NSMutableString NSNull NSNumber NSObject NSOrderedSet \
            NSSet NSString NSTimeZone NSURL NSUUID NSValue
            """)
        add("CoreDataEngine", .class, "NSManagedObject NSManagedObjectID")
        return result
    }()

    /// The modules whose names may stand in front of a known type.
    static let modules: Set<String> = ["Foundation", "FoundationEssentials", "CoreData", "OpenCoreData"]

    /// The types whose values can be the `id` of `Identifiable`.
    static let hashableNames: Set<String> = [
        "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int16", "Int32", "Int64", "String", "TimeInterval",
        "URL", "UUID",
    ]
}
