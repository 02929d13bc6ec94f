import OpenCoreData

/// An object that is saved before the objects it is related to are there.
///
/// Missing relationships pass as long as the object is new; the second save, which sets them, checks everything.
class ImportedObject: EditedObject {
    override func isExempt(_ property: NSPropertyDescription) -> Bool {
        property is NSRelationshipDescription && isInserted || super.isExempt(property)
    }
}

/// An object that is imported as it is, whether its model allows that or not.
final class UnvalidatedObject: ImportedObject {
    override func validateForInsert() throws {}
    override func validateForUpdate() throws {}
}
