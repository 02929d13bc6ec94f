import Sticky

/// What a program remembers outside of its database, because it decides how that is opened.
struct LaunchSettings {
    let defaults: UserDefaults

    /// Whether the following launches begin with nothing, and forget everything at their end.
    var startsInMemory: Bool {
        get { defaults.bool(forKey: "startsInMemory") }
        nonmutating set {
            defaults.set(newValue, forKey: "startsInMemory")
            // The program is about to end.
            _ = defaults.synchronize()
        }
    }
}

/// A notebook with what a debug menu has for looking at a first launch: a button that deletes the database, and a switch
/// that leaves it alone and starts in memory.
struct Notebook {
    enum Command {
        case add(String)
        case list
        case startInMemory(Bool)
        case deleteDatabase
    }

    let name: String
    let settings: LaunchSettings

    /// One launch of the program, from the container to what it shows.
    func launch(_ command: Command) throws -> [String] {
        let container = PersistentContainer(
            name: name, managedObjectModel: Note.model(), inMemory: settings.startsInMemory)
        let provider = try container.start()
        switch command {
        case .add(let text):
            try provider.newBackgroundContext().performAndWait { context in
                try context.create(Note.self).text = text
                try context.save()
            }
            return try notes(provider)
        case .list:
            return try notes(provider)
        case .startInMemory(let isOn):
            settings.startsInMemory = isOn
            return ["The next launch is in \(isOn ? "memory" : "the database")."]
        case .deleteDatabase:
            do {
                try container.deleteSQLiteStores()
                return ["There is no database: this launch is in memory."]
            } catch PersistentContainer.Error.reinitializationRequired {
                return ["The database is deleted. The next launch is the first one."]
            }
        }
    }

    private func notes(_ provider: some ContextProviding) throws -> [String] {
        try provider.newBackgroundContext().performAndWait { context in
            try context.fetch(Note.self) { request in
                request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            }.map(\.text)
        }
    }
}

extension Notebook.Command {
    /// - Parameter arguments: Those of the command line.
    init?(_ arguments: [String]) {
        switch arguments.first {
        case "add" where arguments.count == 2: self = .add(arguments[1])
        case "list" where arguments.count == 1: self = .list
        case "memory" where arguments.dropFirst() == ["on"]: self = .startInMemory(true)
        case "memory" where arguments.dropFirst() == ["off"]: self = .startInMemory(false)
        case "delete" where arguments.count == 1: self = .deleteDatabase
        default: return nil
        }
    }
}

final class Note: NSManagedObject {
    private static let textProperty = ManagedProperty<String>("text")

    var text: String {
        get { self[Note.textProperty] }
        set { self[Note.textProperty] = newValue }
    }

    static func model() -> NSManagedObjectModel {
        let text = NSAttributeDescription()
        text.name = "text"
        text.attributeType = .stringAttributeType
        let note = NSEntityDescription()
        note.name = "Note"
        note.managedObjectClassName = String(reflecting: Note.self)
        note.properties = [text]
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }
}
