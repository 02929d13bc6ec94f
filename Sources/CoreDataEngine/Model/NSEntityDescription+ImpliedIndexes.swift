extension NSEntityDescription {
    /// Adds the indexes that a model of the old kind asks for: one of the same name for each attribute with the flag,
    /// and one for each compound index that no other index covers, as Apple's framework does when it loads a model.
    final func addImpliedIndexes() {
        var flagged: [NSFetchIndexDescription] = []
        for case let attribute as NSAttributeDescription in declaredProperties where attribute.isIndexedFlag {
            // SwiftData sets the flag too, and its store has no other index than the one that it names itself.
            let known = [attribute.name, Self.swiftDataPrefix + attribute.name]
            if indexes.contains(where: { known.contains($0.name) }) { continue }
            flagged.append(Self.index(named: attribute.name, over: [attribute]))
        }
        var compound: [NSFetchIndexDescription] = []
        for names in compoundIndexNames {
            let members = names.compactMap { propertiesByName[$0] }
            let name = names.joined(separator: "_")
            guard members.count == names.count, !members.isEmpty,
                !(indexes + flagged + compound).contains(where: { $0.name == name || $0.elementNames == names })
            else { continue }
            compound.append(Self.index(named: name, over: members))
        }
        if !flagged.isEmpty || !compound.isEmpty { indexes = flagged + indexes + compound }
    }

    /// Sets the flags and lists of the old kind that represent the indexes, as Apple's compiler does.
    ///
    /// - Parameter unflagged: Attributes that have an index of another name, and none of their own.
    final func markImpliedIndexes(besides unflagged: Set<String> = []) {
        for index in indexes where index.elements.allSatisfy({ $0.collationType == .binary && !$0.isComputed }) {
            if index.elements.count > 1 {
                if !compoundIndexNames.contains(index.elementNames) { compoundIndexNames.append(index.elementNames) }
            } else if let attribute = index.elements.first?.property as? NSAttributeDescription,
                attribute.declaringEntity === self, !unflagged.contains(attribute.name)
            {
                attribute.isIndexedFlag = true
            }
        }
    }

    /// Whether an attribute has an index of another name and none of its own, as in models that stores of Apple's own
    /// apps keep. Its flag would add one where a compiled model or source is read.
    final func lacksImpliedIndex(_ attribute: NSAttributeDescription) -> Bool {
        let others = indexes.filter { index in
            index.elementNames == [attribute.name]
                && index.elements.allSatisfy { $0.collationType == .binary && !$0.isComputed }
        }
        let known = [attribute.name, Self.swiftDataPrefix + attribute.name]
        return !others.isEmpty && !others.contains { known.contains($0.name) }
    }

    private static let swiftDataPrefix = "SwiftDataIndexOnBinary"

    /// Whether an index comes from the flag of its attribute or from a compound index.
    final func isImplied(_ index: NSFetchIndexDescription) -> Bool {
        guard index.partialIndexPredicate == nil,
            index.elements.allSatisfy({ $0.collationType == .binary && $0.isAscending && !$0.isComputed })
        else { return false }
        let names = index.elementNames
        guard names.joined(separator: "_") == index.name else { return false }
        return names.count == 1
            ? propertiesByName[index.name]?.isIndexedFlag == true : compoundIndexNames.contains(names)
    }

    private static func index(named name: String, over properties: [NSPropertyDescription]) -> NSFetchIndexDescription {
        let elements = properties.map { NSFetchIndexElementDescription(property: $0, collationType: .binary) }
        return NSFetchIndexDescription(name: name, elements: elements)
    }
}

extension NSFetchIndexDescription {
    /// The names of the columns.
    final var elementNames: [String] { elements.map { $0.propertyName ?? "" } }
}

extension NSFetchIndexElementDescription {
    /// Whether the column is an expression instead of a property.
    final var isComputed: Bool { property is NSExpressionDescription }
}
