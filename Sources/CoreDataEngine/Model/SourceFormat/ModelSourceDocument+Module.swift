extension ModelSourceDocument {
    /// The model with the classes of "Current Product Module", which the source writes as `.Book`, in a module.
    package func inModule(_ module: String?) -> ModelSourceDocument {
        guard let module else { return self }
        return ModelSourceDocument(root: Self.element(root, inModule: module))
    }

    private static func element(_ element: SourceElement, inModule module: String) -> SourceElement {
        var element = element
        for name in ["representedClassName", "customClassName"] {
            guard let className = element.attributes[name], className.hasPrefix("."), className.count > 1 else {
                continue
            }
            element.attributes[name] = module + className
        }
        element.children = element.children.map { Self.element($0, inModule: module) }
        return element
    }
}
