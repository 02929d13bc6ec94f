public import Foundation

public class NSExpression: NSObject {}
