import OpenCoreDataKit

// MARK: Reading

extension DatabaseModel {
    /// The children, read now: in their order, if the relationship has one.
    ///
    /// Unsaved changes of the relationship count. A relationship without an order has its children in any order.
    ///
    /// - Parameter children: The relationship.
    /// - Returns: The models of the children; an empty array without any.
    public func current<Children: ChildrenInterfaceProtocol>(
        _ children: KeyPath<Self, Children>
    ) -> [Children.Child] where Children.Entity == Entity {
        let toMany = self[keyPath: children]._relationship.toMany
        return onQueue { toMany.read(entity).map(Children.Child.init) }
    }

    /// The parent, read now; `nil` without one.
    ///
    /// The parent's object isn't loaded until one of its values is read.
    ///
    /// - Parameter parent: The relationship.
    /// - Returns: The model of the parent, or `nil`.
    public func current<ParentModel>(_ parent: KeyPath<Self, ParentInterface<Entity, ParentModel>>) -> ParentModel? {
        let toOne = self[keyPath: parent].toOne
        return onQueue { toOne.read(entity).map { ParentModel(entity: $0.object) } }
    }

    /// The value of a field of the parent, read now; `nil` without a parent.
    ///
    /// The field is one of the parent's model, so the compiler checks that the two belong together.
    ///
    /// ```swift
    /// let teamName = player.current(\.team, \.name)
    /// ```
    ///
    /// - Parameters:
    ///   - parent: The relationship.
    ///   - field: The field of the parent.
    /// - Returns: The value, or `nil`.
    public func current<ParentModel, Field: FieldInterfaceProtocol>(
        _ parent: KeyPath<Self, ParentInterface<Entity, ParentModel>>, _ field: KeyPath<ParentModel, Field>
    ) -> Field.Value? where Field.Entity == ParentModel.Entity {
        current(parent)?.current(field)
    }

    /// The value of a field of the parent, read now; `nil` without a parent, and for a parent without a value.
    ///
    /// The two cases can't be told apart in the result.
    ///
    /// - Parameters:
    ///   - parent: The relationship.
    ///   - field: The field of the parent, whose value may be `nil`.
    /// - Returns: The value, or `nil`.
    public func current<ParentModel, Field: FieldInterfaceProtocol, Wrapped>(
        _ parent: KeyPath<Self, ParentInterface<Entity, ParentModel>>, _ field: KeyPath<ParentModel, Field>
    ) -> Wrapped? where Field.Entity == ParentModel.Entity, Field.Value == Wrapped? {
        current(parent)?.current(field) ?? nil
    }
}

// MARK: Adding and removing

extension DatabaseModel {
    /// Adds a child, at the end if the relationship has an order. One that is there already stays where it is.
    ///
    /// A child of another context is an error of the program.
    ///
    /// - Parameters:
    ///   - child: The child.
    ///   - children: The relationship.
    public func add<Children: ChildrenInterfaceProtocol>(
        _ child: Children.Child, to children: KeyPath<Self, Children>
    ) where Children.Entity == Entity {
        let relationship = self[keyPath: children]._relationship
        requireSameContext(child, relationship.name)
        onQueue { relationship.toMany.add(child.entity, entity) }
    }

    /// Adds a child; ``add(_:to:)`` in other words.
    ///
    /// Nothing is saved.
    ///
    /// - Parameters:
    ///   - child: The child.
    ///   - children: The relationship.
    public func add<Children: ChildrenInterfaceProtocol>(
        _ child: Children.Child, in children: KeyPath<Self, Children>
    ) where Children.Entity == Entity {
        add(child, to: children)
    }

    /// Takes a child out of a relationship. The child is deleted only if the model says so.
    ///
    /// A child of another context is an error of the program.
    ///
    /// - Parameters:
    ///   - child: The child.
    ///   - children: The relationship.
    public func remove<Children: ChildrenInterfaceProtocol>(
        _ child: Children.Child, from children: KeyPath<Self, Children>
    ) where Children.Entity == Entity {
        let relationship = self[keyPath: children]._relationship
        requireSameContext(child, relationship.name)
        onQueue { relationship.toMany.remove(child.entity, entity) }
    }

