import Foundation

/// Named values of an entity or property in an archive of Xcode's model editor. Each is the default of an object.
struct XcodeStereotype {
    private var holders: [String: ArchivedObject] = [:]

    init(values: [ArchivedObject]) throws {
        for value in values {
            if let name = try value.string("_name") { holders[name] = value }
        }
    }

    func bool(_ name: String) throws -> Bool { try holders[name]?.bool("_default") ?? false }

    func int(_ name: String) throws -> Int { try holders[name]?.int("_default") ?? 0 }

    /// A number of objects.
    func count(_ name: String) throws -> Int { min(max(0, try int(name)), Int(Int32.max)) }

    func string(_ name: String) throws -> String? { try holders[name]?.string("_default") }

    func object(_ name: String) throws -> ArchivedObject? { try holders[name]?.object("_default") }

    /// Lists of names; a name is a string, or what has the name.
    func nameLists(_ name: String) throws -> [[String]] {
        guard let holder = holders[name] else { return [] }
        return try (try holder.array("_default") ?? []).map { element in
            guard case .object(let list) = element else { throw holder.wrongKind(name, "lists of names") }
            return try list.elements().map { part in
                switch part {
                case .string(let string): return string
                case .object(let object):
                    guard let string = try object.string("_name") ?? object.string("NS.string") else {
                        throw holder.wrongKind(name, "lists of names")
                    }
                    return string
                default: throw holder.wrongKind(name, "lists of names")
                }
            }
        }
    }
}
