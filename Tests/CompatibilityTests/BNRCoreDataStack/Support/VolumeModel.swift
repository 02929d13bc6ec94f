import BNRCoreDataStack
import TestSupport

/// A model for lists: volumes by their first letters, and who wrote them.
enum VolumeModel {
    static func make() -> NSManagedObjectModel {
        let (volume, writer) = (NSEntityDescription(), NSEntityDescription())
        (volume.name, writer.name) = ("Volume", "Writer")
        volume.managedObjectClassName = NSStringFromClass(Volume.self)
        writer.managedObjectClassName = NSStringFromClass(Writer.self)
        volume.properties = [
            LibraryModel.attribute("title", .stringAttributeType, optional: false, default: ""),
            LibraryModel.attribute("initial", .stringAttributeType, optional: false, default: ""),
            LibraryModel.relationship("writer", to: writer, rule: .nullifyDeleteRule),
        ]
        writer.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.relationship("volumes", to: volume, toMany: true, rule: .nullifyDeleteRule),
        ]
        LibraryModel.pair(volume, "writer", writer, "volumes")
        let model = NSManagedObjectModel()
        model.entities = [volume, writer]
        return model
    }

    /// 100 titles with 19 first characters, "1984" before all others.
    static let titles: [String] =
        ["1984"]
        + "ABCDEFGHIJLMNOPSTW".enumerated().flatMap { index, letter in
            (0..<(index.isMultiple(of: 2) ? 6 : 5)).map { "\(letter)\("aeiouy".dropFirst($0).prefix(1)) Story" }
        }
}

/// A book in a list.
final class Volume: NSManagedObject {
    static let titleProperty = ManagedProperty<String>("title")
    static let initialProperty = ManagedProperty<String>("initial")
    static let writerProperty = ManagedProperty<Writer?>("writer")

    /// Sets the initial too.
    var title: String {
        get { self[Volume.titleProperty] }
        set {
            self[Volume.titleProperty] = newValue
            self[Volume.initialProperty] = String(newValue.prefix(1))
        }
    }

    var writer: Writer? {
        get { self[Volume.writerProperty] }
        set { self[Volume.writerProperty] = newValue }
    }
}

/// Who writes volumes.
final class Writer: NSManagedObject {
    static let nameProperty = ManagedProperty<String?>("name")

    var name: String? {
        get { self[Writer.nameProperty] }
        set { self[Writer.nameProperty] = newValue }
    }
}
