public import OpenCoreData

/// A class of a target that the program doesn't depend on, with a model of the same name as the program's.
public final class ArchivedBook: NSManagedObject {}
