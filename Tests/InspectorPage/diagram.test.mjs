import assert from "node:assert/strict";
import test from "node:test";
import { humps, wrapped } from "../../Sources/OpenCoreDataInspector/Page/diagram.js";

test("the words of a name begin with capitals", () => {
  assert.deepEqual(humps("CloudMasterMediaMetadata"), ["Cloud", "Master", "Media", "Metadata"]);
  assert.deepEqual(humps("EditedIPTCAttributes"), ["Edited", "IPTC", "Attributes"]);
  assert.deepEqual(humps("book"), ["book"]);
  for (const name of ["A", "_", "URL", "Book2Author", "snake_case", "Käse", "本"]) {
    assert.equal(humps(name).join(""), name);
  }
});

test("a name is broken between its words, and nothing of it is lost", () => {
  assert.deepEqual(wrapped("CloudMasterMediaMetadata", 2), ["CloudMaster", "MediaMetadata"]);
  assert.deepEqual(wrapped("CloudMasterMediaMetadata", 4), ["Cloud", "Master", "Media", "Metadata"]);
  assert.deepEqual(wrapped("Book", 3), ["Book"]);
  for (let lines = 1; lines < 6; lines++) {
    assert.equal(wrapped("AdditionalAssetAttributesOfPhotos", lines).join(""), "AdditionalAssetAttributesOfPhotos");
    assert.ok(wrapped("AdditionalAssetAttributesOfPhotos", lines).length <= lines);
  }
});
