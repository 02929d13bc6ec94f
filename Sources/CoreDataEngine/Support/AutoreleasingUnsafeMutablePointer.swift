#if !canImport(ObjectiveC)
    /// A place that holds a value which a method may replace, for the places where Apple's API has one.
    ///
    /// It is valid while the method runs that it was given to.
    public struct AutoreleasingUnsafeMutablePointer<Pointee> {
        private let place: UnsafeMutablePointer<Pointee>

        /// Makes one for a place.
        ///
        /// - Parameter place: Has to stay where it is for as long as the pointer is used.
        public init(_ place: UnsafeMutablePointer<Pointee>) { self.place = place }

        /// The value.
        public var pointee: Pointee {
            get { place.pointee }
            nonmutating set { place.pointee = newValue }
        }
    }
#endif
