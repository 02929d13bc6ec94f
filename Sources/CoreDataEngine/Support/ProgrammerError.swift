/// Stops the program because of a mistake in it, and says which: unlike `preconditionFailure`, in a release build as well.
@inline(never)
package func programmerError(
    _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
    fatalError(message(), file: file, line: line)
}

/// Stops the program unless a condition holds, and says why: unlike `precondition`, in a release build as well.
@inline(__always)
package func programmerError(
    unless condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
) {
    if !condition() { programmerError(message(), file: file, line: line) }
}
