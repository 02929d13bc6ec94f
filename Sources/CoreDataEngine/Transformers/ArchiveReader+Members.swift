#if !canImport(ObjectiveC)
import Foundation

/// A class of Foundation's whose `init(coder:)` can be given this coder, with what it takes for granted: it stops the
/// program at a member of another class.
struct FoundationCoding {
    struct Member {
        let key: String
        let classes: [AnyClass]
        let isRequired: Bool

        static func required(_ key: String, _ classes: AnyClass...) -> Member {
            Member(key: key, classes: classes, isRequired: true)
        }

        static func optional(_ key: String, _ classes: AnyClass...) -> Member {
            Member(key: key, classes: classes, isRequired: false)
        }
    }

    let members: [Member]

    /// Whether a class is one of Foundation's, and not one of the program's.
    static func isFoundations(_ type: AnyClass) -> Bool {
        let name = String(reflecting: type)
        return name.hasPrefix("Foundation.") || name.hasPrefix("FoundationNetworking.")
            || name.hasPrefix("FoundationXML.")
    }

    /// What is known of a class of Foundation's; nil when it is not known to be safe.
    static func coding(of type: AnyClass) -> FoundationCoding? {
        if ArchivedClasses.isKind(type, ofAny: [Unit.self, UnitConverter.self]) { return unit }
        return known[ObjectIdentifier(type)]
    }

    private static let unit = FoundationCoding(members: [
        .optional("NS.symbol", NSString.self), .optional("NS.converter", UnitConverter.self),
    ])

    private static let known: [ObjectIdentifier: FoundationCoding] = {
        let classes: [(AnyClass, [Member])] = [
            (NSValue.self, []), (NSNumber.self, []), (NSTimeZone.self, []),
            (NSLocale.self, [.required("NS.identifier", NSString.self)]),
            (NSDateComponents.self, []), (NSDateInterval.self, []), (NSPersonNameComponents.self, []),
            (NSRegularExpression.self, []), (NSAffineTransform.self, []), (ISO8601DateFormatter.self, []),
            (NSMeasurement.self, [.required("NS.unit", Unit.self)]),
            (
                NSCalendar.self,
                [
                    .required("NS.identifier", NSString.self), .required("NS.timezone", NSTimeZone.self),
                    .required("NS.locale", NSLocale.self), .optional("NS.gstartdate", NSDate.self),
                ]
            ),
        ]
        return Dictionary(uniqueKeysWithValues: classes.map { (ObjectIdentifier($0.0), .init(members: $0.1)) })
    }()
}

extension ArchiveReader {
    /// Whether an object of Foundation's has the members that its class takes for granted. What classes of the program
    /// take for granted is not known.
    func checkMembers(of type: AnyClass) throws {
        guard FoundationCoding.isFoundations(type) else { return }
        guard let coding = FoundationCoding.coding(of: type) else {
            throw ModelError.corrupt("A \(type) of the archive can't be read safely.")
        }
        if type == NSMeasurement.self { try checkValue() }
        if type == NSLocale.self { try checkIdentifier() }
        for member in coding.members {
            let value = decodeObject(of: member.classes, forKey: member.key)
            let isMissing = value == nil && !member.isRequired
            guard isMissing || member.classes.contains(where: { (value as? NSObject)?.isKind(of: $0) == true })
            else { throw ModelError.corrupt("A \(type) of the archive has a wrong or no \(member.key).") }
        }
    }

    /// Calendars take for granted that there is a locale of that name.
    private func checkIdentifier() throws {
        guard let name = decodeObject(of: [NSString.self], forKey: "NS.identifier") as? String,
            name.utf8.count < 200, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw ModelError.corrupt("A locale of the archive has no identifier.") }
    }

    /// A measurement's hash is made from its value as a whole number.
    private func checkValue() throws {
        guard Int64(exactly: decodeDouble(forKey: "NS.value").rounded(.towardZero)) != nil else {
            throw ModelError.corrupt("A measurement of the archive has no value, or a huge one.")
        }
    }
}
#endif
