/// What a store on a server is opened with besides the options that all stores have.
package struct ServerOptions: Sendable, Hashable {
    /// The key of the option that the type of store looks for.
    package let key: String
    package let value: any Hashable & Sendable

    package init(key: String, _ value: some Hashable & Sendable) {
        self.key = key
        self.value = value
    }

    package static func == (left: ServerOptions, right: ServerOptions) -> Bool {
        left.key == right.key && AnyHashable(left.value) == AnyHashable(right.value)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(AnyHashable(value))
    }
}
