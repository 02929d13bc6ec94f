#if Inspector
    import Foundation
    import OpenCoreData
    import StoreTools

    /// What people call an object: the value of the attribute that looks most like a name.
    enum ObjectLabel {
        private static let names = [
            "name", "title", "label", "displayName", "fullName", "subject", "key", "identifier",
        ]
        private static let longest = 80

        /// The attribute that names objects of an entity.
        static func attribute(of entity: NSEntityDescription) -> NSAttributeDescription? {
            let texts = entity.storedAttributes.filter { $0.attributeType == .stringAttributeType }
            for name in names {
                if let found = texts.first(where: { $0.name.lowercased() == name.lowercased() }) { return found }
            }
            for name in names {
                if let found = texts.first(where: { $0.name.lowercased().hasSuffix(name.lowercased()) }) {
                    return found
                }
            }
            return texts.first
        }

        static func text(of object: NSManagedObject) -> String? {
            guard let attribute = attribute(of: object.entity),
                let text = object.value(forKey: attribute.name) as? String
            else { return nil }
            return text.count > longest ? text.prefix(longest) + "…" : text
        }

        /// An object as the end of a link.
        static func link(_ object: NSManagedObject) -> JSONValue {
            ["id": .string(object.inspectorName), "label": JSONValue(text(of: object))]
        }
    }
#endif
