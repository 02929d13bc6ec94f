import assert from "node:assert/strict";
import { test } from "node:test";
import { completions, searchPredicate } from "../../Sources/OpenCoreDataInspector/Page/filter.js";

const author = {
  name: "Author", attributes: [{ name: "name", kind: "text", type: "String" }], relationships: [
    { name: "books", destination: "Book", toMany: true }],
};
const book = {
  name: "Book", attributes: [
    { name: "title", kind: "text", type: "String", optional: true },
    { name: "pages", kind: "integer", type: "Integer 32" },
    { name: "isLent", kind: "boolean", type: "Boolean" },
    { name: "binding", kind: "text", type: "String", cases: ["hard", "soft"] },
  ], relationships: [{ name: "author", destination: "Author", toMany: false }],
};
const entities = new Map([["Book", book], ["Author", author]]);
const offered = (text) => completions(text, text.length, book, entities).items.map((item) => item.text);

test("words are looked for in all strings", () => {
  assert.equal(searchPredicate("war peace", book),
    '(title CONTAINS[cd] "war" OR binding CONTAINS[cd] "war") AND '
    + '(title CONTAINS[cd] "peace" OR binding CONTAINS[cd] "peace")');
  assert.equal(searchPredicate("Emma", { attributes: [], relationships: [] }), "FALSEPREDICATE");
});

test("words such as and, in and like are words of a title, unless a property stands before them", () => {
  for (const words of ["war and peace", "lost in translation", "something like this", "nothing"]) {
    assert.notEqual(searchPredicate(words, book), undefined, words);
  }
  for (const predicate of ["pages IN list", "title like other", "author.name CONTAINS name", "NOT lent",
    "TRUEPREDICATE", "pages > 3", 'title == "a"', "", undefined]) {
    assert.equal(searchPredicate(predicate, book), undefined, predicate);
  }
});

test("the beginning of a predicate isn't words, so that it doesn't empty the list", () => {
  for (const text of ["title CONTAINS", "title like", "pages IN", "pages BETWEEN", "author.", "author.name", "pages >",
    "pages > 3 AND", "title ==", "(", "ANY author.books.title CONTAINS", "pages > 3 &&"]) {
    assert.equal(searchPredicate(text, book), undefined, text);
  }
});

test("what titles are made of is words", () => {
  for (const text of ["100%", "O'Brien", "Müller & Sohn", "Why?", "C#", "mail@example.org", "Vol. 2: The End", "1984",
    "rock'n'roll", "title", "a+b", "½", "名前", "👩‍🚀"]) {
    assert.notEqual(searchPredicate(text, book), undefined, text);
  }
  assert.equal(searchPredicate("   ", book), undefined);
});

test("quotation marks and backslashes of what is looked for can't end the string", () => {
  assert.equal(searchPredicate('a" OR TRUEPREDICATE', book), undefined);
  assert.equal(searchPredicate("a\\", book), undefined);
  assert.match(searchPredicate("O’Brien", book), /"O’Brien"/);
});

test("properties are completed, then operators, then values, then AND and OR", () => {
  assert.deepEqual(offered("tit"), ["title"]);
  assert.ok(offered("title ").includes("CONTAINS[cd]"));
  assert.deepEqual(offered("isLent == "), ["YES", "NO"]);
  assert.deepEqual(offered("binding == "), ['"hard"', '"soft"']);
  assert.deepEqual(offered("title == "), ["nil"]);
  assert.deepEqual(offered("pages > 3 "), ["AND", "OR"]);
});

test("key paths are completed over relationships", () => {
  assert.deepEqual(offered("author.na"), ["name"]);
  assert.ok(offered("author.books.").includes("@count"));
  assert.deepEqual(offered("nothing.na"), []);
});

test("nothing is offered within a string", () => {
  assert.deepEqual(offered('title == "ti'), []);
  assert.deepEqual(offered('title == "a \\" ti'), []);
});