    /// Takes a child out of a relationship; ``remove(_:from:)`` in other words.
    ///
    /// Nothing is saved.
    ///
    /// - Parameters:
    ///   - child: The child.
    ///   - children: The relationship.
    public func remove<Children: ChildrenInterfaceProtocol>(
        _ child: Children.Child, in children: KeyPath<Self, Children>
    ) where Children.Entity == Entity {
        remove(child, from: children)
    }

    private func requireSameContext(_ child: some DatabaseModel, _ name: String) {
        programmerError(
            unless:
                child.entity.managedObjectContext === entity.managedObjectContext,
            "The \(type(of: child.entity).modelName) can't be related by '\(name)' to the \(Entity.modelName), because "
                + "it belongs to another context.")
    }
}

// MARK: Order

extension DatabaseModel {
    /// Puts a child at an index of an ordered relationship. One that is there already goes to that place.
    ///
    /// An index that is not there is an error of the program.
    ///
    /// - Parameters:
    ///   - child: The child.
    ///   - index: The index in the relationship after the insertion.
    ///   - children: The relationship.
    public func insert<Child>(
        _ child: Child, at index: Int, in children: KeyPath<Self, OrderedChildrenInterface<Entity, Child>>
    ) {
        requireSameContext(child, self[keyPath: children]._relationship.name)
        reorder(children) { members, require in
            members.removeAll { $0 === child.entity }
            require(index, members.count)
            members.insert(child.entity, at: index)
        }
    }

    /// Takes the child at an index out of an ordered relationship.
    ///
    /// An index that is not there is an error of the program.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - children: The relationship.
    public func remove<Child>(at index: Int, from children: KeyPath<Self, OrderedChildrenInterface<Entity, Child>>) {
        reorder(children) { members, require in
            require(index, members.count - 1)
            members.remove(at: index)
        }
    }

    /// Moves the child at one index of an ordered relationship to another, counted after it was taken out.
    ///
    /// An index that is not there is an error of the program.
    ///
    /// - Parameters:
    ///   - index: The present index of the child.
    ///   - target: The new index, counted after the child was taken out.
    ///   - children: The relationship.
    public func moveElement<Child>(
        at index: Int, to target: Int, in children: KeyPath<Self, OrderedChildrenInterface<Entity, Child>>
    ) {
        reorder(children) { members, require in
            require(index, members.count - 1)
            require(target, members.count - 1)
            members.insert(members.remove(at: index), at: target)
        }
    }

    /// Swaps the children at two indexes of an ordered relationship.
    ///
    /// An index that is not there is an error of the program.
    ///
    /// - Parameters:
    ///   - first: The index of one child.
    ///   - second: The index of the other.
    ///   - children: The relationship.
    public func swapElements<Child>(
        at first: Int, _ second: Int, in children: KeyPath<Self, OrderedChildrenInterface<Entity, Child>>
    ) {
        reorder(children) { members, require in
            require(first, members.count - 1)
            require(second, members.count - 1)
            members.swapAt(first, second)
        }
    }

    /// Changes the members of an ordered relationship.
    ///
    /// - Parameter change: Gets the members, and a function that stops if an index is above the last that is allowed.
    private func reorder<Child>(
        _ children: KeyPath<Self, OrderedChildrenInterface<Entity, Child>>,
        _ change: (inout [Child.Entity], (Int, Int) -> Void) -> Void
    ) {
        let relationship = self[keyPath: children]._relationship
        onQueue {
            var members = relationship.toMany.read(entity)
            let count = members.count
            change(&members) { index, last in
                programmerError(
                    unless:
                        index >= 0 && index <= last,
                    "There is no index \(index) among the \(count) members of '\(relationship.name)' of "
                        + "\(Entity.modelName).")
            }
            relationship.toMany.write(members, entity)
        }
    }
}
