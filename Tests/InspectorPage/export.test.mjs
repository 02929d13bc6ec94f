import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { exported, field } from "../../Sources/OpenCoreDataInspector/Page/export.js";

const response = (body, status = 200) => ({
  ok: status < 400, status, json: async () => body, text: async () => String(body),
});
const list = (columns) => ({ entity: { name: "Book" }, arguments: { entity: "Book", sort: "title:asc" }, columns });
const fetchOfTheProgram = globalThis.fetch;
afterEach(() => { globalThis.fetch = fetchOfTheProgram; });

test("fields of CSV are quoted where they must be", () => {
  for (const [value, text] of [
    [null, ""], ["plain", "plain"], ["a,b", '"a,b"'], ['say "no"', '"say ""no"""'], ["two\nlines", '"two\nlines"'],
    [0, "0"], [false, "false"], [{ a: 1 }, '"{""a"":1}"'],
  ]) assert.equal(field(value), text);
});

test("strings that a program for tables would run as formulas stay strings, and numbers stay numbers", () => {
  for (const [value, text] of [
    ["=1+1", "'=1+1"], ["@SUM(A1)", "'@SUM(A1)"], ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ["-2+3", "'-2+3"], ["\t=1", "'\t=1"], ["=HYPERLINK(\"x\",1)", '"\'=HYPERLINK(""x"",1)"'], ["＝1", "'＝1"],
    [-5, "-5"], ["-5.25", "-5.25"], ["-9223372036854775808", "-9223372036854775808"], ["-1e-7", "-1e-7"],
    ["a=b", "a=b"],
  ]) assert.equal(field(value), text);
});

test("each page is found by the last row of the one before", async () => {
  const asked = [];
  globalThis.fetch = async (address) => {
    asked.push(address);
    const isFirst = address.includes("offset=0");
    return response({ rows: Array.from({ length: isFirst ? 500 : 1 }, (_, n) => ({ id: `Book/p${n}`, cells: ["a"] })),
      tiesAtEnd: isFirst ? 3 : null });
  };
  await exported(list([{ name: "title", kind: "text" }]), "csv");
  assert.ok(asked[1].includes("after=Book%2Fp499") && asked[1].includes("ties=3"), asked[1]);
});

test("all pages of the list are in the file, in its order, with whole strings", async () => {
  const asked = [];
  globalThis.fetch = async (address) => {
    asked.push(address);
    if (address.startsWith("api/value")) return response("a whole string, at last");
    const offset = Number(/offset=(\d+)/.exec(address)[1]);
    const rows = Array.from({ length: offset === 0 ? 500 : 2 }, (_, index) => ({
      id: `p${offset + index}`, cells: [index === 1 && offset === 500 ? { text: "a whole", length: 23 } : `t${index}`,
        { count: 2 }],
    }));
    return response({ rows });
  };
  const columns = [{ name: "title", kind: "text" }, { name: "authors", kind: "toMany" },
    { name: "cover", kind: "data" }];
  const lines = (await exported(list(columns), "csv")).split("\r\n");
  assert.equal(lines.length, 504);
  assert.equal(lines[0], "title,authors");
  assert.equal(lines[1], "t0,2");
  assert.equal(lines[502], '"a whole string, at last",2');
  assert.ok(asked.every((address) => !address.includes("cover")));
  assert.ok(asked[0].includes("sort=title%3Aasc"));
});

test("JSON keeps nil, numbers and structures", async () => {
  globalThis.fetch = async () => response({ rows: [{ id: "p1", cells: [null, 5, { json: '{"a":[1]}' }] }] });
  const columns = ["title", "pages", "info"].map((name) => ({ name, kind: "text" }));
  assert.deepEqual(JSON.parse(await exported(list(columns), "json")), [{ title: null, pages: 5, info: { a: [1] } }]);
});

test("an empty list is a file with its columns alone", async () => {
  globalThis.fetch = async () => response({ rows: [] });
  const columns = [{ name: "title", kind: "text" }];
  assert.equal(await exported(list(columns), "csv"), "title\r\n");
  assert.equal(await exported(list(columns), "json"), "[]");
});

test("an error of the server ends the export with the server's sentence", async () => {
  globalThis.fetch = async () => response({ error: { message: "The store is gone." } }, 503);
  await assert.rejects(exported(list([{ name: "title", kind: "text" }]), "csv"), /The store is gone/);
});
