import Foundation

/// Files of values that are too large for their rows.
extension StoreChecker {
    /// Each file that a row names is there, and each file that is there is named by a row, or will be removed.
    mutating func checkExternalData(_ schema: SQLSchema) throws {
        let values = ExternalData(storeURL: url)
        let folder = values.folder
        let files = Set(values.orphans(besides: []))
        let folders = [folder] + (formerURL.map { [ExternalData(storeURL: $0).folder] } ?? [])
        var named: Set<String> = []
        var seen: Set<String> = []
        for entity in schema.entities {
            for attribute in entity.attributes where attribute.hasExternalStorage {
                guard seen.insert("\(entity.table.name).\(attribute.column.name)").inserted else { continue }
                try checkNames(in: attribute.column, of: entity.table, attribute: attribute.name, folders, &named)
            }
        }
        // Another store of the same name but for the extension has its files here too.
        if values.mayBeShared { return }
        let unused = UnusedFileList.names(in: values.supportFolder, store: values.storeName)
        for file in files.subtracting(named).subtracting(unused).sorted().prefix(Self.limit) {
            add(.externalData, level: .notice, "The file \(folder.path)/\(file) belongs to no row.")
        }
    }

    private mutating func checkNames(
        in column: SQLColumn, of table: SQLTable, attribute: String, _ folders: [URL], _ named: inout Set<String>
    ) throws {
        let rows = try connection.rows(
            "SELECT Z_PK, \(column.sql) FROM \(table.sql) WHERE substr(\(column.sql), 1, 1) = x'02'")
        for row in rows {
            guard case .integer(let key) = row[0], case .blob(let data) = row[1] else { continue }
            let name = String(decoding: data.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
            named.insert(name)
            let path = folders.map { $0.appendingPathComponent(name).path }.first { FileIdentity(at: $0) != nil }
            guard let path else {
                add(
                    .externalData, table: table.name, row: key,
                    "\(attribute) is in the file \(name), which doesn't exist.")
                continue
            }
            if let kind = RegularFile.otherKind(at: path) {
                add(
                    .externalData, table: table.name, row: key,
                    "\(attribute) is in the file \(name), but \(kind) is in its place.")
            }
        }
    }
}
