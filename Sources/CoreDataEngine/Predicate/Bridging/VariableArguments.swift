public import Foundation

// On Apple's platforms everything that bridges to an object can be an argument of a format string; elsewhere only strings
// and numbers can. `String(format:)` sees these arguments as their descriptions: handing out the objects themselves ends
// in a crash, because Core Foundation takes a Swift collection for its own. The argument list keeps the string alive.
#if !canImport(ObjectiveC)
extension _CVarArgObject where Self: CustomStringConvertible {
    /// The description, as an object.
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
    /// The description's object, as a pointer.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The object's pointer.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {}
#endif
