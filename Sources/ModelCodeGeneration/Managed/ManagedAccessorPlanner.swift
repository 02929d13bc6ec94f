/// Turns `@NSManaged` members into accessors, and says which can't have any.
struct ManagedAccessorPlanner {
    private let scope: ManagedScope
    private var classes: [String: ManagedAccessors.ClassAccessors] = [:]
    private var symbols: Set<String> = []
    private(set) var diagnostics: [Diagnostic] = []

    /// The types of the properties of each class, by name.
    private var properties: [String: [String: SwiftType]] = [:]

    init(_ scope: ManagedScope) { self.scope = scope }

    var result: ManagedAccessors {
        ManagedAccessors(
            classes: classes.values.filter { !$0.accessors.isEmpty || !$0.keyed.isEmpty }.sorted {
                $0.className < $1.className
            })
    }

    mutating func take(_ declarations: ManagedDeclarations) {
        let members = declarations.members.map { member in
            var member = member
            member.owner = className(member.owner)
            return member
        }
        for member in members {
            if case .property(let type?) = member.content { properties[member.owner, default: [:]][member.name] = type }
        }
        for type in declarations.types where scope.isManagedClass(type.name) {
            checkObjectiveC(type.objectiveC, "the class \(type.name)", type.file)
        }
        for member in declarations.localMembers { complain(member) }
        for member in members { take(member) }
        for property in declarations.keyedProperties { take(property) }
    }

    /// The name of a class that may be written with another name for it.
    private func className(_ written: String) -> String {
        scope.qualified(.named(written), at: .top).simpleName ?? written
    }

    // MARK: Checks

    private mutating func complain(_ member: ManagedDeclarations.Member, _ message: String) {
        diagnostics.append(Diagnostic(file: member.file, line: member.line, message))
    }

    private mutating func complain(_ member: ManagedDeclarations.LocalMember) {
        let path = [member.className, member.name].compactMap(\.self).joined(separator: ".")
        diagnostics.append(
            Diagnostic(
                file: member.file, line: member.line,
                "\(path) is @NSManaged in a class that is declared inside a function or a block, so nothing outside "
                    + "can supply it; move the class out of it"))
    }

    private mutating func checkObjectiveC(_ token: SwiftToken?, _ what: String, _ file: String) {
        guard let token else { return }
        diagnostics.append(
            Diagnostic(
                file: file, line: token.line,
                "\(what) has '@\(token.text)', which only exists on Apple's platforms; put it between "
                    + "'#if canImport(ObjectiveC)' and '#endif', which 'opencoredata model port' does"))
    }

    private mutating func take(_ member: ManagedDeclarations.Member) {
        let path = "\(member.owner).\(member.name)"
        if member.objectiveC != nil {
            checkObjectiveC(member.objectiveC, path, member.file)
            return
        }
        if let privacy = member.privacy {
            complain(
                member,
                "\(path) is \(privacy.text), so nothing outside its file can supply it; remove '\(privacy.text)', "
                    + "which 'opencoredata model port' does")
            return
        }
        guard !member.isStatic else {
            complain(member, "\(path) is a static member, which can't be @NSManaged")
            return
        }
        guard let owner = owner(of: member), let nominal = scope.nominal(owner.name) else { return }
        do throws(SymbolMangler.UnknownType) {
            switch member.content {
            case .property(let type?): try takeProperty(member, type, owner, nominal)
            case .property(nil): complain(member, "the type of \(path) isn't one that @NSManaged can be supplied for")
            case .method(let parameters?, returnsValue: false): try takeMethod(member, parameters, owner, nominal)
            case .method: complain(member, "\(path) isn't an accessor of a to-many relationship; write its body")
            }
        } catch {
            complain(
                member,
                "the type '\(error.name)' of \(path) is not declared in this module, so @NSManaged can't be supplied; "
                    + "write a computed property with value(forKey:) and setValue(_:forKey:)")
        }
    }

    /// The class of a member, when it is one that accessors can be supplied for.
    private mutating func owner(of member: ManagedDeclarations.Member) -> Owner? {
        let path = "\(member.owner).\(member.name)"
        guard let type = scope.declared(member.owner) else {
            if let nominal = scope.nominal(member.owner) {
                return Owner(name: nominal.path.map(\.name).joined(separator: "."), isPublic: true)
            }
            complain(
                member,
                "the class \(member.owner) is not declared in this module, so \(path) can't be supplied; "
                    + "declare it in the same module as the class")
            return nil
        }
        guard type.kind == .class else {
            complain(
                member, "\(member.owner) isn't a class, and only managed object classes can have @NSManaged members")
            return nil
        }
        guard !type.isPrivate else {
            complain(member, "the class \(type.name) is private, so nothing outside its file can supply \(path)")
            return nil
        }
        guard !type.isGeneric else {
            complain(member, "the class \(type.name) is generic, so @NSManaged can't be supplied for it")
            return nil
        }
        guard scope.nominal(type.name) != nil else {
            complain(
                member,
                "the class \(type.name) is declared inside a type of another module, so @NSManaged can't be supplied for it"
            )
            return nil
        }
        return Owner(name: type.name, isPublic: type.isPublic)
    }

