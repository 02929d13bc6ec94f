import Foundation

/// Compares the former results with newly fetched ones. Costs O(n log n).
enum ContentDifference {
    /// - Parameter touched: Objects that changed, reported even where they stand as before.
    static func make(from old: ResultContent, to new: ResultContent, touched: Set<ObjectIdentifier>) -> ContentChange {
        var change = ContentChange()
        let kept = addSections(old, new, &change)
        let oldPaths = paths(old)
        let newPaths = paths(new)
        for (key, item) in oldPaths where newPaths[key] == nil {
            change.deletes.append(ContentChange.Item(object: item.object, old: item.path))
        }
        var stays: [Int: [(item: ContentChange.Item, isTouched: Bool)]] = [:]
        for (key, item) in newPaths {
            guard let before = oldPaths[key]?.path else {
                change.inserts.append(ContentChange.Item(object: item.object, new: item.path))
                continue
            }
            let both = ContentChange.Item(object: item.object, old: before, new: item.path)
            if kept[before.section] == item.path.section {
                stays[before.section, default: []].append((both, touched.contains(key)))
            } else {
                change.moves.append(both)
            }
        }
        for section in stays.values { classify(section, &change) }
        change.sort()
        return change
    }

    /// - Returns: The new index of the sections that stay, by old index.
    private static func addSections(_ old: ResultContent, _ new: ResultContent, _ change: inout ContentChange)
        -> [Int: Int]
    {
        let before = old.sections.map { $0 }
        let after = new.sections.map { $0 }
        let newIndexes = Dictionary(uniqueKeysWithValues: after.enumerated().map { ($0.element.name, $0.offset) })
        let common = before.enumerated().compactMap { offset, section in newIndexes[section.name].map { (offset, $0) } }
        var kept: [Int: Int] = [:]
        for position in OrderKeeping.longestIncreasing(common.map(\.1)) {
            kept[common[position].0] = common[position].1
        }
        for (index, section) in before.enumerated() where kept[index] == nil {
            let info = ResultSection(name: section.name, like: section)
            change.deletedSections.append(ContentChange.Section(info: info, index: index))
        }
        let stayed = Set(kept.values)
        for (index, section) in after.enumerated() where !stayed.contains(index) {
            change.insertedSections.append(ContentChange.Section(info: section, index: index))
        }
        return kept
    }

    private static func paths(_ content: ResultContent) -> [ObjectIdentifier: (object: AnyObject, path: ResultPath)] {
        var result: [ObjectIdentifier: (object: AnyObject, path: ResultPath)] = [:]
        result.reserveCapacity(content.count)
        for (index, section) in content.sections.map({ $0 }).enumerated() {
            var row = 0
            section.entries.visit { entry in
                result[ObjectIdentifier(entry.object)] = (entry.object, ResultPath(section: index, row: row))
                row += 1
            }
        }
        return result
    }

    private static func classify(
        _ stays: [(item: ContentChange.Item, isTouched: Bool)], _ change: inout ContentChange
    ) {
        let sorted = stays.sorted { ($0.item.old?.row ?? 0) < ($1.item.old?.row ?? 0) }
        var kept = [Bool](repeating: false, count: sorted.count)
        for position in OrderKeeping.longestIncreasing(sorted.map { $0.item.new?.row ?? 0 }) { kept[position] = true }
        for (stay, isKept) in zip(sorted, kept) {
            if !isKept {
                change.moves.append(stay.item)
            } else if stay.isTouched {
                change.updates.append(stay.item)
            }
        }
    }
}
