// Values by their type, for cells of tables and for the page of an object.
import { h, iconButton, bytes, count, copyText, toast } from "./dom.js";
import { address, wholeText } from "./api.js";

const unreadable = () => h("span", { class: "unreadable" }, "its file is missing");
const absent = () => h("span", { class: "nil" }, "nil");

const dateFormat = new Intl.DateTimeFormat("en-CA", {
  year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
    hour12: false,
});

export function dateText(iso) {
  if (typeof iso !== "string") return String(iso);
  const date = new Date(iso);
  return isNaN(date) ? iso : dateFormat.format(date).replace(",", "").replace(" 24:", " 00:");
}

export function ago(iso) {
  const seconds = (Date.now() - new Date(iso)) / 1000;
  if (isNaN(seconds)) return "";
  const size = Math.abs(seconds), format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [unit, length] of [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600],
    ["minute", 60]]) {
    if (size >= length) return format.format(-Math.trunc(seconds / length), unit);
  }
  return format.format(-Math.trunc(seconds), "second");
}

export function plainText(value) {
  if (value === null || value === undefined) return "nil";
  if (typeof value !== "object") return String(value);
  if ("text" in value) return value.text + (value.length ? "…" : "");
  if ("json" in value) return value.json + (value.length ? "…" : "");
  if ("bytes" in value) return bytes(value.bytes);
  if ("count" in value) return count(value.count);
  if ("id" in value) return value.label ?? value.id;
  return JSON.stringify(value);
}

// How the page names a kind of property.
const kindNames = {
  id: "identifier", integer: "number", number: "number", decimal: "number", boolean: "true or false", uuid: "UUID",
    uri: "URI",
  data: "binary data", toOne: "one object", toMany: "several objects", ofSubentity: "of a subentity", path: "key path",
    other: "",
};
export const kindName = (kind) => kindNames[kind] ?? kind;

// The content of a cell.
export function cell(value, column, row) {
  if (value === null || value === undefined) return absent();
  if (value.unreadable) return unreadable();
  switch (column.kind) {
    case "toOne":
      return h("a", { class: "object-link", href: `#/object/${value.id}`, tabindex: "-1", title: value.id }, value.label
        ?? value.id);
    case "toMany":
      return value.count === 0 ? h("span", { class: "nil" }, "0")
        : h("a", { class: "count-link", href: `#/related/${row.id}/${encodeURIComponent(column.name)}`,
          tabindex: "-1" }, count(value.count));
    case "boolean": return h("span", { class: `flag ${value ? "yes" : "no"}` }, value ? "true" : "false");
    case "date": return h("time", { datetime: value, title: value }, dateText(value));
    case "data":
      return value.type?.startsWith("image/")
        ? h("img", { class: "thumb", loading: "lazy", alt: `Picture of ${bytes(value.bytes)}`,
          src: address("value", { id: row.id, key: column.name }) })
        : h("span", { class: "blob" }, bytes(value.bytes));
    case "uuid": return h("span", { class: "code" }, value);
    case "id": return h("span", { class: "code id" }, value);
    default: return h("span", { class: typeof value === "object" && "json" in value ? "code" : undefined,
      title: plainText(value) }, plainText(value));
  }
}

// The value of an attribute on an object's own page.
export function full(value, attribute, id) {
  if (value === null || value === undefined) return absent();
  if (value.unreadable) return unreadable();
  switch (attribute.kind) {
    case "date":
      return h("span", {}, h("time", { datetime: value }, dateText(value)), h("span", { class: "aside" }, ago(value)),
        h("div", { class: "aside code" }, value));
    case "boolean": return h("span", { class: `flag ${value ? "yes" : "no"}` }, value ? "true" : "false");
    case "uuid":
      return h("span", {}, h("span", { class: "code" }, value),
        iconButton("copy", `Copy ${attribute.name}`, () => copyText(value, "UUID")));
    case "data": return data(value, attribute, id);
    case "uri": return uri(value);
    case "text": return text(value, attribute, id);
    case "composite": case "transformable": return structure(value, attribute, id);
    default: return h("span", { class: "number" }, plainText(value));
  }
}

function data(value, attribute, id) {
  const source = address("value", { id, key: attribute.name });
  if (value.type?.startsWith("image/")) {
    return h("figure", { class: "picture" },
      h("a", { href: source, target: "_blank", rel: "noreferrer" }, h("img", { src: source, alt: attribute.name })),
      h("figcaption", {}, `${value.type.slice(6).toUpperCase()}, ${bytes(value.bytes)}`));
  }
  return h("span", {}, h("span", { class: "blob" }, `${value.type ?? "data"}, ${bytes(value.bytes)}`), " ",
    h("a", { href: source, download: `${attribute.name}.bin` }, "Download"));
}

// Only addresses of the web are links; others could run something.
function uri(value) {
  const string = plainText(value);
  return /^https?:\/\//i.test(string)
    ? h("a", { href: string, target: "_blank", rel: "noreferrer noopener" }, string)
      : h("span", { class: "code" }, string);
}

const foldedLength = 400;

function text(value, attribute, id) {
  const whole = typeof value === "object" ? value.text : value;
  const isLong = typeof value === "object" || whole.length > foldedLength || whole.split("\n").length > 8;
  if (!isLong) return h("span", { class: "text" }, whole === "" ? h("span", { class: "nil" }, "empty") : whole);
  const body = h("div", { class: "text folded" }, whole);
  const button = h("button", { type: "button", class: "quiet", "aria-expanded": "false", onclick: async () => {
    const open = body.classList.toggle("folded");
    button.setAttribute("aria-expanded", String(!open));
    button.textContent = open ? label : "Show less";
    if (!open && typeof value === "object" && !body.dataset.whole) {
      body.dataset.whole = "yes";
      try { body.textContent = await wholeText(id, attribute.name); } catch (error) {
        delete body.dataset.whole;
        toast(error.message, { kind: "error", stay: 9000 });
      }
    }
  } }, "");
  const label = `Show all ${count(typeof value === "object" ? value.length : whole.length)} characters`;
  button.textContent = label;
  return h("div", {}, body, button);
}

function structure(value, attribute, id) {
  const string = plainText(value);
  if (typeof value === "object" && !value.length && "json" in value) {
    try { return h("div", { class: "tree" }, tree(parsed(value.json))); } catch { /* Shown as it is. */ }
  }
  return text(typeof value === "object" && value.length ? { text: value.json ?? value.text, length: value.length }
    : string, attribute, id);
}

// Integers that JavaScript's numbers would round stay as they were written.
class Digits { constructor(digits) { this.digits = digits; } }

const mark = "\u0000digits";

function parsed(json) {
  const marked = json.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (part) => part[0] === '"' ? part
    : JSON.stringify({ [mark]: part }));
  return JSON.parse(marked, (_, value) => value?.[mark] ? new Digits(value[mark]) : value);
}

function tree(value) {
  if (value instanceof Digits) return h("span", { class: "leaf number" }, value.digits);
  if (value === null || typeof value !== "object") {
    return h("span", { class: `leaf ${value === null ? "nil" : typeof value}` }, value === null ? "nil"
      : JSON.stringify(value));
  }
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? plural(entries.length, "element") : plural(entries.length, "key");
  if (entries.length === 0) return h("span", { class: "nil" }, Array.isArray(value) ? "[]" : "{}");
  return h("details", { open: entries.length <= 12 }, h("summary", {}, size),
    h("ul", {}, entries.slice(0, 500).map(([key, child]) =>
      h("li", {}, h("span", { class: "key" }, key), " ", tree(child)))));
}

const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

export { absent };
