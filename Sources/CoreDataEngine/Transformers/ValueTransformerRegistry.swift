#if !canImport(ObjectiveC)
import Foundation
import Synchronization

/// The value transformers of the process, by name.
final class ValueTransformerRegistry: Sendable {
    static let shared = ValueTransformerRegistry()

    /// A transformer on its way through the lock.
    private struct Entry: @unchecked Sendable {
        // The dictionary's lock hands the reference out; transformers are documented as unchanging once registered.
        let transformer: ValueTransformer
    }

    private let transformers: Mutex<[NSValueTransformerName: Entry]>

    private init() {
        transformers = Mutex([
            .secureUnarchiveFromDataTransformerName: Entry(transformer: NSSecureUnarchiveFromDataTransformer()),
            .keyedUnarchiveFromDataTransformerName: Entry(transformer: NSSecureUnarchiveFromDataTransformer()),
            .unarchiveFromDataTransformerName: Entry(transformer: NSSecureUnarchiveFromDataTransformer()),
            .negateBooleanTransformerName: Entry(transformer: PresetTransformer.Negation()),
            .isNilTransformerName: Entry(transformer: PresetTransformer.IsNil()),
            .isNotNilTransformerName: Entry(transformer: PresetTransformer.IsNotNil()),
        ])
    }

    var names: [NSValueTransformerName] {
        transformers.withLock { Array($0.keys) }.sorted { $0.rawValue < $1.rawValue }
    }

    func transformer(for name: NSValueTransformerName) -> ValueTransformer? {
        transformers.withLock { $0[name] }?.transformer
    }

    func set(_ transformer: ValueTransformer?, for name: NSValueTransformerName) {
        let entry = transformer.map(Entry.init)
        transformers.withLock { $0[name] = entry }
    }
}

/// The transformers that Foundation has ready.
enum PresetTransformer {
    final class Negation: ValueTransformer {
        override class func transformedValueClass() -> AnyClass { NSNumber.self }
        override func transformedValue(_ value: Any?) -> Any? {
            NSNumber(value: !((value as? NSNumber)?.boolValue ?? false))
        }
    }

    final class IsNil: ValueTransformer {
        override class func transformedValueClass() -> AnyClass { NSNumber.self }
        override class func allowsReverseTransformation() -> Bool { false }
        override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: value == nil) }
    }

    final class IsNotNil: ValueTransformer {
        override class func transformedValueClass() -> AnyClass { NSNumber.self }
        override class func allowsReverseTransformation() -> Bool { false }
        override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: value != nil) }
    }
}
#endif
