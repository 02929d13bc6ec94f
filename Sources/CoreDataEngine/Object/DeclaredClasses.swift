import EngineShims
import Synchronization

/// The classes that the program and its libraries declare, found by name whether or not they were used.
///
/// A runtime without Objective-C can find a class only with the name of its module. The list of type descriptors that
/// each image registers with the runtime has them all. Each list is read once, for classes with a superclass and
/// without generic parameters. A class is initialized only when its name is looked up.
enum DeclaredClasses {
    /// A class as its descriptor describes it.
    struct Declaration: Sendable {
        let module: String
        /// Whether it is neither nested nor private to a file or function.
        let isTopLevel: Bool
        /// The address of the function that gives its metadata.
        fileprivate let accessor: UInt

        /// The class, if it is one of managed objects.
        var managedObjectClass: NSManagedObject.Type? { anyClass as? NSManagedObject.Type }

        /// The class, whatever it inherits from.
        var anyClass: AnyClass? {
            guard let accessor = UnsafeRawPointer(bitPattern: accessor) else { return nil }
            return unsafeBitCast(engine_type_metadata(accessor), to: AnyClass.self)
        }
    }

    fileprivate struct Index: Sendable {
        /// Where the lists begin that were read.
        var lists: Set<UInt> = []
        var declarations: [String: [Declaration]] = [:]
    }

    private static let index = Mutex(Index())

    /// How many images there are; more than before when one was loaded. 0 where their lists can't be had.
    static var imageCount: Int { engine_swift_image_count() }

    /// The classes of a name without its module, those at the top level of a file first.
    static func named(_ name: String) -> [Declaration] {
        let found = index.withLock { index in
            withUnsafeMutablePointer(to: &index) { address in
                engine_each_type_list(
                    { start, length, context in
                        context?.assumingMemoryBound(to: Index.self).pointee.read(start, length)
                    }, address)
            }
            return index.declarations[name] ?? []
        }
        return found.filter(\.isTopLevel) + found.filter { !$0.isTopLevel }
    }
}

extension DeclaredClasses.Index {
    /// Reads the list of an image, unless it was read.
    fileprivate mutating func read(_ start: UnsafeRawPointer, _ length: Int) {
        guard lists.insert(UInt(bitPattern: start)).inserted else { return }
        for offset in stride(from: 0, to: length - 3, by: 4) {
            guard let descriptor = TypeDescriptor(listedAt: start + offset), descriptor.isPlainSubclass,
                let name = descriptor.name, let accessor = descriptor.accessor
            else { continue }
            let (module, depth) = descriptor.surroundings
            guard let module else { continue }
            declarations[name, default: []].append(
                DeclaredClasses.Declaration(
                    module: module, isTopLevel: depth == 0, accessor: UInt(bitPattern: accessor)))
        }
    }
}

/// A context descriptor of Swift's ABI: of a type, or of what a type is declared in.
private struct TypeDescriptor {
    private let address: UnsafeRawPointer

    private enum Kind {
        static let module: UInt32 = 0
        static let `class`: UInt32 = 16
    }

    private enum Field {
        static let parent = 4
        static let name = 8
        static let accessor = 12
        static let superclass = 20
    }

    private init(address: UnsafeRawPointer) { self.address = address }

    /// What an entry of an image's list refers to: the descriptor, or a pointer to it.
    init?(listedAt entry: UnsafeRawPointer) {
        let reference = entry.load(as: Int32.self)
        let target = entry + Int(reference & ~3)
        switch reference & 3 {
        case 0 where reference != 0: address = target
        case 1:
            guard let pointer = target.load(as: UnsafeRawPointer?.self) else { return nil }
            address = pointer
        default: return nil
        }
    }

    private var flags: UInt32 { address.load(as: UInt32.self) }
    private var kind: UInt32 { flags & 0x1F }

    /// Whether it is a class with a superclass and without generic parameters.
    var isPlainSubclass: Bool { kind == Kind.class && flags & 0x80 == 0 && reference(Field.superclass) != 0 }

    var name: String? {
        target(Field.name).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }

    var accessor: UnsafeRawPointer? { target(Field.accessor) }

    /// The module, and how many types, extensions and private contexts there are between.
    var surroundings: (module: String?, depth: Int) {
        var (current, depth) = (parent, 0)
        while let context = current, context.kind != Kind.module {
            depth += 1
            current = context.parent
        }
        return (current?.name, depth)
    }

    private var parent: TypeDescriptor? {
        let reference = reference(Field.parent)
        if reference == 0 { return nil }
        let target = address + Field.parent + Int(reference & ~1)
        if reference & 1 == 0 { return TypeDescriptor(address: target) }
        return target.load(as: UnsafeRawPointer?.self).map(TypeDescriptor.init(address:))
    }

    private func reference(_ offset: Int) -> Int32 { address.load(fromByteOffset: offset, as: Int32.self) }

    /// What a field refers to, counted from where it stands.
    private func target(_ offset: Int) -> UnsafeRawPointer? {
        let reference = reference(offset)
        return reference == 0 ? nil : address + offset + Int(reference)
    }
}
