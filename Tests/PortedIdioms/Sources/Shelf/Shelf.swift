import CoreData

// Classes of a library module, which its program knows by its model alone.

/// A class that the model names without its module.
public class Volume: NSManagedObject {}

/// A class that the model names with its module.
public class Atlas: Volume {
    public var map: String? {
        get { value(forKey: "map") as? String }
        set { setValue(newValue, forKey: "map") }
    }
}

/// The name of a class of the program, too.
class Cupboard: NSManagedObject {}
