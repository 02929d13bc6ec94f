/// An element to be written, with what distinguishes it from others of its kind.
struct SourceItem {
    let element: SourceElement

    init(_ element: SourceElement) {
        self.element = element
    }

    private struct Key: Hashable {
        let kind: String
        let name: String?

        init(_ element: SourceElement) {
            kind = element.name
            name = element.attributes["name"]
        }
    }

    /// Puts elements in order: those that were there before in their old positions, new ones behind the last of their
    /// kind.
    ///
    /// - Parameters:
    ///   - items: all elements of the given kinds.
    ///   - previous: what was there before; elements of other kinds stay.
    ///   - kinds: the order of kinds.
    static func arrange(_ items: [SourceItem], over previous: [SourceElement], kinds: [String]) -> [SourceElement] {
        let ranks = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($0.element, $0.offset) })
        var waiting: [Key: SourceElement] = [:]
        for item in items { waiting[Key(item.element)] = item.element }
        var result: [SourceElement] = []
        for old in previous {
            if ranks[old.name] == nil {
                result.append(old)
            } else if let current = waiting.removeValue(forKey: Key(old)) {
                result.append(current)
            }
        }
        for item in items where waiting.removeValue(forKey: Key(item.element)) != nil {
            let rank = ranks[item.element.name] ?? kinds.count
            let index = result.lastIndex { (ranks[$0.name] ?? kinds.count) <= rank }.map { $0 + 1 } ?? 0
            result.insert(item.element, at: index)
        }
        return result
    }
}
