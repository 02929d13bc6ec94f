import Synchronization

/// The names of elements: as in Apple's files those of the properties, whatever strings the coding keys represent.
enum ElementName {
    private static let known = Mutex<[ObjectIdentifier: [String]]>([:])

    static func of<Key: CodingKey>(_ key: Key) -> String {
        // A key that stands for another string has a raw value; the others are called as their properties are.
        guard Key.self is any RawRepresentable.Type, let names = names(of: Key.self),
            let name = EnumSlots.caseName(of: key, among: names)
        else { return key.stringValue }
        return name
    }

    private static func names<Key: CodingKey>(of type: Key.Type) -> [String]? {
        let identifier = ObjectIdentifier(type)
        if let names = known.withLock({ $0[identifier] }) { return names.isEmpty ? nil : names }
        let names = EnumSlots.caseNames(of: type) ?? []
        known.withLock { $0[identifier] = names }
        return names.isEmpty ? nil : names
    }
}
