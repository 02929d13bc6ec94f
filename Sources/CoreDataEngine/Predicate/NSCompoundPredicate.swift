public import Foundation

public class NSCompoundPredicate: NSPredicate {}
