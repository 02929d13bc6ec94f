package import OpenCoreData

/// An object that is saved before the objects it is related to are there.
///
/// Missing relationships pass as long as the object is new; the second save, which sets them, checks everything.
package final class ImportedObject: EditedObject {
    package override func isExempt(_ property: NSPropertyDescription) -> Bool {
        property is NSRelationshipDescription && isInserted || super.isExempt(property)
    }
}
