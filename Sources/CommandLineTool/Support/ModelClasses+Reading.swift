#if CommandLineTool
import StoreTools

extension ModelClasses {
    /// The classes for a model file or a store, which also has the values of enumerations. Says what they leave out.
    init(of path: String, access: String?) throws {
        let source = try ModelReference(path).source()
        var values = EnumerationValues()
        if source.origin.store != nil {
            values = try EnumerationValues(StoreSession(path: path, modelPath: nil, access: .reading))
        }
        try self.init(source.model, values: values, access: access)
        for sentence in leftOut { StandardError.writeLine("opencoredata: \(sentence)") }
        if !leftOut.isEmpty {
            StandardError.writeLine("opencoredata: The version hashes of these entities differ from the model's.")
        }
    }
}
#endif
