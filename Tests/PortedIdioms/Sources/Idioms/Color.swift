import CoreData
import Foundation

public final class Color: NSObject, NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }
    public let red: Double

    public init(red: Double) { self.red = red }

    public init?(coder: NSCoder) { red = coder.decodeDouble(forKey: "red") }

    public func encode(with coder: NSCoder) { coder.encode(red, forKey: "red") }
}

final class ColorTransformer: NSSecureUnarchiveFromDataTransformer {
    static let name = NSValueTransformerName(rawValue: "ColorTransformer")

    override static var allowedTopLevelClasses: [AnyClass] { [Color.self] }

    static func register() { ValueTransformer.setValueTransformer(ColorTransformer(), forName: name) }
}
