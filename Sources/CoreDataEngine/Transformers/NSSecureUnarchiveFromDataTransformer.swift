#if !canImport(ObjectiveC)
import Foundation

/// Reads keyed archives of allowed classes, and writes them in reverse.
///
/// Subclass it and override `allowedTopLevelClasses` for classes of your own, which conform to `NSSecureCoding`.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes whose archives are read. Values inside of them may be of these classes too.
    open class var allowedTopLevelClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
            NSURL.self, NSUUID.self, NSNull.self,
        ]
    }

    open override class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Returns the object in an archive, or `nil` if the data isn't an archive of allowed classes.
    ///
    /// A class that isn't allowed, inside of the archive or at its top, gives `nil`. So does a value that isn't `Data`.
    ///
    /// - Parameter value: The archive, as `Data`.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        let classes = Self.allowedTopLevelClasses
        guard
            let value = ArchivedClasses.unarchived(
                data, isAllowed: { ArchivedClasses.isKind($0, ofAny: classes) })
        else { return nil }
        // The unarchiver of Foundation on Linux gives out numbers and strings without asking for their class.
        guard let object = TransformableCoding.bridged(value) as? NSObject,
            classes.contains(where: { object.isKind(of: $0) })
        else { return nil }
        return value
    }

    /// Returns the archive of an object, or `nil` if it can't be archived securely.
    ///
    /// `nil` gives `nil`. The classes of the values have to conform to `NSSecureCoding`.
    ///
    /// - Parameter value: The object.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        value.flatMap { try? ValueArchiver.archive($0) }
    }
}
#endif
