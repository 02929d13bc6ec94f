import Foundation

/// Reads keyed archives of which only some classes are allowed.
enum ArchivedClasses {
    /// The classes of property lists.
    static let propertyList: [AnyClass] = [
        NSArray.self, NSData.self, NSDate.self, NSDictionary.self, NSNumber.self, NSString.self,
    ]

    /// Those of property lists, and sets, URLs, UUIDs and null.
    static let plain: [AnyClass] = propertyList + [NSSet.self, NSURL.self, NSUUID.self, NSNull.self]

    /// Reads an archive whose root is of a class that is allowed.
    ///
    /// - Returns: The root; nil where the data is no archive, is damaged, or names a class that is not allowed, that isn't
    ///   there, or that can't be read securely.
    static func unarchived(_ data: Data, isAllowed: @escaping (AnyClass) -> Bool) -> Any? {
        guard data.starts(with: Data("bplist".utf8)) else { return nil }
        #if canImport(ObjectiveC)
        guard let list = try? BinaryPropertyList(data), let names = names(in: list) else { return nil }
        var classes = plain
        for name in names {
            guard let found = NSClassFromString(name), isAllowed(found) else { return nil }
            classes.append(found)
        }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
        #else
        return try? ArchiveReader.root(of: data, isAllowed: isAllowed)
        #endif
    }

    /// Whether a class is one of some, or inherits from one.
    static func isKind(_ type: AnyClass, ofAny classes: [AnyClass]) -> Bool {
        var current: AnyClass? = type
        while let found = current {
            if classes.contains(where: { $0 == found }) { return true }
            current = _getSuperclass(found)
        }
        return false
    }

    #if canImport(ObjectiveC)
    private static func names(in list: BinaryPropertyList) -> Set<String>? {
        var names = Set<String>()
        for case .dictionary(let keys, let values) in list.objects {
            for (key, value) in zip(keys, values) where list.objects[key] == .string("$classname") {
                guard case .string(let name) = list.objects[value] else { return nil }
                names.insert(name)
            }
        }
        return names
    }
    #endif
}
