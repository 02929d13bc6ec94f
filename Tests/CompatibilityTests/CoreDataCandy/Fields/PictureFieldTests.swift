import CoreDataCandy
import TestSupport
import Testing

/// A class that could not be codable by itself, such as an image.
final class Picture: Codable {
    let png: Data
    let size: Int

    init(png: Data, size: Int) {
        self.png = png
        self.size = size
    }

    static let placeholder = Picture(png: Data(), size: 1)
}

extension Picture: @unchecked Sendable {}  // Both properties are constants.

/// The same for a class with a codable stand-in.
final class Painting: CodableConvertible {
    let png: Data

    init(png: Data) { self.png = png }

    var codableModel: StoredPainting { StoredPainting(png: png) }
}

struct StoredPainting: CodableConvertibleModel {
    let png: Data

    var converted: Painting {
        get throws {
            guard png != Data([0]) else { throw CoreDataCandyError.nsObjectDecodingError }
            return Painting(png: png)
        }
    }
}

@Suite struct PictureFieldTests {
    private struct Album: DatabaseModel {
        let _entityWrapper: EntityWrapper<PlayerEntity>
        let picture = Field(\.avatar, as: Picture.self)
        let shown = Field(\.avatar, as: Picture.self, default: .placeholder)
        let painting = Field(\.avatar, as: Painting.self)
        let framed = Field(\.avatar, as: Painting.self, default: Painting(png: Data([7])))
        let saved = Field(\.avatar, as: Painting.self, fallback: Painting(png: Data([8])))

        init(entity: PlayerEntity) {
            _entityWrapper = .init(entity: entity)
        }
    }

    // Feature CANDY-10
    @Test(arguments: StoreKind.allCases) func aClassThatWasMadeCodable(_ kind: StoreKind) throws {
        try kind.stack().inContext { context throws in
            let entity = PlayerRow().insert(into: context)
            let album = Album(entity: entity)
            #expect(album.current(\.picture) == nil)
            #expect(album.current(\.shown) === Picture.placeholder)
            album.assign(Picture(png: Data([1, 2, 3]), size: 9), to: \.picture)
            try context.save()
            context.refresh(entity, mergeChanges: false)
            #expect(album.current(\.picture)?.png == Data([1, 2, 3]))
            #expect(album.current(\.shown).size == 9)
        }
    }

    // Feature CANDY-10
    @Test(arguments: StoreKind.allCases) func aClassWithACodableStandIn(_ kind: StoreKind) throws {
        try kind.stack().inContext { context throws in
            let entity = PlayerRow().insert(into: context)
            let album = Album(entity: entity)
            #expect(album.current(\.painting) == nil)
            #expect(album.current(\.framed).png == Data([7]))
            album.assign(Painting(png: Data([1, 2])), to: \.painting)
            try context.save()
            context.refresh(entity, mergeChanges: false)
            #expect(album.current(\.painting)?.png == Data([1, 2]))
            #expect(album.current(\.framed).png == Data([1, 2]))
            album.assign(nil, to: \.painting)
            #expect(entity.avatar == nil)
            // A stand-in that stands for nothing.
            album.assign(Painting(png: Data([0])), to: \.framed)
            #expect(album.current(\.saved).png == Data([8]))
        }
    }
}
