import CoreData
import Foundation

public final class Colour: NSObject, NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }
    public let red: Double

    public init(red: Double) { self.red = red }

    public init?(coder: NSCoder) { red = coder.decodeDouble(forKey: "red") }

    public func encode(with coder: NSCoder) { coder.encode(red, forKey: "red") }
}

final class ColourTransformer: NSSecureUnarchiveFromDataTransformer {
    static let name = NSValueTransformerName(rawValue: "ColourTransformer")

    override static var allowedTopLevelClasses: [AnyClass] { [Colour.self] }

    static func register() { ValueTransformer.setValueTransformer(ColourTransformer(), forName: name) }
}
