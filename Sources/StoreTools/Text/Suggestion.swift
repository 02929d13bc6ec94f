/// Suggests what a user may have meant by an unknown name.
package enum Suggestion {
    /// The name that is written most like `name`; nil when none is near.
    package static func nearest(to name: String, among names: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased())
        let limit = max(1, wanted.count / 3)
        var best: (distance: Int, name: String)?
        for candidate in names.sorted() where candidate != name {
            let distance = distance(wanted, Array(candidate.lowercased()))
            if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.name
    }

    /// A sentence's end: the nearest name, or else all there are.
    package static func hint(for name: String, among names: some Sequence<String>) -> String {
        let all = names.sorted()
        if let near = nearest(to: name, among: all) { return "did you mean \(near)?" }
        return all.isEmpty ? "it has none." : "it has \(StoreSession.listed(all))."
    }

    /// How many letters have to be changed, left out, put in or exchanged with their neighbor.
    static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1]
            for column in 0..<second.count {
                let isEqual = first[row] == second[column]
                var cost = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (isEqual ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[second.count]
    }
}
