extension NSCompositeAttributeDescription {
    /// The element that an element of a later version was, by its renaming identifier or its name.
    final func former(of element: NSAttributeDescription) -> NSAttributeDescription? {
        elements.first { $0.renamingIdentifier == element.renamingIdentifier }
            ?? elements.first { $0.name == element.name }
    }

    /// The path that a path to a leaf had in an earlier version; nil when there was no such leaf.
    ///
    /// - Parameters:
    ///   - path: The names of elements below this attribute.
    ///   - old: The attribute in the earlier version.
    package final func formerPath(of path: some Collection<Substring>, in old: NSCompositeAttributeDescription)
        -> String?
    {
        guard let name = path.first, let element = elements.first(where: { $0.name == name }),
            let former = old.former(of: element)
        else { return nil }
        guard path.count > 1 else { return former.name }
        guard let inner = element as? NSCompositeAttributeDescription,
            let oldInner = former as? NSCompositeAttributeDescription,
            let rest = inner.formerPath(of: path.dropFirst(), in: oldInner)
        else { return nil }
        return "\(former.name).\(rest)"
    }

    /// The elements of an earlier version under the names and with the types that they have now, without those that are
    /// gone.
    ///
    /// - Parameter convert: Makes the value of an element one of the element that it is now.
    final func renamed(
        _ elements: [String: Any], from old: NSCompositeAttributeDescription,
        convert: (_ value: Any, _ old: NSAttributeDescription, _ new: NSAttributeDescription) throws -> Any
    ) rethrows -> [String: Any] {
        var result: [String: Any] = [:]
        for element in self.elements {
            guard let former = old.former(of: element), let value = elements[former.name] else { continue }
            if let inner = element as? NSCompositeAttributeDescription,
                let oldInner = former as? NSCompositeAttributeDescription, let values = value as? [String: Any]
            {
                result[element.name] = try inner.renamed(values, from: oldInner, convert: convert)
            } else {
                result[element.name] = try convert(value, former, element)
            }
        }
        return result
    }
}
