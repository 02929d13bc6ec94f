// The box that takes predicates: completion of properties, and mistakes marked where they are.
import { h, fill, icon, iconButton } from "./dom.js";

const operators = {
  text: ["==", "!=", "CONTAINS[cd]", "BEGINSWITH[cd]", "ENDSWITH[cd]", "LIKE[cd]", "MATCHES", "IN"],
  boolean: ["==", "!="], uuid: ["==", "!="],
  other: ["==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN"], toOne: ["==", "!="], toMany: ["CONTAINS"],
};
const joins = ["AND", "OR"];

// What can stand at the caret: a list of { text, note }, and where the word at the caret begins.
export function completions(text, caret, entity, entities) {
  const before = text.slice(0, caret);
  if (isInString(before)) return { start: caret, items: [] };
  const word = before.match(/[\w@.$]*$/)[0];
  const start = caret - word.length;
  const previous = before.slice(0, start).trimEnd();
  const parts = word.split(".");
  const prefix = parts.pop();
  let owner = entity;
  for (const part of parts) {
    const relationship = owner?.relationships.find((candidate) => candidate.name === part);
    owner = relationship && entities.get(relationship.destination);
  }
  let items = [];
  if (parts.length > 0) {
    items = owner ? properties(owner) : [];
    const last = lastRelationship(entity, parts, entities);
    if (last?.toMany) items.unshift({ text: "@count", note: "how many" });
  } else {
    const left = previous.match(/([\w.]+)$/)?.[1];
    const property = left && !isKeyword(left) && find(entity, left, entities);
    const operator = previous.match(/([\w.]+)\s*(==|!=|<=|>=|<|>|=)$/);
    if (operator) items = values(find(entity, operator[1], entities));
    else if (property) items = (operators[property.toMany ? "toMany" : property.destination ? "toOne" : property.kind]
      ?? operators.other).map((text) => ({ text, note: "operator" }));
    else if (/(["'\d)\}]|\b(nil|YES|NO|TRUE|FALSE))$/i.test(previous)) items = joins.map((text) =>
      ({ text, note: "" }));
    else items = [...properties(entity), { text: "objectID", note: "identifier" }, { text: "NOT", note: "" },
      { text: "ANY", note: "of a to-many" }];
  }
  const sought = prefix.toLowerCase();
  const found = items.filter((item) => item.text.toLowerCase().startsWith(sought) && item.text !== prefix);
  const inner = sought.length > 1 ? items.filter((item) => !item.text.toLowerCase().startsWith(sought)
    && item.text.toLowerCase().includes(sought)) : [];
  return { start: caret - prefix.length, items: [...found, ...inner].slice(0, 40) };
}

// The predicate that looks for words in all strings of an entity; `undefined` for what is a predicate itself.
export function searchPredicate(text, entity) {
  if (!text?.trim() || /[=<>(){}[\]"$\\|^~]|&&|(^|\s)'[^']*'/.test(text)
    || /^(TRUE|FALSE)PREDICATE$/i.test(text.trim())) return undefined;
  const words = text.trim().split(/\s+/);
  if (words.length > 1 && /^(NOT|ANY|ALL|NONE|SOME)$/.test(words[0])) return undefined;
  // A property, and then a word such as IN, are a predicate, or its beginning; "lost in translation" isn't.
  const [named, ...path] = words[0].split(".");
  const isProperty = [...entity.attributes, ...(entity.relationships ?? [])]
    .some((property) => property.name === named);
  if (isProperty && words.slice(1).some((word) => comparisons.has(word.toUpperCase()))) return undefined;
  if (path.length > 0 && entity.relationships?.some((relationship) => relationship.name === named)) return undefined;
  const strings = entity.attributes.filter((attribute) => attribute.kind === "text").map((attribute) => attribute.name);
  if (strings.length === 0) return "FALSEPREDICATE";
  return words.map((word) =>
    `(${strings.map((name) => `${name} CONTAINS[cd] ${JSON.stringify(word)}`).join(" OR ")})`).join(" AND ");
}

const comparisons = new Set(["IN", "LIKE", "CONTAINS", "BEGINSWITH", "ENDSWITH", "MATCHES", "BETWEEN"]);
const keywords = new Set([...comparisons, "AND", "OR", "NOT", "ANY", "ALL", "NONE", "SOME", "NIL", "NULL", "YES", "NO",
  "TRUE", "FALSE"]);
const isKeyword = (word) => keywords.has(word.toUpperCase()) || /^\d+(\.\d+)?$/.test(word);

function isInString(text) {
  let quote = null;
  for (let index = 0; index < text.length; index++) {
    if (quote) { if (text[index] === "\\") index++; else if (text[index] === quote) quote = null;
      } else if (text[index] === '"' || text[index] === "'") quote = text[index];
  }
  return quote !== null;
}

const properties = (entity) => [
  ...entity.attributes.map((attribute) => ({ text: attribute.name, note: attribute.type })),
  ...entity.relationships.map((relationship) => ({ text: relationship.name,
    note: `→ ${relationship.destination}${relationship.toMany ? " (many)" : ""}` })),
];

function find(entity, path, entities) {
  const parts = path.split("."), name = parts.pop();
  let owner = entity;
  for (const part of parts) {
    const relationship = owner?.relationships.find((candidate) => candidate.name === part);
    owner = relationship && entities.get(relationship.destination);
  }
  return owner?.attributes.find((candidate) => candidate.name === name)
    ?? owner?.relationships.find((candidate) => candidate.name === name);
}

function lastRelationship(entity, parts, entities) {
  return find(entity, parts.join("."), entities);
}

function values(property) {
  if (!property) return [];
  const items = property.kind === "boolean" ? ["YES", "NO"] : (property.cases ?? []).map((name) => `"${name}"`);
  if (property.optional) items.push("nil");
  return items.map((text) => ({ text, note: "value" }));
}

export function filterBox({ entity, entities, value, apply }) {
  const input = h("input", {
    type: "text", class: "filter-input", role: "combobox", "aria-label": "Filter by words or a predicate",
      "aria-autocomplete": "list",
    "aria-expanded": "false", "aria-controls": "completions", autocomplete: "off", autocapitalize: "off",
      spellcheck: "false",
    placeholder: example(entity),
  });
  input.value = value ?? "";
  const mirror = h("div", { class: "filter-mirror", "aria-hidden": "true" });
  const list = h("ul", { class: "completions", id: "completions", role: "listbox", "aria-label": "Completions",
    hidden: true });
  const message = h("div", { class: "filter-error", role: "alert", hidden: true });
  const clear = iconButton("close", "Clear filter", () => { input.value = ""; commit(); input.focus(); });
  clear.hidden = input.value === "";
  let items = [], start = 0, chosen = -1;

  const close = () => { list.hidden = true; items = []; chosen = -1; input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant"); };
  const suggest = () => {
    const found = completions(input.value, input.selectionStart, entity, entities);
    items = found.items;
    start = found.start;
    chosen = -1;
    if (items.length === 0) return close();
    fill(list, items.map((item, index) => h("li", {
      role: "option", id: `completion-${index}`, "aria-selected": "false",
      onpointerdown: (event) => { event.preventDefault(); take(index); },
    }, h("span", {}, item.text), h("span", { class: "note" }, item.note))));
    list.hidden = false;
    list.style.left = `${Math.min(start * 7.3, Math.max(0, input.clientWidth - 240))}px`;
    input.setAttribute("aria-expanded", "true");
  };
  const choose = (index) => {
    chosen = (index + items.length) % items.length;
    [...list.children].forEach((element, index) => element.setAttribute("aria-selected", String(index === chosen)));
    list.children[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", `completion-${chosen}`);
  };
  const take = (index) => {
    const text = items[index].text, caret = input.selectionStart;
    const gap = find(entity, text, entities)?.destination && !isKeyword(text) ? "" : " ";
    input.value = input.value.slice(0, start) + text + gap + input.value.slice(caret).replace(/^ /, "");
    const end = start + text.length + gap.length;
    input.setSelectionRange(end, end);
    changed();
    suggest();
  };
  const changed = () => { showError(null); clear.hidden = input.value === ""; };
  const commit = () => { close(); changed(); apply(input.value.trim()); };

  input.addEventListener("input", () => { changed(); suggest(); });
  input.addEventListener("focus", () => { if (input.value === "") suggest(); });
  input.addEventListener("click", () => suggest());
  input.addEventListener("blur", close);
  input.addEventListener("scroll", () => { mirror.scrollLeft = input.scrollLeft; });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { if (list.hidden) suggest(); else choose(chosen + 1); }
    else if (event.key === "ArrowUp" && !list.hidden) choose(chosen - 1);
    else if (event.key === "Tab" && !list.hidden && !event.shiftKey && input.value !== "") take(Math.max(0, chosen));
    else if (event.key === "Enter" && !list.hidden && chosen >= 0) take(chosen);
    else if (event.key === "Enter") commit();
    else if (event.key === "Escape" && !list.hidden) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function showError(error) {
    message.hidden = !error;
    input.setAttribute("aria-invalid", String(Boolean(error)));
    mirror.replaceChildren();
    if (!error) return;
    const text = input.value, at = error.position ?? 0, length = Math.max(1, error.length ?? text.length);
    fill(mirror, text.slice(0, at), h("mark", {}, text.slice(at, at + length) || " "), text.slice(at + length));
    fill(message, icon("warning"), h("span", {}, error.message),
      error.position !== undefined && h("button", { type: "button", class: "quiet", onclick: () => {
        input.focus();
        input.setSelectionRange(at, Math.min(text.length, at + length));
        close();
      } }, `at character ${at + 1}`));
  }

  const element = h("div", { class: "filter" }, icon("search"),
    h("div", { class: "filter-field" }, mirror, input, list), clear);
  return { element, message, showError, focus: () => input.focus(), input };
}

function example(entity) {
  const texts = entity.attributes.filter((attribute) => attribute.kind === "text");
  const text = texts.find((attribute) => attribute.name === entity.label) ?? texts[0];
  const number = entity.attributes.find((attribute) => ["integer", "number", "decimal"].includes(attribute.kind));
  const parts = [text && `${text.name} CONTAINS[cd] "word"`, number && `${number.name} > 10`].filter(Boolean);
  return parts.length ? `Words to find, or ${parts.join(" AND ")}` : "Filter with a predicate";
}
