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
        if let archive = PropertyListArchiver.archive(value) { return archive }
        #endif
        guard let object = TransformableCoding.bridged(value) else { throw refusal(of: value) }
        #if canImport(ObjectiveC)
        return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        #else
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        // `encode(with:)` may pass Swift's strings, dates and arrays, which have no coding of their own.
        let guardian = ArchiveGuardian(requiringSecureCoding: true) { object in
            type(of: object) is AnyClass ? object : TransformableCoding.bridged(object) ?? object
        }
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
        var reason = "its class does not conform to NSSecureCoding."
        #if !canImport(ObjectiveC)
        if value is any NSSecureCoding, !ArchiveGuardian.hasName(ArchiveGuardian.archivedClass(of: value)) {
            reason =
                "its class, or one that it inherits from, is nested in another type, private, local or generic, and "
                + "Foundation can't name it here. Declare it at the top level of a module, or name a value transformer."
        }
        #endif
        return CoreDataError.make(NSCoreDataError, "A \(type(of: value)) can't be archived: \(reason)")
    }
}
