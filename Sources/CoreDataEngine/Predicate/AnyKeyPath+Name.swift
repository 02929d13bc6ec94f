#if !canImport(ObjectiveC)
extension AnyKeyPath {
    /// The key path in Core Data's spelling, such as `author.name`; `nil` if it isn't one of properties of a model.
    ///
    /// On Apple's systems this is the name of properties with `@objc`, and an undocumented part of the standard
    /// library, which has no names elsewhere. `NSExpression(forKeyPath:).keyPath` is the public way.
    public var _kvcKeyPathString: String? { KeyPathNames.name(of: self) }
}
#endif
