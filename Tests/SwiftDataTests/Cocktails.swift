#if Macros
import SwiftData

// Classes for a published app's store: the properties and types that its model copy shows.

enum Bar {
    enum Glass: String, Codable {
        case value0 = "Bird Shaped Tiki Glass"
        case value1 = "Blue Blazer Mugs"
        case value2 = "Chilled 8 oz. Fizz Glass"
        case value3 = "Cinnamon Sugar Rimmed Cocktail Glass"
        case value4 = "Collins"
        case value5 = "Copper Mule Cup"
        case value6 = "Coupe"
        case value7 = "Coupe with a salted rim"
        case value8 = "Double Old Fashioned"
        case value9 = "Double Old Fashioned (half asparagus salt rim)"
        case value10 = "Double Old Fashioned (half celery salt rim)"
        case value11 = "Double Old Fashioned (half salt rim)"
        case value12 = "Double Old Fashioned (half smoked salt rim)"
        case value13 = "Flute"
        case value14 = "Frozen Single Old Fashioned"
        case value15 = "Hurricane Glass"
        case value16 = "Irish Coffee Glass (180ml)"
        case value17 = "Julep Cup"
        case value18 = "Large Wine Glass"
        case value19 = "Martini"
        case value20 = "Milkshake Glass"
        case value21 = "Nick and Nora"
        case value22 = "Ornate Tea Cup"
        case value23 = "Snifter (Flip Glass)"
        case value24 = "Stemmed"
        case value25 = "Stemmed with a half sugar rim"
        case value26 = "Tiki Mug"
        case value27 = "Toddy Glass"
    }
    enum Ice: String, Codable {
        case value0 = "Column ice"
        case value1 = "Cracked Kold Draft"
        case value2 = "Kold Draft ice"
        case value3 = "Large cube"
        case value4 = "Pebble ice"
    }
    enum Variation: String, Codable {
        case value0 = "Air Mail"
        case value1 = "Alaska Cocktail"
        case value2 = "Alexander Cocktail"
        case value3 = "Algonquin"
        case value4 = "Amaretto Sour"
        case value5 = "Americano"
        case value6 = "Apple Jack Cocktail"
        case value7 = "Bamboo"
        case value8 = "Bees Knees"
        case value9 = "Between the Sheets"
        case value10 = "Bijou"
        case value11 = "Blood & Sand"
        case value12 = "Bloody Mary"
        case value13 = "Bobby Burns"
        case value14 = "Boulevardier"
        case value15 = "Bramble"
        case value16 = "Brandy Crusta"
        case value17 = "Brooklyn"
        case value18 = "Brown Derby"
        case value19 = "Cable Car"
        case value20 = "Chocolate Cocktail"
        case value21 = "Clover Club"
        case value22 = "Corpse Reviver No.2"
        case value23 = "Daiquiri"
        case value24 = "East Side"
        case value25 = "El Diablo"
        case value26 = "El Presidente"
        case value27 = "Elk's Own Cocktail"
        case value28 = "Espresso Martini"
        case value29 = "Fair and Warmer"
        case value30 = "Fancy Free"
        case value31 = "Fog Cutter"
        case value32 = "French 75"
        case value33 = "Gimlet"
        case value34 = "Gin Fizz"
        case value35 = "Grasshopper"
        case value36 = "Greenpoint"
        case value37 = "Hanky Panky"
        case value38 = "Harvey Wallbanger"
        case value39 = "Hemingway Daiquiri"
        case value40 = "Holland House"
        case value41 = "Home on the Range"
        case value42 = "Honeymoon Cocktail"
        case value43 = "Hot Toddy"
        case value44 = "Hotel Nacional"
        case value45 = "Hurricane"
        case value46 = "Irish Coffee"
        case value47 = "Japanese Cocktail"
        case value48 = "Jungle Bird"
        case value49 = "Kentucky Maid"
        case value50 = "Kir Royale"
        case value51 = "La Louisiane"
        case value52 = "Last Word"
        case value53 = "Lemon Drop"
        case value54 = "Mai Tai"
        case value55 = "Major Bailey"
        case value56 = "Manhattan"
        case value57 = "Margarita"
        case value58 = "Martinez"
        case value59 = "Martini"
        case value60 = "Mexican Firing Squad"
        case value61 = "Mint Julep"
        case value62 = "Modern Cocktail"
        case value63 = "Mojito"
        case value64 = "Morning Glory Fizz"
        case value65 = "New York Sour"
        case value66 = "Oaxaca Old Fashioned"
        case value67 = "Old Cuban"
        case value68 = "Old Fashioned"
        case value69 = "Old Pal"
        case value70 = "Pain Killer"
        case value71 = "Pegu Club Cocktail"
        case value72 = "Penicillin"
        case value73 = "Pims Cup"
        case value74 = "Pisco Sour"
        case value75 = "Piña Colada"
        case value76 = "Prince Edward"
        case value77 = "Queens Park Swizzle"
        case value78 = "Remember the Maine"
        case value79 = "Rusty Nail"
        case value80 = "Saturn"
        case value81 = "Sazerac"
        case value82 = "Scofflaw"
        case value83 = "Sherry Cobbler"
        case value84 = "Sidecar"
        case value85 = "Silver Gin Fizz"
        case value86 = "Singapore Sling"
        case value87 = "Sloe Gin Fizz"
        case value88 = "South Side"
        case value89 = "Ti Punch"
        case value90 = "Tipperary"
        case value91 = "Tom Collins"
        case value92 = "Ultima Palabra"
        case value93 = "Vesper"
        case value94 = "Whiskey Sour"
        case value95 = "Zombie"
    }
    enum Unit: String, Codable {
        case value0 = ""
        case value1 = "bar-spoon"
        case value2 = "dash"
        case value3 = "drop"
        case value4 = "gently muddled"
        case value5 = "muddled"
        case value6 = "nitro muddled"
        case value7 = "oz"
        case value8 = "pinch"
        case value9 = "slice of"
        case value10 = "splash of"
        case value11 = "spray"
        case value12 = "tbsp"
        case value13 = "tsp"
        case value14 = "whole"
    }
    enum Collection: Int, Codable {
        case first = 1
        case second, third, fourth, fifth, sixth
    }
    enum HistoricSpec: Codable {
        case algonquin, alaska, betweenTheSheets, bloodAndSand, bramble, bobbyBurns, chocolateCocktail, elDiablo
        case fogCutter, ginFizz, gimlet, silverFizz, hotToddy, mexicanFiringSquad, modernCocktail
    }

