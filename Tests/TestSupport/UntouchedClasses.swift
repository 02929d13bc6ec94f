public import OpenCoreData

// Classes that no code uses: they are found because a model names them.

/// A class of a library that only models name.
public final class UntouchedThing: NSManagedObject {}

/// The same name as a class of the tests.
public final class UntouchedTwin: NSManagedObject {}

enum UntouchedSpace {
    /// A class within a type.
    final class UntouchedInside: NSManagedObject {}
    /// The same name as a class at the top level.
    final class UntouchedThing: NSManagedObject {}
}

/// No class of managed objects.
class UntouchedView {}

/// The same, with a superclass.
final class UntouchedSubview: UntouchedView {}
