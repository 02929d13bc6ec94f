public import Foundation

// On Apple's platforms everything that bridges to an object can be an argument of a format string; elsewhere only texts
// and numbers can. `String(format:)` sees these arguments as their descriptions: handing out the objects themselves ends
// in a crash, because Core Foundation takes a Swift collection for its own. The argument list keeps the text alive.
#if !canImport(ObjectiveC)
    extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSString(string: description) }
        public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
    }

    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSString(string: description) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSString(string: uuidString) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSString(string: absoluteString) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSString(string: description) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSString(string: description) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSString(string: description) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSString(string: description) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSString(string: description) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }
#endif
