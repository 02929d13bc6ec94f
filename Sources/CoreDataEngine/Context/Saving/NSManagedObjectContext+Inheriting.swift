/// A new object becomes the object of the stored row that it collapsed onto.
extension NSManagedObjectContext {
    /// Gives an object the row, and with it the identifier, of the object that was made for a conflict.
    ///
    /// - Parameters:
    ///   - conflict: The conflict; its database object leaves the context.
    ///   - heir: A new object of the same entity.
    final func takeOver(_ conflict: NSConstraintConflict, by heir: NSManagedObject) {
        guard let former = conflict.databaseObject, let store = former.table?.store, let slab = former.slab,
            heir.table?.registry === registry, former.table?.registry === registry, heir.state.isInserted,
            !former.state.isDeleted
        else { return }
        // Undoing the insertion would now delete a row that was there before.
        undoRecorder?.manager.removeAllActions(withTarget: self)
        undoRecorder?.forget()
        moveChanges(from: former, to: heir)
        former.handDestinations(to: heir)
        let reference = former.reference
        leave(former)
        heir.extras?.pendingReference = 0
        rekey(heir, reference: reference, store: store)
        heir.adopt(slab, row: Int(former.row))
        heir.state.remove(.inserted)
        heir.state.insert(.updated)
        if !heir.state.contains(.listedUpdated) {
            heir.state.insert(.listedUpdated)
            updatedList.append(heir)
        }
        for relationship in heir.layout.relationships where relationship.isToMany {
            heir.toManyStateIfAny(relationship)?.addToStored()
        }
        heir.awaken(after: .mergePolicy)
    }

    /// What a policy of the application's own did to the database object is done to the heir.
    private func moveChanges(from former: NSManagedObject, to heir: NSManagedObject) {
        for case let slot? in former.layout.slots where former.slotIsChanged(slot) {
            if slot.kind == .toOne {
                let destination = former.toOneObject(slot)
                former.setToOne(slot, nil)
                heir.setToOne(slot, destination)
            } else {
                heir.setAttribute(slot.index, former.currentValue(slot.index))
            }
        }
        for relationship in former.layout.relationships where relationship.isToMany {
            guard let state = former.toManyStateIfAny(relationship), state.hasChanges else { continue }
            for member in state.changes().added {
                former.removeMember(relationship, member)
                heir.addMember(relationship, member)
            }
        }
    }
}

extension NSManagedObject {
    /// Lets objects that were read through this one lead to another in its place.
    fileprivate final func handDestinations(to heir: NSManagedObject) {
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
                    destination.toManyStateIfAny(inverse)?.replace(self, with: heir)
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
        orderChanged = false
    }

    fileprivate func replace(_ former: NSManagedObject, with heir: NSManagedObject) {
        members?.replace(former, with: heir)
        committed?.replace(former, with: heir)
    }
}
