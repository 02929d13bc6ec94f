import Foundation
import TestSupport

/// Model sources that tests write.
struct ModelFolder {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes an `.xcdatamodel` and returns its path.
    func model(_ entities: String, named name: String = "Shop.xcdatamodel") throws -> String {
        let url = folder.file(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data("<model>\n\(entities)\n</model>\n".utf8).write(to: url.appendingPathComponent("contents"))
        return url.path
    }

    /// Writes an `.xcdatamodeld` with versions and returns its path.
    func versions(_ versions: [String: String], current: String?, named name: String = "Shop.xcdatamodeld") throws
        -> String
    {
        for (version, entities) in versions { _ = try model(entities, named: "\(name)/\(version).xcdatamodel") }
        let url = folder.file(name)
        if let current {
            let list = ["_XCCurrentVersionName": "\(current).xcdatamodel"]
            try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
                .write(to: url.appendingPathComponent(".xccurrentversion"))
        }
        return url.path
    }

    func path(_ name: String) -> String { folder.file(name).path }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The names of what is there, hidden files too.
    func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: name.isEmpty ? folder.url.path : path(name)).sorted()
    }

    static let first = """
        <entity name="Item" representedClassName="Item">
        <attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="size" attributeType="Integer 16" defaultValueString="0"/>
        <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Owner" inverseName="items" inverseEntity="Owner"/>
        </entity>
        <entity name="Owner" representedClassName="Owner">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="items" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Item" inverseName="owner" inverseEntity="Item"/>
        </entity>
        """

    /// The title was renamed, the size became wider, an entity and an attribute came, an attribute went.
    static let second = """
        <entity name="Item" representedClassName="Item">
        <attribute name="heading" optional="YES" attributeType="String" elementID="title"/>
        <attribute name="size" attributeType="Integer 32" defaultValueString="0"/>
        <attribute name="code" attributeType="String"/>
        <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Owner" inverseName="items" inverseEntity="Owner"/>
        </entity>
        <entity name="Owner" representedClassName="Owner">
        <relationship name="items" optional="YES" toMany="YES" deletionRule="Deny" destinationEntity="Item" inverseName="owner" inverseEntity="Item"/>
        </entity>
        <entity name="Place" isAbstract="YES"/>
        """
}
