import Foundation

/// The classes that a keyed archive names, looked at before it is read: Foundation's unarchiver stops the program at a class
/// that the program has and that it was not told of by exactly that name.
enum ArchivedClasses {
    /// The property-list classes, dates, UUIDs and URLs.
    static let plain: [AnyClass] = [
        NSString.self, NSNumber.self, NSDate.self, NSData.self, NSArray.self, NSDictionary.self, NSSet.self,
        NSURL.self, NSUUID.self, NSNull.self,
    ]

    /// Reads an archive of whose classes each is allowed.
    ///
    /// - Returns: The root; nil where the data is no archive, is damaged, or names another class or one that isn't there.
    static func unarchived(_ data: Data, isAllowed: (AnyClass) -> Bool) -> Any? {
        guard data.starts(with: Data("bplist".utf8)), let list = try? BinaryPropertyList(data),
            KeyedArchiveCheck.isSound(list), let names = names(in: list)
        else { return nil }
        var classes = plain
        for name in names {
            guard let found = NSClassFromString(name), isAllowed(found) else { return nil }
            classes.append(found)
        }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
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
}
