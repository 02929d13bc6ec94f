/// A new object becomes the object of the stored row that it collapsed onto.
extension NSManagedObjectContext {
    /// Gives an object the row, and with it the identifier, of the object that was made for a conflict.
    ///
    /// - Parameters:
    ///   - conflict: The conflict; its database object leaves the context.
    ///   - successor: A new object of the same entity.
    final func takeOver(_ conflict: NSConstraintConflict, by successor: NSManagedObject) {
        guard let former = conflict.databaseObject, let store = former.table?.store, let slab = former.slab,
            successor.table?.registry === registry, former.table?.registry === registry, successor.state.isInserted,
            !former.state.isDeleted
        else { return }
        // Undoing the insertion would now delete a row that was there before.
        undoRecorder?.manager.removeAllActions(withTarget: self)
        undoRecorder?.forget()
        moveChanges(from: former, to: successor)
        former.handDestinations(to: successor)
        let reference = former.reference
        replacements.append((successor.objectID, successor))
        leave(former)
        successor.extras?.pendingReference = 0
        rekey(successor, reference: reference, store: store)
        successor.adopt(slab, row: Int(former.row))
        changeTracker.makeUpdate(of: successor)
        for relationship in successor.layout.relationships where relationship.isToMany {
            successor.toManyStateIfAny(relationship)?.addToStored()
        }
        successor.awaken(after: .mergePolicy)
    }

    /// What a policy of the application's own did to the database object is done to the successor.
    private func moveChanges(from former: NSManagedObject, to successor: NSManagedObject) {
        for case let slot? in former.layout.slots where former.slotIsChanged(slot) {
            if slot.kind == .toOne {
                let destination = former.toOneObject(slot)
                former.setToOne(slot, nil)
                successor.setToOne(slot, destination)
            } else {
                successor.setAttribute(slot.index, former.currentValue(slot.index))
            }
        }
        for relationship in former.layout.relationships where relationship.isToMany {
            guard let state = former.toManyStateIfAny(relationship), state.hasChanges else { continue }
            for member in state.changes().added {
                former.removeMember(relationship, member)
                successor.addMember(relationship, member)
            }
        }
    }
}

extension NSManagedObject {
    /// Lets objects that were read through this one lead to another in its place.
    fileprivate final func handDestinations(to successor: NSManagedObject) {
        for relationship in layout.relationships {
            guard let inverse = relationship.inverse else { continue }
            let destinations: [NSManagedObject] =
                if let slot = relationship.slot.flatMap({ layout.slots[$0] }) {
                    destinationWithoutFiring(slot).map { [$0] } ?? []
                } else {
                    Array(toManyStateIfAny(relationship)?.members?.objects ?? [])
                }
            for destination in destinations {
                if inverse.isToMany {
                    destination.toManyStateIfAny(inverse)?.replace(self, with: successor)
                } else if let extras = destination.extras, inverse.index < extras.relationships.count,
                    extras.relationships[inverse.index] === self
                {
                    extras.relationships[inverse.index] = nil
                }
            }
        }
    }
}

extension ToManyState {
    /// What a new object has comes in addition to what the store has for the row that it took over.
    fileprivate func addToStored() {
        if let members { added = members }
        members = nil
        committed = nil
        removed = MemberList()
        arrangement = nil
        orderChanged = false
    }

    fileprivate func replace(_ former: NSManagedObject, with successor: NSManagedObject) {
        members?.replace(former, with: successor)
        committed?.replace(former, with: successor)
    }
}
