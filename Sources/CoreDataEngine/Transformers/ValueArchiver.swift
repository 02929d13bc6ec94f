import Foundation

/// Makes keyed archives of the values of transformable attributes.
enum ValueArchiver {
    /// The archive of a value, to be read securely.
    ///
    /// - Throws: An error that names what can't be archived: Foundation's archiver stops the program there.
    static func archive(_ value: Any) throws -> Data {
        #if !canImport(ObjectiveC)
            try DecimalSearch().search(value)
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

    private static func refusal(of value: Any) -> any Error {
        CoreDataError.make(
            NSCoreDataError, "A \(type(of: value)) can't be archived: its class does not conform to NSSecureCoding.")
    }
}

#if !canImport(ObjectiveC)
    /// Looks for decimals in a value, also in those that objects of the program's classes encode: off Apple's systems
    /// Foundation's archiver stops the program at one.
    private final class DecimalSearch: NSCoder {
        private var seen: Set<ObjectIdentifier> = []
        private var hasDecimal = false

        func search(_ value: Any) throws {
            look(at: value)
            guard hasDecimal else { return }
            throw CoreDataError.make(
                NSCoreDataError,
                "A \(type(of: value)) can't be archived: there is a decimal number in it, which Foundation can't archive here. "
                    + "Have the decimal's string in it, or name a value transformer.")
        }

        private func look(at value: Any?) {
            guard let value, !hasDecimal else { return }
            // Sets first: a cast to a class makes Foundation's set of one, with the hashes of its elements.
            if let elements = value as? Set<AnyHashable> {
                for element in elements { look(at: element.base) }
                return
            }
            if value is NSDecimalNumber || type(of: value) == Decimal.self {
                hasDecimal = true
                return
            }
            switch value {
            case let elements as [Any]: for element in elements { look(at: element) }
            case let dictionary as [AnyHashable: Any]: for element in dictionary.values { look(at: element) }
            case let object as any NSObject & NSCoding:
                let isOfProgram = !String(reflecting: type(of: object)).hasPrefix("Foundation.")
                if isOfProgram, seen.insert(ObjectIdentifier(object)).inserted { object.encode(with: self) }
            default: break
            }
        }

        override var allowsKeyedCoding: Bool { true }
        override var requiresSecureCoding: Bool { true }
        override func encode(_ object: Any?, forKey key: String) { look(at: object) }
        override func encode(_ object: Any?) { look(at: object) }
        override func encodeConditionalObject(_ object: Any?, forKey key: String) { look(at: object) }
        override func encode(_ value: Bool, forKey key: String) {}
        override func encode(_ value: Int32, forKey key: String) {}
        override func encode(_ value: Int64, forKey key: String) {}
        override func encode(_ value: Int, forKey key: String) {}
        override func encode(_ value: Float, forKey key: String) {}
        override func encode(_ value: Double, forKey key: String) {}
        override func encode(_ data: Data) {}
        override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {}
        override func encodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeRawPointer) {}
    }

    /// Keeps from an archive what stops the program.
    private final class ArchiveGuardian: NSObject, NSKeyedArchiverDelegate {
        /// The first object that can't be archived.
        private(set) var refused: Any?

        func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
            if let coding = object as? any NSSecureCoding, type(of: coding).supportsSecureCoding { return object }
            refused = refused ?? object
            return NSNull()
        }

        func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}
        func archiver(_ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?) {}
        func archiverWillFinish(_ archiver: NSKeyedArchiver) {}
        func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
    }
#endif
