package import Foundation

/// Which of several models is the program's.
///
/// The package manager puts the resources of all targets beside each other, also those of targets that the program has
/// nothing of.
extension ModelFinder {
    /// How likely a model is the program's own; the lowest comes first.
    private enum Rank: Int {
        /// It is in the program's bundle, or in that of the target that the program is called after.
        case own
        /// The program has classes of it, in the module of the target whose bundle it is in.
        case linked
        /// The program has classes of it.
        case known
        /// It names no classes, or it can't be read. In a folder of another kind, a damaged file counts as the program's own, so
        /// that its damage is reported.
        case anonymous
        /// The program has none of its classes.
        case foreign
    }

    /// The files of models that come first, in the order in which they are given: all of the folders that have one of the best
    /// rank.
    ///
    /// The files of a single folder are returned without a look into them.
    package static func best(of files: [URL]) -> [URL] {
        let folders = Dictionary(grouping: files) { $0.deletingLastPathComponent() }
        guard folders.count > 1 else { return files }
        ManagedObjectClass.noticeImages()
        let ranks = folders.mapValues { files in files.map { rank($0).rawValue }.min() }
        let best = ranks.values.compactMap(\.self).min()
        return files.filter { ranks[$0.deletingLastPathComponent()] == best }
    }

    private static func rank(_ file: URL) -> Rank {
        let targets = targets(ofBundleAround: file)
        let program = Bundle.main.executableURL ?? URL(fileURLWithPath: ProcessInfo.processInfo.processName)
        let own = moduleName(program.deletingPathExtension().lastPathComponent)
        if targets.isEmpty ? isInMainBundle(file) : targets.contains(own) { return .own }
        guard let model = try? NSManagedObjectModel(contentsOfModelFile: file) else {
            return targets.isEmpty ? .own : .anonymous
        }
        let names = Set(model.entities.compactMap(ManagedObjectClass.name(of:)))
        if names.isEmpty { return .anonymous }
        let modules = names.flatMap(ManagedObjectClass.modules(declaring:))
        if modules.isEmpty { return .foreign }
        return modules.contains(where: targets.contains) ? .linked : .known
    }

    private static func isInMainBundle(_ file: URL) -> Bool {
        let folder = file.deletingLastPathComponent().standardizedFileURL.path
        return [Bundle.main.resourceURL, Bundle.main.bundleURL].contains { $0?.standardizedFileURL.path == folder }
    }

    /// The modules that the target of a resource bundle may be called: `Package_Target.resources`, where both names may have
    /// underscores. None for a file in another folder.
    private static func targets(ofBundleAround file: URL) -> Set<String> {
        guard let bundle = file.pathComponents.dropLast().last(where: isResourceBundle) else { return [] }
        let parts = bundle.prefix { $0 != "." }.split(separator: "_", omittingEmptySubsequences: false)
        return Set(parts.indices.dropFirst().map { moduleName(parts[$0...].joined(separator: "_")) })
    }

    private static func isResourceBundle(_ component: String) -> Bool {
        component.hasSuffix(".resources") || component.hasSuffix(".bundle")
    }

    /// The name of a target's module.
    private static func moduleName(_ target: String) -> String {
        String(target.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }
}
