// The current list as a file: its columns, filter and order.
import { h, count, toast } from "./dom.js";
import { get, wholeText } from "./api.js";
import { plainText } from "./values.js";

const pageSize = 500;
export const mostRows = 100000;

// Long strings come shortened in lists; the whole ones are read here.
async function whole(value, column, row) {
  if (value === null || typeof value !== "object") return value;
  if ("bytes" in value || value.unreadable) return null;
  if ("count" in value) return value.count;
  if ("id" in value) return value.id;
  if (value.length && ("text" in value || "json" in value)) {
    return wholeText(row.id, column.name);
  }
  if ("json" in value) {
    try { return JSON.parse(value.json); } catch { return value.json; }
  }
  return plainText(value);
}

// A field of a CSV file by RFC 4180. Programs for tables run a string as a formula if it begins like one: an apostrophe
// in front of it keeps it a string.
export function field(value) {
  let text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value)
    : String(value);
  const isNumber = /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(text);
  if (typeof value === "string" && !isNumber && /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export async function exported(list, kind, progress = () => {}) {
  // Binary data isn't text; `opencoredata export` has it.
  const columns = list.columns.filter((column) => column.kind !== "data");
  const rows = [];
  let beside = {};
  for (let offset = 0; ; offset += pageSize) {
    const answer = await get("rows", { ...list.arguments, columns: columns.map((column) => column.name).join(","),
      offset, limit: pageSize, total: list.total, ...beside });
    // The next page is found by the last row of this one, so that the list isn't sorted for each of them.
    beside = answer.tiesAtEnd ? { after: answer.rows.at(-1)?.id, ties: answer.tiesAtEnd } : {};
    for (const row of answer.rows) {
      rows.push(await Promise.all(row.cells.map((value, index) => whole(value, columns[index], row))));
    }
    progress(rows.length);
    if (answer.rows.length < pageSize) break;
    if (rows.length >= mostRows) {
      throw new Error(`A list of more than ${count(mostRows)} objects is exported by the command: `
        + "opencoredata export.");
    }
  }
  const names = columns.map((column) => column.name);
  if (kind === "csv") return [names, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
  return JSON.stringify(rows.map((row) => Object.fromEntries(row.map((value, index) => [names[index], value]))), null,
    2);
}

export function exportBox(list, close) {
  const isWithoutData = list.columns.some((column) => column.kind === "data");
  const note = h("p", { class: "note", role: "status" }, "The columns, the filter and the order of this list"
    + (isWithoutData ? ", without binary data." : "."));
  const start = async (kind, type) => {
    try {
      const text = await exported(list, kind, (done) => { note.textContent = `${count(done)} objects…`; });
      const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })),
        download: `${list.entity.name}.${kind}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      close();
    } catch (error) {
      toast(error.message, { kind: "error", stay: 9000 });
    }
  };
  return h("div", { class: "export-box" }, h("h2", {}, "Export"), note,
    h("div", { class: "edit-buttons" },
      h("button", { type: "button", class: "primary small", onclick: () => start("csv", "text/csv") }, "CSV"),
      h("button", { type: "button", class: "primary small", onclick: () => start("json", "application/json") },
        "JSON")));
}
