import Sticky
import TestSupport

/// A model with books.
enum BookModel {
    /// - Parameters:
    ///   - className: What the entity calls its class.
    ///   - entities: The entities, all of that class.
    ///   - extra: An attribute that makes it another version.
    static func make(
        className: String = NSStringFromClass(Book.self), entities: [String] = ["Book"], extra: String? = nil
    ) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities.map { name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = className
            entity.properties = [
                LibraryModel.attribute("title", .stringAttributeType, optional: false, default: ""),
                LibraryModel.attribute("genre", .stringAttributeType),
            ]
            if let extra { entity.properties.append(LibraryModel.attribute(extra, .stringAttributeType)) }
            return entity
        }
        return model
    }
}