    private struct Owner {
        var name: String
        var isPublic: Bool
    }

    // MARK: Accessors

    private mutating func add(_ accessor: ManagedAccessors.Accessor, slot: ManagedAccessors.Slot?, to owner: Owner) {
        // Branches of an #if may declare a member twice.
        guard symbols.insert(accessor.symbol).inserted else { return }
        var entry = classes[owner.name] ?? ManagedAccessors.ClassAccessors(className: owner.name)
        if let slot, !entry.slots.contains(slot) { entry.slots.append(slot) }
        entry.accessors.append(accessor)
        classes[owner.name] = entry
    }

    private mutating func takeProperty(
        _ member: ManagedDeclarations.Member, _ written: SwiftType, _ owner: Owner, _ nominal: NominalType
    ) throws(SymbolMangler.UnknownType) {
        let type = qualified(written, member, owner)
        let resolve = { [scope] (name: String) in scope.nominal(name) }
        let getter = try SymbolMangler.accessor(.getter, of: member.name, type: type, in: nominal, resolve: resolve)
        let setter = try SymbolMangler.accessor(.setter, of: member.name, type: type, in: nominal, resolve: resolve)
        let body = body(member.name, type, owner)
        let slot = body.slotType.map { ManagedAccessors.Slot(name: member.name, type: $0) }
        add(
            ManagedAccessors.Accessor(
                symbol: getter, isPublic: owner.isPublic && member.isPublic,
                signature: "_managedGet_\(member.name)() -> \(type.source)", body: body.getter, types: [type]),
            slot: slot, to: owner)
        add(
            ManagedAccessors.Accessor(
                symbol: setter, isPublic: owner.isPublic && member.isPublic,
                signature: "_managedSet_\(member.name)(_ newValue: __owned \(type.source))", body: body.setter ?? [],
                types: [type]),
            slot: slot, to: owner)
    }

    /// A type that a member is declared with, as it can be written outside of its class.
    private func qualified(_ type: SwiftType, _ member: ManagedDeclarations.Member, _ owner: Owner) -> SwiftType {
        scope.qualified(
            type, at: ManagedScope.Position(owner: owner.name, isInExtension: member.isInExtension))
    }

    private func body(_ name: String, _ type: SwiftType, _ owner: Owner) -> AccessorBody {
        let rest = name.dropFirst("primitive".count)
        if name.hasPrefix("primitive"), rest.first?.isUppercase == true {
            return AccessorBody(primitive: type, key: key(String(rest), owner), owner: owner.name)
        }
        let slot = "\(SlotNames.container(of: owner.name)).\(SlotNames.slot(of: name))"
        return AccessorBody(
            type: type, key: name, slot: slot, owner: owner.name,
            isManagedClass: { scope.isManagedClass($0) })
    }

    /// The property that stands in a name with its first letter in capitals.
    private func key(_ capitalized: String, _ owner: Owner) -> String {
        let declared = properties[owner.name] ?? [:]
        return declared[capitalized] != nil ? capitalized : SwiftIdentifier.uncapitalized(capitalized)
    }

    /// A property that key-value coding finds.
    private mutating func take(_ property: ManagedDeclarations.KeyedProperty) {
        let name = className(property.owner)
        // What can't be seen outside of its file is left to its class, which may override `value(forKey:)`.
        guard property.privacy == nil, scope.isManagedClass(name) else { return }
        if let type = scope.declared(name), type.isPrivate || type.isGeneric || type.isIsolated { return }
        var entry = classes[name] ?? ManagedAccessors.ClassAccessors(className: name)
        if !entry.keyed.contains(property.name) { entry.keyed.append(property.name) }
        classes[name] = entry
    }

    private mutating func takeMethod(
        _ member: ManagedDeclarations.Member, _ parameters: [ManagedDeclarations.MethodParameter], _ owner: Owner,
        _ nominal: NominalType
    ) throws(SymbolMangler.UnknownType) {
        let types = parameters.map { qualified($0.type, member, owner) }
        guard let change = ManagedMethodName(member.name, labels: parameters.map(\.label), types: types) else {
            complain(
                member, "\(owner.name).\(member.name) isn't an accessor of a to-many relationship; write its body")
            return
        }
        let symbol = try SymbolMangler.method(
            member.name, parameters: zip(parameters, types).map { .init(label: $0.label, type: $1) }, in: nominal,
            resolve: { [scope] name in scope.nominal(name) })
        let body = ToManyMethod.body(
            change.change, key: key(change.key, owner), value: "value\(change.valueIndex ?? 0)",
            index: "value\(change.positionIndex ?? 0)", isMany: change.isMany)
        let list = types.enumerated().map { "_ value\($0.offset): \($0.element.source)" }.joined(separator: ", ")
        add(
            ManagedAccessors.Accessor(
                symbol: symbol, isPublic: owner.isPublic && member.isPublic,
                signature: "_managed_\(member.name)(\(list))", body: body,
                types: types),
            slot: nil, to: owner)
    }
}
