#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// What people call an object: the value of the attribute that looks most like a name.
enum ObjectLabel {
    private static let longest = 80

    /// The attribute that names objects of an entity.
    static func attribute(of entity: NSEntityDescription) -> NSAttributeDescription? {
        entity.namingAttribute
    }

    static func string(of object: NSManagedObject) -> String? {
        guard let attribute = attribute(of: object.entity),
            let string = object.value(forKey: attribute.name) as? String
        else { return nil }
        return string.count > longest ? string.prefix(longest) + "…" : string
    }

    /// An object as the end of a link.
    static func link(_ object: NSManagedObject) -> JSONValue {
        ["id": .string(object.inspectorName), "label": JSONValue(string(of: object))]
    }
}
#endif
