/// What is logged and watched when faults are filled from a store.
extension NSManagedObjectContext {
    /// Whether anybody wants to know.
    @inline(__always)
    static var reportsFaults: Bool { FaultMonitor.isOn || SQLLog.launched != nil }

    /// Notes that the store gave the row of a fault, with those of its siblings.
    @inline(never)
    final func reportRows(of object: NSManagedObject, count: Int) {
        if let log = SQLLog.launched, log.level >= .faults {
            log.write("fault: \(object.objectID.uriRepresentation()) filled from the store, with \(count - 1) others")
        }
        guard count == 1, FaultMonitor.isOn else { return }
        if let walk = cohorts.lastWalk, walk.leads(to: object, from: walk.row),
            let relationship = walk.slot.relationship
        {
            FaultMonitor.recordSingleFault(of: relationship.declaringEntityName, relationship: relationship.name)
        } else {
            FaultMonitor.recordSingleFault(of: object.layout.name, relationship: nil)
        }
    }

    /// Notes that the store gave the members of a to-many, with those of the object's siblings.
    @inline(never)
    final func reportMembers(of object: NSManagedObject, _ relationship: RelationshipLayout, owners: Int) {
        if let log = SQLLog.launched, log.level >= .faults {
            log.write(
                "fault: \(relationship.name) of \(object.objectID.uriRepresentation()) filled from the store, with "
                    + "\(owners - 1) others")
        }
        guard owners == 1, FaultMonitor.isOn else { return }
        FaultMonitor.recordSingleFault(of: relationship.declaringEntityName, relationship: relationship.name)
    }
}

extension RelationshipLayout {
    /// The name of the entity that declares the relationship.
    fileprivate var declaringEntityName: String { description.entity.name ?? owner.name }
}
