#if CommandLineTool
    import ArgumentParser
    import Foundation
    import OpenCoreData
    import StoreTools

    /// What a shell offers while a command is typed: names that the store on the command line has.
    enum Completions {
        static let entities = CompletionKind.custom { words, index, _ in
            Completions.model(words, index)?.sortedEntities.map(\.displayName) ?? []
        }

        /// Properties of the entity on the command line, and of all entities where none is there.
        static let properties = CompletionKind.custom { words, index, _ in
            guard let model = Completions.model(words, index) else { return [] }
            let named = words.compactMap { model.entitiesByName[$0] }
            let entities = named.isEmpty ? model.entities : named
            return Set(entities.flatMap { $0.propertiesByName.keys }).sorted()
        }

        /// Names of objects up to their numbers.
        static let objects = CompletionKind.custom { words, index, _ in
            Completions.model(words, index)?.sortedEntities.filter { !$0.isAbstract }.map { "\($0.displayName)/p" }
                ?? []
        }

        /// The model of the first store among the words.
        private static func model(_ words: [String], _ index: Int) -> NSManagedObjectModel? {
            for (place, word) in words.enumerated() where place != index {
                let url = URL(fileURLWithPath: word)
                guard StoreFacts.isDatabase(url), let source = try? ModelSource(path: word, reconstructs: true) else {
                    continue
                }
                return source.model
            }
            return nil
        }
    }
#endif
