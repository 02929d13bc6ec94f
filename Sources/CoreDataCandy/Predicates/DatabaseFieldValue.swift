public import OpenCoreDataKit

/// A type that an attribute can have.
public protocol DatabaseFieldValue {}

extension Bool: DatabaseFieldValue {}
extension Int: DatabaseFieldValue {}
extension Int16: DatabaseFieldValue {}
extension Int32: DatabaseFieldValue {}
extension Int64: DatabaseFieldValue {}
extension Double: DatabaseFieldValue {}
extension Float: DatabaseFieldValue {}
extension Decimal: DatabaseFieldValue {}
extension String: DatabaseFieldValue {}
extension Date: DatabaseFieldValue {}
extension Data: DatabaseFieldValue {}
extension URL: DatabaseFieldValue {}
extension UUID: DatabaseFieldValue {}
extension NSObject: DatabaseFieldValue {}
extension Optional: DatabaseFieldValue where Wrapped: DatabaseFieldValue {}
extension Array: DatabaseFieldValue where Element: DatabaseFieldValue {}

/// A string attribute, optional or not.
public protocol DatabaseTextValue: DatabaseFieldValue {}

extension String: DatabaseTextValue {}
extension Optional: DatabaseTextValue where Wrapped == String {}
