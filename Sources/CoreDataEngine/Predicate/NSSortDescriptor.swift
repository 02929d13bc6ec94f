public import Foundation

public class NSSortDescriptor: NSObject {}
