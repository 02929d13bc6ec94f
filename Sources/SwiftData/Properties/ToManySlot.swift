import CoreDataEngine

/// A to-many.
///
/// The array of the members is kept until the members change, so that reading it again and adding to it cost nothing for
/// the members that are there.
final class ToManySlot<Model: PersistentModel>: ModelSlot<[Model]>, @unchecked Sendable {
    private let property: ManagedProperty<[NSManagedObject]>

    override init(_ name: String) {
        property = ManagedProperty(name)
        super.init(name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> [Model]? {
        guard let context = storage.context else { return nil }
        if let kept = kept(object, storage) { return kept.models }
        let objects = Self.inOrder([NSManagedObject].read(object, property))
        let models = objects.compactMap { member in
            BackedObject.of(member).flatMap { context.model(of: $0, as: Model.self) }
        }
        if models.count == objects.count { keep(models, object, storage, in: context) }
        return models
    }

    override func store(_ value: [Model], _ object: BackedObject, _ storage: ModelStorage) {
        guard let context = storage.context else { return }
        storage.lists[name] = nil
        [NSManagedObject].write(value.compactMap { context.object(of: $0) }, object, property)
    }

    override func clear(_ object: BackedObject) { [NSManagedObject].write([], object, property) }

    override var isRelationship: Bool { true }
    override var isToMany: Bool { true }

    override func value(of models: [any PersistentModel]) -> [Model]? { models.compactMap { $0 as? Model } }

    override func transfer(_ value: Any, to object: BackedObject, _ storage: ModelStorage) {
        guard let models = value as? [Model], let context = storage.context else { return }
        for model in models {
            if let member = context.object(of: model) { object.addMember(property, member) }
        }
    }

    override func models(in value: Any) -> [any PersistentModel] { value as? [Model] ?? [] }

    // MARK: Order

    /// The order of the rows, new ones last in the order in which they were made.
    private static func inOrder(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        if objects.count < 2 { return objects }
        return objects.map { (reference: $0.objectID.reference, object: $0) }
            .sorted { precedes($0.reference, $1.reference) }.map(\.object)
    }

    private static func precedes(_ first: Int64, _ second: Int64) -> Bool {
        switch (first < 0, second < 0) {
        case (false, false): first < second
        case (true, true): first > second
        case (let isNew, _): !isNew
        }
    }

    // MARK: Keeping

    private func kept(_ object: BackedObject, _ storage: ModelStorage) -> MemberArray<Model>? {
        guard let kept = storage.lists[name] as? MemberArray<Model> else { return nil }
        return kept.version == object.memberVersion(property) ? kept : nil
    }

    private func keep(_ models: [Model], _ object: BackedObject, _ storage: ModelStorage, in context: ModelContext) {
        storage.lists[name] = nil
        // A model that has itself as a member would never be released.
        guard let version = object.memberVersion(property), !models.contains(where: { $0 === storage.model }) else {
            return
        }
        context.willKeepList(of: Model.self, storage)
        guard storage.mayKeepMembers() else { return }
        for model in models { model._$modelStorage?.becomeMember(of: storage) }
        storage.lists[name] = MemberArray(models, version)
    }

    // MARK: Changing in place

    override func take(_ storage: ModelStorage) -> [Model] {
        guard storage.object != nil else {
            // Out of the dictionary, so that the array is the only one and can grow in place.
            guard let list = kept(storage) else { return _read(storage) }
            storage.values[name] = nil
            storage.countsBeforeChange[name] = list.count
            return list
        }
        return load(of: storage, forChange: true) ?? []
    }

    override func load(of storage: ModelStorage, forChange: Bool) -> [Model]? {
        guard let object = storage.object, let list = load(object, storage) else { return nil }
        kept(object, storage)?.models = []
        return list
    }

    override func put(_ value: [Model], _ storage: ModelStorage) {
        guard let object = storage.object, let context = storage.context else { return putLoose(value, storage) }
        guard let kept = kept(object, storage), let added = kept.added(in: value) else {
            return store(value, object, storage)
        }
        storage.lists[name] = nil
        var last = kept.last
        var isInOrder = true
        for model in value[added] {
            guard let member = context.object(of: model) else { continue }
            let before = object.memberVersion(property)
            object.addMember(property, member)
            let reference = member.objectID.reference
            isInOrder =
                isInOrder && before != object.memberVersion(property) && model !== storage.model
                && last.map { Self.precedes($0, reference) } ?? true
            last = reference
        }
        guard isInOrder, let version = object.memberVersion(property) else { return }
        for model in value[added] { model._$modelStorage?.becomeMember(of: storage) }
        kept.take(value, added, last, version)
        storage.lists[name] = kept
    }

    private func putLoose(_ value: [Model], _ storage: ModelStorage) {
        let count = storage.countsBeforeChange.removeValue(forKey: name) ?? 0
        // None of those that were there is in a context, or this model would be too.
        let isAppended = value.count == count + 1
        if isAppended, value.last?.modelContext == nil {
            storage.values[name] = value
        } else {
            write(value, storage)
        }
    }
}

/// The members of one to-many as an array.
final class MemberArray<Model: PersistentModel> {
    fileprivate(set) var models: [Model]
    fileprivate private(set) var version: MemberVersion
    /// The number of the last member's row.
    fileprivate private(set) var last: Int64?
    /// Where the members are in memory. Tells what of the array a program changed, without holding a second array, which
    /// would have to be copied for each change.
    private var addresses: [UInt]

    fileprivate init(_ models: [Model], _ version: MemberVersion) {
        self.models = models
        self.version = version
        last = models.last.flatMap { $0._$modelStorage?.object?.objectID.reference }
        addresses = models.map(Self.address)
    }

    private static func address(_ model: Model) -> UInt { UInt(bitPattern: Unmanaged.passUnretained(model).toOpaque()) }

    /// The positions of the members that were added at the end, or `nil` if something else was changed.
    fileprivate func added(in array: [Model]) -> Range<Int>? {
        let count = addresses.count
        guard array.count >= count else { return nil }
        let isSame = addresses.withUnsafeBytes { known in
            array.withUnsafeBytes { now in
                guard let known = known.baseAddress, let now = now.baseAddress else { return count == 0 }
                return memcmp(known, now, count * MemoryLayout<UInt>.size) == 0
            }
        }
        return isSame ? count..<array.count : nil
    }

    fileprivate func take(_ array: [Model], _ added: Range<Int>, _ last: Int64?, _ version: MemberVersion) {
        models = array
        for model in array[added] { addresses.append(Self.address(model)) }
        self.last = last
        self.version = version
    }
}
