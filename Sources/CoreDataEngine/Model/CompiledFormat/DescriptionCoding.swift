import Foundation

/// `NSCoding` of models and their parts: an archive in the form of a compiled model, as one value of the coder.
///
/// A part travels in a model of its own that holds nothing else.
enum DescriptionCoding {
    private static let key = "CoreData.model"
    private static let superentityKey = "CoreData.superentity"
    private static let entityName = "Part"

    // MARK: Writing

    static func encode(_ model: NSManagedObjectModel, to coder: NSCoder) {
        do {
            coder.encode(try model.encodedCompiledModel() as NSData, forKey: key)
        } catch {
            let sentence = (error as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] ?? error
            programmerError("The model cannot be archived: \(sentence)")
        }
    }

    static func encode(_ entity: NSEntityDescription, to coder: NSCoder) {
        let copy = entity.detachedCopy()
        if let parent = copy.detachedSuperentityName { coder.encode(parent as NSString, forKey: superentityKey) }
        encode(model(of: copy), to: coder)
    }

    static func encode(_ property: NSPropertyDescription, to coder: NSCoder) {
        guard let copy = property.copy() as? NSPropertyDescription else { return }
        let entity = NSEntityDescription()
        entity.name = entityName
        entity.declaredProperties = [copy]
        encode(model(of: entity), to: coder)
    }

    /// - Parameter index: an index that belongs to no entity.
    static func encode(_ index: NSFetchIndexDescription, to coder: NSCoder) {
        let entity = NSEntityDescription()
        entity.name = entityName
        entity.indexes = [index]
        encode(model(of: entity), to: coder)
    }

    private static func model(of entity: NSEntityDescription) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    // MARK: Reading

    static func model(from coder: NSCoder) -> NSManagedObjectModel? {
        guard let data = data(from: coder) else { return nil }
        return try? NSManagedObjectModel.decode(compiledModel: data)
    }

    static func entity(from coder: NSCoder) -> NSEntityDescription? {
        guard let entity = part(from: coder)?.entities.first else { return nil }
        let copy = entity.detachedCopy()
        if coder.containsValue(forKey: superentityKey) {
            copy.detachedSuperentityName = coder.decodeObject(of: NSString.self, forKey: superentityKey) as String?
        }
        return copy
    }

    static func property(from coder: NSCoder) -> NSPropertyDescription? {
        part(from: coder)?.entities.first?.declaredProperties.first?.copy() as? NSPropertyDescription
    }

    static func index(from coder: NSCoder) -> NSFetchIndexDescription? {
        part(from: coder)?.entities.first?.indexes.first?.copy() as? NSFetchIndexDescription
    }

    private static func part(from coder: NSCoder) -> NSManagedObjectModel? {
        guard let data = data(from: coder) else { return nil }
        return try? ModelArchiveDecoder.decode(data, isPart: true)
    }

    /// A coder may stop the process when it is asked for what it does not have.
    private static func data(from coder: NSCoder) -> Data? {
        coder.containsValue(forKey: key) ? coder.decodeObject(of: NSData.self, forKey: key) as Data? : nil
    }
}
