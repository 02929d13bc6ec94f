import CoreDataPlatform

/// `Codable` values as the data that attributes keep.
enum JSONCoding {
    /// The data of a value; equal values give equal data as far as their own coding does.
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    static func read<Value: Decodable>(
        _ type: Value.Type, _ object: NSManagedObject, _ property: ResolvedProperty
    ) -> Value? {
        guard let data = Data.readOptional(object, property) else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// Sets a value. One that can't be encoded is reported when the object is saved.
    static func write<Value: Encodable>(_ value: Value?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        do {
            let data: Data? = if let value { try encode(value) } else { nil }
            Data.writeOptional(data, object, property)
            object.forgetInvalidValue(property)
        } catch {
            object.setInvalidValue(value as Any, property)
        }
    }
}
