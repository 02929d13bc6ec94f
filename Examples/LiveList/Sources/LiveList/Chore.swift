import OpenCoreDataKit

/// Something to be done in a room.
final class Chore: NSManagedObject {
    static let titleProperty = ManagedProperty<String>("title")
    static let roomProperty = ManagedProperty<String>("room")
    static let doneProperty = ManagedProperty<Bool>("isDone")

    var title: String {
        get { self[Chore.titleProperty] }
        set { self[Chore.titleProperty] = newValue }
    }

    var room: String {
        get { self[Chore.roomProperty] }
        set { self[Chore.roomProperty] = newValue }
    }

    var isDone: Bool {
        get { self[Chore.doneProperty] }
        set { self[Chore.doneProperty] = newValue }
    }

    static func makeModel() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType, _ value: Any) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = false
            attribute.defaultValue = value
            return attribute
        }
        let chore = NSEntityDescription()
        chore.name = "Chore"
        chore.managedObjectClassName = NSStringFromClass(Chore.self)
        chore.properties = [
            attribute("title", .stringAttributeType, ""), attribute("room", .stringAttributeType, ""),
            attribute("isDone", .booleanAttributeType, false),
        ]
        let model = NSManagedObjectModel()
        model.entities = [chore]
        return model
    }
}
