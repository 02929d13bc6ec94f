import Foundation

/// What SwiftData says about composite attributes in ways that model source has no words for: source holds strings.
enum CompositeSource {
    /// Whether a composite attribute is an enumeration.
    private static let enumerationKey = "EnumType"
    /// The cases of an enumeration without raw values.
    private static let casesKey = "enum"
    /// The default value of a struct, which only says that the value isn't nil.
    private static let emptyString = "{}"

    /// The string for an entry of a composite attribute's user info; nil for one that source cannot hold.
    static func string(_ value: Any, forKey key: String) -> String? {
        switch key {
        case enumerationKey: return (value as? NSNumber).map { $0.boolValue ? "YES" : "NO" }
        case casesKey:
            guard let cases = value as? [Any], cases.allSatisfy({ $0 is String }),
                let data = try? JSONEncoder().encode(cases.compactMap { $0 as? String })
            else { return nil }
            return String(decoding: data, as: UTF8.self)
        default: return nil
        }
    }

    /// The user info of a composite attribute, with the values that strings represent.
    static func userInfo(_ entries: [AnyHashable: Any]?) -> [AnyHashable: Any]? {
        guard var info = entries else { return nil }
        if let string = info[enumerationKey] as? String, let flag = SourceValue.bool(string) {
            info[enumerationKey] = NSNumber(value: flag)
        }
        if let string = info[casesKey] as? String,
            let cases = try? JSONDecoder().decode([String].self, from: Data(string.utf8))
        {
            info[casesKey] = cases
        }
        return info
    }

    /// The string of a composite attribute's default value; nil for one that source cannot hold.
    static func defaultString(_ value: Any) -> String? {
        (value as? [AnyHashable: Any])?.isEmpty == true ? emptyString : nil
    }

    /// The default value that a string represents; `nil` if the string isn't one.
    static func defaultValue(_ string: String) -> Any? {
        string == emptyString ? [String: Any]() : nil
    }
}
