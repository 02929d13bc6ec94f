/// A state of the members of one object's to-many.
package struct MemberVersion: Equatable {
    private let state: ToManyState
    private let number: Int

    init(_ state: ToManyState) {
        self.state = state
        number = state.version
    }

    /// Whether two states are of the same to-many, without a change in between.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.state === rhs.state && lhs.number == rhs.number }
}

extension NSManagedObject {
    /// The state of a to-many's members, or `nil` if the members aren't known.
    package final func memberVersion(_ property: ResolvedProperty) -> MemberVersion? {
        guard !isFault, let index = property.index(in: self, as: .toMany),
            let state = toManyStateIfAny(layout.relationships[index]), state.members != nil
        else { return nil }
        return MemberVersion(state)
    }

    /// Adds a member to a property's to-many, at the cost of one member.
    package final func addMember(_ property: ResolvedProperty, _ member: NSManagedObject) {
        guard let index = property.index(in: self, as: .toMany) else { return }
        addMember(layout.relationships[index], member)
    }
}
