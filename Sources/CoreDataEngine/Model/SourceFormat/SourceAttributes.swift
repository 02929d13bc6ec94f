/// The attributes of an element in their order. There are few of them, so they are searched one by one.
package struct SourceAttributes: Sequence, ExpressibleByDictionaryLiteral, Equatable, Sendable {
    package typealias Element = (key: String, value: String)

    private var entries: [Element] = []

    package init(dictionaryLiteral elements: (String, String)...) {
        for (key, value) in elements { self[key] = value }
    }

    var count: Int { entries.count }

    /// The value of an attribute. A new attribute goes to the end; nil removes it.
    package subscript(key: String) -> String? {
        get { entries.first { $0.key == key }?.value }
        set {
            switch (entries.firstIndex { $0.key == key }, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append((key, value))
            case (nil, nil): break
            }
        }
    }

    /// Sets an attribute and returns the value that it had.
    mutating func updateValue(_ value: String, forKey key: String) -> String? {
        defer { self[key] = value }
        return self[key]
    }

    package func makeIterator() -> IndexingIterator<[Element]> { entries.makeIterator() }

    /// Whether two lists hold the same, in whatever order.
    package static func == (first: SourceAttributes, second: SourceAttributes) -> Bool {
        first.entries.count == second.entries.count && first.entries.allSatisfy { second[$0.key] == $0.value }
    }
}
