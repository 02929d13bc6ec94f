import CoreData

// Becomes an image that the program LateClasses loads while it runs.
public class LateBook: NSManagedObject {}
