public import OpenCoreData

public class Chapter: NSManagedObject {
    /// What the class adds to the generated properties.
    public var title: String { "\(book?.title ?? "?") \(number)" }
}
