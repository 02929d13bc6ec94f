#if PostgreSQL
import Foundation
import Testing

@testable import OpenCoreDataPostgreSQL

struct AddressTests {
    @Test func anAddressIsShownWithoutItsPassword() throws {
        let address = try PostgreSQLAddress(
            "postgresql://ann:s3cret@db.example:5433/books?schema=shop&sslmode=require")
        #expect(address.displayName == "postgresql://ann@db.example:5433/books?schema=shop")
        #expect(address.schema == "shop")
        #expect(address.withoutPassword("the password s3cret") == "the password …")
        let pair = try PostgreSQLAddress("postgresql://ann@one:1,two:2/books")
        #expect(pair.displayName == "postgresql://ann@one:1,two:2/books?schema=public")
        let words = try PostgreSQLAddress("host=db.example dbname=books user=ann password=s3cret")
        #expect(words.displayName == "postgresql://ann@db.example/books?schema=public")
    }

    @Test(arguments: [
        "postgresql//ann:s3cret@db/books", "postgresql://ann:s3cret@[db/books", "postgresql://db/books?s3cret=1%zz",
        "host=db password=s3cret s3cret", "password='s3cret", "postgresql://ann:s3cret%ZZ@db/x", "s3cret\0",
        "postgresql://ann:s3cret@db/books?schema=",
    ])
    func aMalformedAddressIsRefusedWithoutBeingRepeated(_ text: String) throws {
        let error = try #require(throws: PostgreSQLError.self) { try PostgreSQLAddress(text) }
        #expect(error.kind == .invalidAddress)
        #expect(!error.description.contains("s3cret"))
    }

    @Test func hostsThatAreNotLocalHaveToProveWhoTheyAre() throws {
        func mode(_ text: String) throws -> String? {
            try PostgreSQLAddress(text).connectionParameters(PostgreSQLOptions())["sslmode"]
        }
        #expect(try mode("postgresql://db.example/books") == "verify-full")
        #expect(try mode("postgresql://localhost,db.example/books") == "verify-full")
        #expect(try mode("postgresql://db.example/books?sslmode=prefer") == "prefer")
        #expect(try mode("postgresql://localhost/books") == nil)
        #expect(try mode("postgresql://127.0.0.1/books") == nil)
        #expect(try mode("host=/run/postgresql dbname=books") == nil)
    }

    @Test func whatTheAddressSaysWinsOverTheOptions() throws {
        let address = try PostgreSQLAddress(
            "postgresql://localhost/books?application_name=mine&connect_timeout=9&options=-c%20work_mem%3D8MB")
        var options = PostgreSQLOptions()
        options.lockTimeout = 1.5
        let parameters = address.connectionParameters(options)
        #expect(parameters["application_name"] == "mine")
        #expect(parameters["connect_timeout"] == "9")
        #expect(parameters["options"]?.hasSuffix("-c work_mem=8MB") == true)
        #expect(parameters["options"]?.contains("-c lock_timeout=1500 ") == true)
        options.pooling = .transaction
        #expect(address.connectionParameters(options)["options"] == "-c work_mem=8MB")
    }

    @Test func theURLHasSettingsThatWinOverTheOptions() throws {
        let address = try PostgreSQLAddress(
            "postgresql://localhost/books?schema=shelf&pooling=transaction&pool_size=3&pool_timeout=1.5&lock_timeout=2"
                + "&statement_timeout=4")
        var options = PostgreSQLOptions()
        options.lockTimeout = 9
        options = address.settings.merged(options)
        #expect(address.schema == "shelf")
        #expect(address.settings.poolSize == 3 && address.settings.poolTimeout == 1.5)
        #expect(options.pooling == .transaction && options.lockTimeout == 2 && options.statementTimeout == 4)
    }

    @Test(arguments: [
        "pooling=statement", "pool_size=0", "pool_size=many", "pool_timeout=-1", "lock_timeout=soon",
        "statement_timeout=",
    ]) func aSettingThatCannotBeIsNamed(_ item: String) throws {
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLAddress("postgresql://ann:s3cret@localhost/books?\(item)")
        }
        #expect(error?.kind == .invalidAddress)
        #expect(error?.message.contains(item.prefix { $0 != "=" }) == true)
        #expect(error?.message.contains("s3cret") == false)
    }

    @Test func aServerThatIsNotThereIsATypedError() throws {
        let address = try PostgreSQLAddress("postgresql://ann:s3cret@127.0.0.1:1/books")
        let error = try #require(throws: PostgreSQLError.self) { try PostgreSQLConnection(address) }
        #expect(error.kind == .cannotConnect)
        #expect(error.isTransient)
        #expect(error.description.contains("127.0.0.1"))
        #expect(!error.description.contains("s3cret"))
    }
}
#endif
