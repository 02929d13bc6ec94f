import Foundation
import OpenCoreData
import Testing

/// The published test values of the hash functions, and the documented ones of version hashes.
@Suite struct HashFunctionTests {
    private func hex(_ data: Data) -> String { data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    @Test func hashesAreThoseOfTheStandard() {
        #expect(hex(SHA256.hash(Data())) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hex(SHA256.hash(Data("abc".utf8))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hex(SHA512.hash(Data("abc".utf8)))
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
        #expect(
            hex(SHA512.hash(Data(repeating: UInt8(ascii: "a"), count: 1_000_000)))
                == "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b")
    }

    /// Lengths around the end of a block, where the padding needs another one.
    @Test func everyLengthOfPaddingIsRight() {
        let lengths = Data((0..<260).flatMap { length in SHA512.hash(Data(count: length)) })
        #expect(hex(SHA256.hash(lengths)) == "3f5b39f782d2de56fbe4606cba0fb2bef7ec19ae0ee89fce35471c2356a318ac")
    }

    @Test func versionHashesAreThoseOfApplesCompiler() throws {
        let name = NSAttributeDescription()
        name.name = "name"
        name.type = .string
        name.isOptional = false
        #expect(hex(name.versionHash) == "8cb9965c0031ac68913984f3110941ad965395be9fd9b17de7be54bc7ad46890")
        let petName = NSAttributeDescription()
        petName.name = "petName"
        petName.type = .string
        #expect(hex(petName.versionHash) == "3600ceedf50b080f90041365395158784f0deb03bc9acddf1cad607c4fe50742")
        let user = NSEntityDescription()
        user.name = "User"
        user.properties = [petName, name]
        #expect(hex(user.versionHash) == "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798")
    }
}
