extension SourcePort {
    /// The keys that sort descriptors and controllers read: `NSSortDescriptor(key:…)` and `sectionNameKeyPath:`.
    static func objectKeys(_ source: PortableSource) -> Set<String> {
        var keys: Set<String> = []
        for index in source.tokens.indices {
            let isSection = source.tokens[index].isWord("sectionNameKeyPath")
            let isSort =
                source.tokens[index].isWord("key") && source.token(index - 1)?.isSymbol("(") == true
                && source.token(index - 2).map { $0.isWord("NSSortDescriptor") || $0.isWord("init") } == true
            guard isSection || isSort, source.token(index + 1)?.isSymbol(":") == true,
                let literal = source.token(index + 2), case .literal = literal.kind, literal.text.hasPrefix("\"")
            else { continue }
            keys.formUnion(literal.text.split { $0 == "\"" || $0 == "." }.map(String.init))
        }
        return keys
    }

    /// `@NSManaged` members of classes that are declared inside functions.
    static func localMembers(_ declarations: ManagedDeclarations) -> [PortedSource.Leftover] {
        declarations.localMembers.map { member in
            PortedSource.Leftover(
                line: member.line,
                sentence:
                    "the class \(member.className ?? "") is declared inside a function or a block, so nothing outside "
                    + "can supply its @NSManaged members; move it out")
        }
    }
}

extension PortedSource.KeyedProperty {
    /// What is to be known of a property that is computed and used as a key; `nil` for one that none of the keys names.
    package func sentence(for keys: Set<String>) -> String? {
        guard keys.contains(name) else { return nil }
        if let privacy {
            return "\(className).\(name) is used as a key, and \(privacy), so the plugin GenerateModels can't make it "
                + "reachable by key; remove '\(privacy)'"
        }
        return
            "\(className).\(name) isn't a property of the model, and is used as a key: the plugin GenerateModels makes it "
            + "reachable by key, as @objc does on Apple's platforms; names of sections and sorting in memory can use it, "
            + "and a fetch can't sort by it"
    }
}
