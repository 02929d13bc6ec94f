import Foundation

/// Makes keyed archives of the values of transformable attributes.
enum ValueArchiver {
    /// The archive of a value, to be read securely.
    ///
    /// - Throws: An error that names what can't be archived: Foundation's archiver stops the program there.
    static func archive(_ value: Any) throws -> Data {
        #if !canImport(ObjectiveC)
            // Before anything takes an element out.
            if let obstacle = ArchiveSearch.obstacle(in: value) { throw refusal(of: value, obstacle) }
        #endif
        guard let object = TransformableCoding.bridged(value) else { throw refusal(of: value) }
        #if canImport(ObjectiveC)
            return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        #else
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            let guardian = ArchiveGuardian()
            archiver.delegate = guardian
            archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
            archiver.finishEncoding()
            if let refused = guardian.refused { throw refusal(of: refused) }
            return archiver.encodedData
        #endif
    }

    #if !canImport(ObjectiveC)
        private static func refusal(of value: Any, _ obstacle: ArchiveSearch.Obstacle) -> any Error {
            let reason =
                switch obstacle {
                case .decimal:
                    "there is a decimal number in it, which Foundation can't archive here. Have the decimal's string in "
                        + "it, or name a value transformer."
                case .hashedCollection:
                    "it contains a dictionary with a collection as a key, or a set with one as an element, which "
                        + "Foundation can't archive here. Use an array of pairs, or name a value transformer."
                }
            return CoreDataError.make(NSCoreDataError, "A \(type(of: value)) can't be archived: \(reason)")
        }
    #endif

    private static func refusal(of value: Any) -> any Error {
        CoreDataError.make(
            NSCoreDataError, "A \(type(of: value)) can't be archived: its class does not conform to NSSecureCoding.")
    }
}

#if !canImport(ObjectiveC)
    /// Keeps from an archive what stops the program.
    private final class ArchiveGuardian: NSObject, NSKeyedArchiverDelegate {
        /// The first object that can't be archived.
        private(set) var refused: Any?

        func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
            // `encode(with:)` may pass Swift's strings, dates and arrays, which have no coding of their own.
            let bridged = type(of: object) is AnyClass ? object : TransformableCoding.bridged(object) ?? object
            if let coding = bridged as? any NSSecureCoding, type(of: coding).supportsSecureCoding { return bridged }
            refused = refused ?? object
            return NSNull()
        }

        func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}
        func archiver(_ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?) {}
        func archiverWillFinish(_ archiver: NSKeyedArchiver) {}
        func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
    }
#endif
