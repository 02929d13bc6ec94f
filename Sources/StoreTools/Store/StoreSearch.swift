import Foundation
package import OpenCoreData

/// A search for words in all strings of a store.
///
/// An object is found if each word is in one of its strings, in any of them, whatever the case and the accents.
package struct StoreSearch {
    /// An object that was found.
    package struct Match {
        package let object: NSManagedObject
        /// The strings with a word in them, by the key path of the attribute.
        package let strings: [(keyPath: String, string: String)]
    }

    private let words: [String]
    private let entities: [NSEntityDescription]

    /// - Parameters:
    ///   - words: What to look for.
    ///   - entities: The entities whose objects are searched, each without its subentities.
    package init(_ words: [String], in entities: [NSEntityDescription]) {
        self.words = words
        self.entities = entities
    }

    /// How many objects have the words.
    package func count(in context: NSManagedObjectContext) throws -> Int {
        try entities.compactMap(request).reduce(0) { try $0 + context.count(for: $1) }
    }

    /// Calls `body` with each object that is found, until it returns false.
    package func forEach(in context: NSManagedObjectContext, _ body: (Match) throws -> Bool) throws {
        struct Ended: Error {}
        for entity in entities {
            guard let request = request(entity) else { continue }
            let paths = Self.keyPaths(of: entity)
            do {
                try ObjectStream(request).forEach(in: context) { object in
                    guard try body(Match(object: object, strings: strings(at: paths, of: object))) else {
                        throw Ended()
                    }
                }
            } catch is Ended { return }
        }
    }

    private func request(_ entity: NSEntityDescription) -> NSFetchRequest<NSManagedObject>? {
        let paths = Self.keyPaths(of: entity)
        guard !paths.isEmpty else { return nil }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.includesSubentities = false
        request.predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: words.map { word in
                NSCompoundPredicate(orPredicateWithSubpredicates: paths.map { Self.contains($0, word) })
            })
        return request
    }

    private static func contains(_ keyPath: String, _ word: String) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: keyPath), rightExpression: NSExpression(forConstantValue: word),
            modifier: .direct, type: .contains, options: [.caseInsensitive, .diacriticInsensitive])
    }

    /// The strings of an entity, those in composite attributes too; the one that names objects first.
    private static func keyPaths(of entity: NSEntityDescription) -> [String] {
        let paths = entity.storedAttributes.flatMap { keyPaths(of: $0, after: "") }
        guard let name = entity.namingAttribute?.name, paths.contains(name) else { return paths }
        return [name] + paths.filter { $0 != name }
    }

    private static func keyPaths(of attribute: NSAttributeDescription, after prefix: String) -> [String] {
        if let composite = attribute as? NSCompositeAttributeDescription {
            return composite.elements.flatMap { keyPaths(of: $0, after: "\(prefix)\(attribute.name).") }
        }
        return attribute.attributeType == .stringAttributeType ? [prefix + attribute.name] : []
    }

    private func strings(at paths: [String], of object: NSManagedObject) -> [(keyPath: String, string: String)] {
        paths.compactMap { path in
            guard let string = object.value(forKeyPath: path) as? String,
                words.contains(where: { Self.contains("SELF", $0).evaluate(with: string) })
            else { return nil }
            return (path, string)
        }
    }

    /// The part of a string around the first of the words, for a cell of a table.
    package func excerpt(of string: String) -> String {
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
        let first = words.compactMap { string.range(of: $0, options: options)?.lowerBound }.min()
        guard let first, string.distance(from: string.startIndex, to: first) > Self.charactersBefore else {
            return string
        }
        return "…" + string[string.index(first, offsetBy: -Self.charactersBefore)...]
    }

    /// How much of a string stands before the word.
    private static let charactersBefore = 20
}
