public import Foundation

// On Apple's platforms everything that bridges to an object can be an argument of a format string; elsewhere only texts
// and numbers can. These conformances are what Foundation's `String` has: an object is passed by its pointer, a value by
// an object that the argument list keeps alive.
#if !canImport(ObjectiveC)
    extension NSObject: @retroactive CVarArg {
        public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
    }

    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSDate(timeInterval: 0, since: self) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { uuidString._cVarArgObject }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { absoluteString._cVarArgObject }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSData(data: self) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSDecimalNumber(decimal: self) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSArray(array: self) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSSet(array: Array(self)) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }

    extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
        public var _cVarArgObject: any CVarArg { NSDictionary(dictionary: self) }
        public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
    }
#endif
