import Foundation

/// Takes the files of large values along with a copy of a store.
struct BackedUpFiles {
    private let source: ExternalData
    private let draft: URL
    private let copies: ExternalData

    /// - Parameters:
    ///   - source: The store's values.
    ///   - draft: The file of the copy.
    init(from source: ExternalData, to draft: URL) {
        self.source = source
        self.draft = draft
        copies = ExternalData(storeURL: draft)
    }

    /// Takes files along.
    ///
    /// A file is written once and never changed, so that a hard link keeps it as well as a copy does.
    ///
    /// - Parameter names: The names, and whether the file has to be there.
    /// - Returns: The sizes of the files in bytes.
    /// - Throws: ``BackupInterference`` when a file is missing.
    func copy(_ names: [String: Bool]) throws -> [String: Int64] {
        var sizes: [String: Int64] = [:]
        if !names.isEmpty {
            try writing { try copies.makeFolders(like: source) }
        }
        for (name, isRequired) in names {
            if CancellableRead.current?.isCancelled == true { throw CocoaError(.userCancelled) }
            let file = source.folder.appendingPathComponent(name)
            let size = Self.size(of: file)
            if let size, try take(file, name) {
                sizes[name] = size
            } else if isRequired {
                throw BackupInterference.missingValue(name, path: file.path)
            }
        }
        return sizes
    }

    /// - Returns: Whether the file was there.
    private func take(_ file: URL, _ name: String) throws -> Bool {
        let destination = copies.folder.appendingPathComponent(name)
        do {
            try FileManager.default.linkItem(at: file, to: destination)
            return true
        } catch {
            // Another disk, or one without hard links.
            guard Self.size(of: file) != nil else { return false }
        }
        do {
            try FileManager.default.copyItem(at: file, to: destination)
            try DurableFile.synchronize(file: destination)
            return true
        } catch {
            guard Self.size(of: file) != nil else { return false }
            throw CoreDataError.writing(
                "The external value “\(name)” can't be copied.", path: draft.path, cause: error)
        }
    }

    private func writing(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw CoreDataError.writing(
                "The folder of the external values can't be created.", path: draft.path, cause: error)
        }
    }

    /// The size of a file in bytes; `nil` if it doesn't exist.
    static func size(of file: URL) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    // MARK: Names

    /// The files that rows name, and whether each has to be there.
    ///
    /// All columns of binary values are looked at: the file may have grown by a migration, or its model may be known in part
    /// only. What looks like a name in a column that the schema does not know as one of external values need not be one.
    static func named(in connection: SQLiteConnection, _ schema: SQLSchema?) throws -> [String: Bool] {
        var known: Set<String> = []
        for entity in schema?.entities ?? [] {
            for attribute in entity.attributes where attribute.hasExternalStorage {
                known.insert(entity.table.name + "." + attribute.column.name)
            }
        }
        var names: [String: Bool] = [:]
        for (table, column) in try binaryColumns(connection) {
            let isRequired = known.contains(table + "." + column)
            let sql = SQLName.quoted(column)
            let rows = try connection.rows(
                "SELECT DISTINCT \(sql) FROM \(SQLName.quoted(table)) "
                    + "WHERE length(\(sql)) = 38 AND substr(\(sql), 1, 1) = x'02'")
            for case .blob(let data) in rows.map({ $0[0] }) {
                if let name = ExternalData.fileName(in: data) { names[name] = isRequired || names[name] == true }
            }
        }
        return names
    }

    private static func binaryColumns(_ connection: SQLiteConnection) throws -> [(table: String, column: String)] {
        let rows = try connection.rows(
            """
            SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
            WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND upper(c.type) = 'BLOB'
            """)
        return rows.compactMap { row in
            guard case .text(let table) = row[0], case .text(let column) = row[1] else { return nil }
            return (table, column)
        }
    }
}
