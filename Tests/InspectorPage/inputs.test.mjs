import assert from "node:assert/strict";
import { test } from "node:test";
import { loss, mistake, plainNumber } from "../../Sources/OpenCoreDataInspector/Page/inputs.js";

const attribute = (kind, type) => ({ name: "value", kind, type });

test("integers have the limits of their type", () => {
  for (const [type, least, most] of [
    ["Integer 16", "-32768", "32767"], ["Integer 32", "-2147483648", "2147483647"],
    ["Integer 64", "-9223372036854775808", "9223372036854775807"],
  ]) {
    assert.equal(mistake(least, attribute("integer", type)), null);
    assert.equal(mistake(`+${most}`, attribute("integer", type)), null);
    assert.match(mistake(String(BigInt(most) + 1n), attribute("integer", type)), /a number from/);
    assert.match(mistake(String(BigInt(least) - 1n), attribute("integer", type)), /a number from/);
  }
  for (const text of ["-5x", "1.5", "1e3", "", " ", "--1", "٣"]) {
    assert.match(mistake(text, attribute("integer", "Integer 32")), /whole number/, text);
  }
});

test("numbers and decimals are decimal digits", () => {
  for (const text of ["1", "-1.5", ".5", "5.", "1e-3", "123456789012345678901234567890.12"]) {
    assert.equal(mistake(text, attribute("decimal", "Decimal")), null, text);
  }
  for (const text of ["", ".", "-5x", "1,5", "NaN", "Infinity", "0x10", "1e"]) {
    assert.match(mistake(text, attribute("number", "Double")), /a number/, text);
  }
});

test("numbers have the limits of their type", () => {
  const [double, float, decimal] = [attribute("number", "Double"), attribute("number", "Float"),
    attribute("decimal", "Decimal")];
  for (const [text, kind] of [["1e308", double], ["3.4e38", float], ["9".repeat(38), decimal], ["1e127", decimal],
    ["0.000", decimal], ["1" + "0".repeat(60), decimal]]) assert.equal(mistake(text, kind), null, text);
  for (const [text, kind] of [["1e999", double], ["1e39", float], ["9".repeat(39), decimal], ["1e200", decimal],
    ["1e-200", decimal], ["1e999999999999999999999", decimal]]) assert.notEqual(mistake(text, kind), null, text);
  assert.match(mistake("3,5", double), /point/);
});

test("numbers are sent as every reader takes them", () => {
  for (const [text, plain] of [["+5", "5"], ["-5", "-5"], ["007", "7"], ["0", "0"], ["+.5", "0.5"], ["5.", "5"],
    ["-.5e-3", "-0.5e-3"], ["00.10", "0.10"], ["-0", "-0"]]) assert.equal(plainNumber(text), plain);
});

test("digits that a store doesn't keep are told", () => {
  const decimal = { ...attribute("decimal", "Decimal"), digits: 15 };
  assert.match(loss("1234567890123456", decimal), /15 digits/);
  for (const text of ["123456789012345", "1.50000000000000000000", "abc", ""]) assert.equal(loss(text, decimal), null);
  assert.equal(loss("1234567890123456", { ...decimal, digits: null }), null);
});

test("UUIDs have their form", () => {
  assert.equal(mistake("C0FFEE00-0000-4000-8000-000000000000", attribute("uuid")), null);
  for (const text of ["C0FFEE00", "C0FFEE00-0000-4000-8000-00000000000g", ""]) {
    assert.match(mistake(text, attribute("uuid")), /UUID, such as [0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB]/);
  }
});

test("strings can be anything", () => assert.equal(mistake("-5x", attribute("text")), null));
