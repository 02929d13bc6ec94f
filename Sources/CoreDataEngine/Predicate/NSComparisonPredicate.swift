public import Foundation

public class NSComparisonPredicate: NSPredicate {}