    struct Author: Codable, Hashable {
        var id = UUID()
        var person: String?
        var place: String?
        var year: String?
    }

    struct Step: Codable, Hashable {
        var id: UUID
        var method: String
        var step: Int
    }

    struct BuildOrder: Codable { var instructions: [Step] }

    struct Tag: Codable, Hashable {
        var name: String
        var ingredientType: [String: [String: String]]
    }

    struct Tags: Codable {
        var flavors: [String]?
        var profiles: [String]?
        var styles: [String]?
        var booze: [Tag]?
        var nA: [Tag]?
    }

    struct Prep: Codable {
        var id = UUID()
        var prepIngredientName: String
        var prepRecipe: [Step]
    }

    @Model
    final class Cocktail {
        #Index<Cocktail>([\.cocktailName], [\.collectionName], [\.cocktailName, \.collectionName])
        var id: UUID = UUID()
        @Attribute(.unique) var cocktailName: String
        var glasswareType: Glass
        @Relationship var garnish: [Garnish]
        var ice: Ice?
        var author: Author?
        @Relationship(deleteRule: .cascade) var spec: [Ingredient]
        var buildOrder: BuildOrder?
        var notes: String?
        var compiledTags: Tags = Tags()
        var variation: Variation?
        var variationName: String?
        var collection: Collection?
        var collectionName: String
        var titleCocktail: Bool?
        var historicSpec: HistoricSpec?
        var favorite: Bool
        var isCustomCocktail: Bool

        init(cocktailName: String, glasswareType: Glass) {
            self.cocktailName = cocktailName
            self.glasswareType = glasswareType
            garnish = []
            spec = []
            collectionName = ""
            favorite = false
            isCustomCocktail = true
        }
    }

    @Model
    final class Garnish {
        @Attribute(.unique) var name: String
        var cocktails: [Cocktail]?
        init(name: String) { self.name = name }
    }

    @Model
    final class Ingredient {
        var id: UUID
        var value: Double
        var unit: Unit
        var ingredientBase: IngredientBase

        init(value: Double, unit: Unit, ingredientBase: IngredientBase) {
            id = UUID()
            self.value = value
            self.unit = unit
            self.ingredientBase = ingredientBase
        }
    }

    @Model
    final class IngredientBase {
        var id: UUID
        @Attribute(.unique) var name: String
        var info: String?
        var isCustom: Bool = false
        var umbrellaCategory: String
        var baseCategory: String
        var specialtyCategory: String
        var tags: Tags?
        var prep: Prep?

        init(name: String) {
            id = UUID()
            self.name = name
            umbrellaCategory = ""
            baseCategory = ""
            specialtyCategory = ""
        }
    }
}
#endif
