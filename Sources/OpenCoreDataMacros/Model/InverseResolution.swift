import CoreDataPlatform

/// Finds which relationships belong together.
///
/// A name on one side is enough. Where neither side has one, two that can only mean each other do; if there are several
/// ways it is an error, as a guess could link objects that have nothing to do with each other.
struct InverseResolution {
    private let ends: [RelationshipEnd]

    init(_ ends: [RelationshipEnd]) { self.ends = ends }

    /// Each relationship that has an inverse, with it.
    ///
    /// - Throws: An error that names a relationship whose inverse is not there or not clear.
    func pairs() throws -> [(RelationshipEnd, RelationshipEnd)] {
        var partners = [Int?](repeating: nil, count: ends.count)
        for (index, end) in ends.enumerated() {
            guard case .named(let name) = end.inverse else { continue }
            let partner = try self.partner(of: end, named: name)
            try join(index, partner, &partners)
        }
        for index in ends.indices where isOpen(index, partners) {
            let candidates = self.candidates(for: index, partners)
            guard let partner = candidates.first else { continue }
            let back = self.candidates(for: partner, partners)
            guard candidates.count == 1, back.count <= 1 else {
                let names = candidates.count > 1 ? candidates : back
                throw BlueprintError.make(
                    "The inverse of '\(ends[candidates.count > 1 ? index : partner].path)' is not clear: it may be "
                        + "\(names.map { "'\(ends[$0].path)'" }.joined(separator: " or ")). Name it, or say "
                        + "inverse: nil.")
            }
            try join(index, partner, &partners)
        }
        return partners.enumerated().compactMap { index, partner in partner.map { (ends[index], ends[$0]) } }
    }

    private func partner(of end: RelationshipEnd, named name: String) throws -> Int {
        let found = ends.firstIndex { $0.name == name && end.destination.isKindOf(entity: $0.entity) }
        guard let found else {
            throw BlueprintError.make(
                "The inverse '\(name)' of '\(end.path)' is not a relationship of '\(end.destination.name ?? "")'.")
        }
        let other = ends[found]
        guard other.destination.isKindOf(entity: end.entity) || end.entity.isKindOf(entity: other.destination) else {
            throw BlueprintError.make(
                "The inverse '\(other.path)' of '\(end.path)' leads to '\(other.destination.name ?? "")', not back.")
        }
        return found
    }

    private func join(_ index: Int, _ partner: Int, _ partners: inout [Int?]) throws {
        for (one, other) in [(index, partner), (partner, index)] {
            let isOther = partners[one].map { $0 != other } ?? (ends[one].inverse == .none)
            guard !isOther else {
                let current = partners[one].map { "'\(ends[$0].path)'" } ?? "none"
                throw BlueprintError.make(
                    "'\(ends[other].path)' has '\(ends[one].path)' as its inverse, whose own inverse is \(current).")
            }
        }
        partners[index] = partner
        partners[partner] = index
    }

    private func isOpen(_ index: Int, _ partners: [Int?]) -> Bool {
        partners[index] == nil && ends[index].inverse == .found
    }

    /// The relationships that may lead back; not the relationship itself, which is its own inverse only when it says so.
    private func candidates(for index: Int, _ partners: [Int?]) -> [Int] {
        let fitting = ends.indices.filter { $0 != index && isOpen($0, partners) && ends[index].fits(ends[$0]) }
        let exact = fitting.filter { ends[index].isBetweenSameEntities(as: ends[$0]) }
        return exact.isEmpty ? fitting : exact
    }
}
