public import Foundation

public class NSPredicate: NSObject {}
