import Foundation

/// Which stages a store has to go through, by the order of versions that the stages give.
struct StageRoute {
    /// A position in the list of versions: a stage, and the version in it.
    private struct Position: Comparable {
        let stage: Int
        let version: Int

        static func < (first: Position, second: Position) -> Bool {
            (first.stage, first.version) < (second.stage, second.version)
        }
    }

    /// A part of the way.
    enum Step {
        /// To a version of a lightweight stage, given by its checksum.
        case version(String)
        case custom(NSCustomMigrationStage)
    }

    /// The way, in order. After the last step there is nothing but inference.
    let steps: [Step]

    /// Finds the way.
    ///
    /// - Parameters:
    ///   - source: The checksum of the store's version.
    ///   - target: The checksum of the version that it shall have. When no stage knows it, it is newer than all.
    /// - Throws: `NSManagedObjectModelReferenceNotFoundError` when no stage knows the store's version,
    ///   `NSStagedMigrationBackwardMigrationError` when the target is older, `NSMigrationError` for stages that contradict
    ///   each other.
    init(through stages: [NSMigrationStage], from source: String, to target: String) throws {
        let versions = stages.map(Self.versions)
        try Self.requireOrder(versions, stages)
        guard let start = Self.lastPosition(of: source, in: versions) else {
            throw CoreDataError.make(
                NSManagedObjectModelReferenceNotFoundError,
                "Cannot use staged migration with an unknown model version: no stage has the checksum '\(source)'.")
        }
        let end = Self.lastPosition(of: target, in: versions) ?? Position(stage: stages.count, version: 0)
        guard start <= end else {
            throw CoreDataError.make(
                NSStagedMigrationBackwardMigrationError,
                "A store file cannot be migrated backwards with staged migration: the version '\(target)' comes before "
                    + "'\(source)'.")
        }
        steps = stages.enumerated().flatMap { index, stage -> [Step] in
            func isOnTheWay(_ version: Int) -> Bool {
                let position = Position(stage: index, version: version)
                return position > start && position <= end
            }
            if let custom = stage as? NSCustomMigrationStage { return isOnTheWay(1) ? [.custom(custom)] : [] }
            return versions[index].enumerated().filter { isOnTheWay($0.offset) }.map { .version($0.element) }
        }
    }

    /// Whether a stage has a version.
    static func knows(_ checksum: String, _ stages: [NSMigrationStage]) -> Bool {
        stages.contains { versions(of: $0).contains(checksum) }
    }

    private static func versions(of stage: NSMigrationStage) -> [String] {
        switch stage {
        case let custom as NSCustomMigrationStage:
            [custom.currentModel.versionChecksum, custom.nextModel.versionChecksum]
        case let light as NSLightweightMigrationStage: light.versionChecksums
        default: []
        }
    }

    private static func lastPosition(of checksum: String, in versions: [[String]]) -> Position? {
        for (stage, checksums) in versions.enumerated().reversed() {
            if let version = checksums.lastIndex(of: checksum) { return Position(stage: stage, version: version) }
        }
        return nil
    }

    /// A version may end one stage and begin the next, and be nowhere else.
    private static func requireOrder(_ versions: [[String]], _ stages: [NSMigrationStage]) throws {
        var lastStage: [String: Int] = [:]
        for (index, checksums) in versions.enumerated() {
            for checksum in checksums {
                if let former = lastStage[checksum], former == index || versions[former].last != checksum {
                    throw CoreDataError.make(
                        NSMigrationError,
                        "Duplicate version checksums across stages: '\(checksum)' is in the stages "
                            + "\(stages[former].title) and \(stages[index].title).")
                }
                lastStage[checksum] = index
            }
        }
    }
}
