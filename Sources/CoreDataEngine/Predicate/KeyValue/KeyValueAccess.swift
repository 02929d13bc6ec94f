import Foundation

/// Reads values by key and key path, from whatever there is.
package enum KeyValueAccess {
    /// The value at a key path such as `author.name`, `books.@count` or `books.@sum.price`.
    ///
    /// - Throws: An error that names the key if an object does not have it.
    package static func value(of object: Any?, forKeyPath path: String) throws -> Any? {
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "@") }) else {
            return try value(of: object, forKey: path)
        }
        return try value(of: object, path.split(separator: ".")[...])
    }

    private static func value(of object: Any?, _ keys: ArraySlice<Substring>) throws -> Any? {
        var current = OptionalValue.flatten(object)
        var rest = keys
        while let key = rest.popFirst() {
            if key.first == "@" {
                return try CollectionOperator.apply(String(key), to: current, rest.joined(separator: "."))
            }
            guard let owner = current else {
                // `author.books.@count` without an author: the operators know what to make of nothing.
                guard let position = rest.firstIndex(where: { $0.first == "@" }) else { return nil }
                rest = rest[position...]
                continue
            }
            current = try value(of: owner, forKey: String(key))
        }
        return current
    }

    /// The value of one property.
    ///
    /// A collection gives the list of its elements' values, flat.
    package static func value(of object: Any?, forKey key: String) throws -> Any? {
        guard let object else { return nil }
        if key == "self" || key == "SELF" { return object }
        if let dictionary = object as? any KeyedCollection { return dictionary.anyValue(forKey: key) }
        switch object {
        case let object as any ThrowingKeyValueCoding:
            return OptionalValue.flatten(try object.predicateValue(forKey: key))
        case let object as any KeyValueCoding: return OptionalValue.flatten(object.value(forKey: key))
        case let dictionary as NSDictionary: return OptionalValue.flatten(dictionary.object(forKey: key))
        case let string as String: return try StringProperties.value(of: string, forKey: key)
        default: break
        }
        if let elements = CollectionElements.of(object) { return try values(of: elements, forKey: key) }
        return try ReflectedProperties.value(of: object, forKey: key)
    }

    private static func values(of elements: [Any?], forKey key: String) throws -> [Any?] {
        var result: [Any?] = []
        result.reserveCapacity(elements.count)
        for case let element? in elements {
            let value = try value(of: element, forKey: key)
            if let value, !(value is String), !(value is NSDictionary), let nested = CollectionElements.of(value) {
                result.append(contentsOf: nested)
            } else {
                result.append(value)
            }
        }
        return result
    }
}

/// The few properties of strings and values that Apple's classes offer under these names.
enum StringProperties {
    static func value(of string: String, forKey key: String) throws -> Any? {
        switch key {
        case "length": string.utf16.count
        case "uppercaseString": string.uppercased()
        case "lowercaseString": string.lowercased()
        case "capitalizedString": string.capitalized
        case "stringValue", "description": string
        case "intValue", "integerValue", "longLongValue": Int(string.prefix { $0 == "-" || $0.isNumber }) ?? 0
        case "doubleValue", "floatValue": Double(string) ?? 0
        case "boolValue": "YyTt123456789".contains(string.first ?? "0")
        default: throw PredicateError.unknownKey(key, of: "a string")
        }
    }
}

/// Reads stored properties by reflection, and some well-known ones of Foundation's values.
enum ReflectedProperties {
    static func value(of object: Any, forKey key: String) throws -> Any? {
        switch (object, key) {
        case (let number as NSNumber, _): return try numberValue(number, key)
        case (let date as Date, "timeIntervalSinceReferenceDate"): return date.timeIntervalSinceReferenceDate
        case (let date as Date, "timeIntervalSince1970"): return date.timeIntervalSince1970
        case (let url as URL, _): return try urlValue(url, key)
        case (let data as Data, "length"): return data.count
        case (let uuid as UUID, "UUIDString"): return uuid.uuidString
        case (let described as any UserInfoHolding, "userInfo"): return described.userInfo
        default: return try stored(object, key)
        }
    }

    private static func stored(_ object: Any, _ key: String) throws -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            for child in current.children where child.label == key || child.label == "_\(key)" {
                return OptionalValue.flatten(child.value)
            }
            mirror = current.superclassMirror
        }
        throw PredicateError.unknownKey(key, of: "a value of type \(type(of: object))")
    }

    private static func numberValue(_ number: NSNumber, _ key: String) throws -> Any? {
        switch key {
        case "intValue", "integerValue", "longLongValue": return number.int64Value
        case "doubleValue", "floatValue": return number.doubleValue
        case "boolValue": return number.boolValue
        case "stringValue", "description":
            return (number as? NSDecimalNumber)?.stringValue ?? PredicateValue(number).string
        default: throw PredicateError.unknownKey(key, of: "a number")
        }
    }

    private static func urlValue(_ url: URL, _ key: String) throws -> Any? {
        switch key {
        case "absoluteString": return url.absoluteString
        case "path": return url.path
        case "host": return url.host
        case "scheme": return url.scheme
        case "lastPathComponent": return url.lastPathComponent
        case "pathExtension": return url.pathExtension
        default: throw PredicateError.unknownKey(key, of: "a URL")
        }
    }
}
