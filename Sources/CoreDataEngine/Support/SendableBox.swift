/// Carries a value that the compiler can't prove safe into or out of a region that is.
// @unchecked Sendable because each use passes the value on and doesn't keep it.
package struct SendableBox<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
