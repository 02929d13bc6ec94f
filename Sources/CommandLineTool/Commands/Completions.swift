#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// What a shell offers while a command is typed: names that the store on the command line has.
enum Completions {
    static let entities = CompletionKind.custom { words, index, _ in
        Completions.entityNames(words, index)
    }

    /// Key paths, separated by commas, from the entity on the command line, or any where none is there.
    static let properties = CompletionKind.custom { words, index, _ in
        Completions.lastKeyPath(separatedBy: ",", words, index)
    }

    /// Functions and the key paths that they compute with, as in `count,avg:price`.
    static let computations = CompletionKind.custom { words, index, _ in
        let typed = Completions.word(words, index)
        guard typed.last(where: { $0 == "," || $0 == ":" }) != ":" else {
            return Completions.lastKeyPath(separatedBy: ",:", words, index)
        }
        let before = typed.lastIndex(of: ",").map { String(typed[...$0]) } ?? ""
        return ["count", "sum:", "avg:", "min:", "max:"].map { before + $0 }
    }

    /// The key paths of a predicate.
    static let predicates = CompletionKind.custom { words, index, _ in
        Completions.lastKeyPath(separatedBy: " (!=<>'\"", words, index)
    }

    /// What `set` gives a value to.
    static let assignments = CompletionKind.custom { words, index, _ in
        Completions.keyPaths(Completions.word(words, index), words, index).map { $0 + "=" }
    }

    /// Names of objects up to their numbers.
    static let objects = CompletionKind.custom { words, index, _ in
        Completions.objectNames(words, index)
    }

    static func entityNames(_ words: [String], _ index: Int) -> [String] {
        model(words, index)?.sortedEntities.map(\.displayName) ?? []
    }

    static func objectNames(_ words: [String], _ index: Int) -> [String] {
        model(words, index)?.sortedEntities.filter { !$0.isAbstract }.map { "\($0.displayName)/p" } ?? []
    }

    /// The key paths that the end of what is typed may become, after one of some characters or from the beginning.
    static func lastKeyPath(separatedBy separators: String, _ words: [String], _ index: Int) -> [String] {
        let typed = word(words, index)
        let before = typed.lastIndex { separators.contains($0) }.map { String(typed[...$0]) } ?? ""
        return keyPaths(String(typed.dropFirst(before.count)), words, index).map { before + $0 }
    }

    /// The key paths that what is typed of one may become.
    static func keyPaths(_ typed: String, _ words: [String], _ index: Int) -> [String] {
        guard let model = model(words, index) else { return [] }
        let named = words.enumerated().filter { $0.offset != index }.compactMap { _, word in
            model.entitiesByName[String(word.prefix { $0 != "/" })]
        }
        var entities = named.isEmpty ? model.entities : named
        let before = typed.lastIndex(of: ".").map { String(typed[...$0]) } ?? ""
        for key in before.split(separator: ".") {
            entities = entities.compactMap { $0.relationshipsByName[String(key)]?.destinationEntity }
        }
        return Set(entities.flatMap { $0.propertiesByName.keys }).sorted().map { before + $0 }
    }

    private static func word(_ words: [String], _ index: Int) -> String {
        words.indices.contains(index) ? words[index] : ""
    }

    /// The model of the first store among the words, which some shells hand over with their quotes.
    private static func model(_ words: [String], _ index: Int) -> NSManagedObjectModel? {
        for (position, word) in words.enumerated() where position != index {
            for path in [word, unquoted(word)] {
                let url = URL(fileURLWithPath: path)
                guard StoreFacts.isDatabase(url), let source = try? ModelSource(path: path, reconstructs: true)
                else { continue }
                return source.model
            }
        }
        return nil
    }

    private static func unquoted(_ word: String) -> String {
        for quote in ["'", "\""] where word.count >= 2 && word.hasPrefix(quote) && word.hasSuffix(quote) {
            return String(word.dropFirst().dropLast())
        }
        return word.replacing(/\\(.)/) { $0.1 }
    }
}
#endif
