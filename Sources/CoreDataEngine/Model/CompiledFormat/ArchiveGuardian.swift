#if !canImport(ObjectiveC)
import Foundation
import Synchronization

/// Keeps from an archive what stops the program in Foundation's archiver.
final class ArchiveGuardian: NSObject, NSKeyedArchiverDelegate {
    /// The first object that can't be archived.
    private(set) var refused: Any?
    private let requiresSecureCoding: Bool
    private let bridge: (Any) -> Any

    /// - Parameter bridge: Makes an object of a value that an object gives the archiver.
    init(requiringSecureCoding: Bool, bridge: @escaping (Any) -> Any = { $0 }) {
        requiresSecureCoding = requiringSecureCoding
        self.bridge = bridge
    }

    func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
        let bridged = bridge(object)
        if isCodable(bridged), Self.hasName(Self.archivedClass(of: bridged)) { return bridged }
        refused = refused ?? object
        return NSNull()
    }

    private func isCodable(_ object: Any) -> Bool {
        if let coding = object as? any NSSecureCoding, Swift.type(of: coding).supportsSecureCoding { return true }
        return !requiresSecureCoding && object is any NSCoding
    }

    /// The class that the archiver names.
    static func archivedClass(of object: Any) -> AnyClass {
        (object as? NSObject)?.classForKeyedArchiver ?? Swift.type(of: object as AnyObject)
    }

    /// Whether the archiver can name a class and those that it inherits from: it can't where one is nested in another
    /// type, local, private or generic.
    static func hasName(_ type: AnyClass) -> Bool {
        let key = ObjectIdentifier(type)
        if let known = named.withLock({ $0[key] }) { return known }
        let isTopLevel = String(reflecting: type).count { $0 == "." } == 1
        let isNamed = isTopLevel && (_getSuperclass(type).map { hasName($0) } ?? true)
        named.withLock { $0[key] = isNamed }
        return isNamed
    }

    private static let named = Mutex<[ObjectIdentifier: Bool]>([:])

    func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}
    func archiver(_ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?) {}
    func archiverWillFinish(_ archiver: NSKeyedArchiver) {}
    func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
}
#endif
