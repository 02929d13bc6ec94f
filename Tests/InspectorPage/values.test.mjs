import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, dateText, kindName, plainText } from "../../Sources/OpenCoreDataInspector/Page/values.js";

test("values read as strings", () => {
  for (const [value, text] of [
    [null, "nil"], [undefined, "nil"], ["", ""], [0, "0"], [false, "false"],
    [{ text: "begin", length: 900 }, "begin…"], [{ json: '{"a":1}' }, '{"a":1}'], [{ count: 12345 }, "12,345"],
    [{ id: "p1", label: "Emma" }, "Emma"], [{ id: "p1" }, "p1"],
  ]) assert.equal(plainText(value), text);
});

test("dates are local, and what is no date stays", () => {
  assert.match(dateText("2026-11-26T12:34:56Z"), /^2026-11-2\d \d\d:\d\d:56$/);
  assert.match(dateText("2026-01-01T00:00:00"), /^2026-01-01 00:00:00$/);
  assert.equal(dateText("distant"), "distant");
  assert.equal(dateText(5), "5");
});

test("ages are rounded down", () => {
  const before = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();
  assert.equal(ago(before(7199)), "1 hour ago");
  assert.equal(ago(before(86400 * 1.9)), "yesterday");
  assert.equal(ago(new Date(Date.now() + 3 * 3600000 + 5000).toISOString()), "in 3 hours");
  assert.equal(ago("distant"), "");
});

test("kinds have names that people know", () => {
  assert.equal(kindName("toOne"), "one object");
  assert.equal(kindName("ofSubentity"), "of a subentity");
  assert.equal(kindName("text"), "text");
});
