// A field in which an object is chosen by its name, or by its identifier.
import { h, fill, later } from "./dom.js";
import { get } from "./api.js";
import { plainText } from "./values.js";

let pickers = 0;

// `pick` receives the identifier of the chosen object. `value` is the identifier of the last choice.
export function objectPicker(app, destination, label, pick) {
  const entity = app.entities.get(destination);
  const key = entity?.label ?? entity?.attributes.find((attribute) => attribute.kind === "text")?.name;
  const isText = entity?.attributes.find((attribute) => attribute.name === key)?.kind === "text";
  const id = `picker-${++pickers}`;
  const list = h("ul", { class: "completions", id, role: "listbox", "aria-label": label, hidden: true });
  const input = h("input", {
    type: "text", role: "combobox", "aria-label": label, "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": id, autocomplete: "off", spellcheck: "false",
    placeholder: isText ? `Find by ${key}, or ${destination}/p1` : `${destination}/p1`,
  });
  const picker = { input, value: undefined, element: h("span", { class: "picker" }, input, list) };
  let items = [], chosen = -1, asked = 0;

  const close = () => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = (index) => {
    chosen = (index + items.length) % items.length;
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === chosen)));
    list.children[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", `${id}-${chosen}`);
  };
  const take = (item) => {
    picker.value = item.id;
    input.value = item.name ?? item.id;
    close();
    pick?.(item.id);
  };
  const search = async () => {
    const text = input.value.trim(), number = ++asked;
    const where = isText && text !== "" ? `${key} CONTAINS[cd] ${JSON.stringify(text)}` : undefined;
    try {
      const answer = await get("rows", { entity: destination, where, columns: key ?? "objectID", limit: 8 });
      if (number !== asked || document.activeElement !== input) return;
      items = answer.rows.map((row) => ({ id: row.id, name: key && row.cells[0] !== null ? plainText(row.cells[0])
        : undefined }));
    } catch { items = []; }
    fill(list, items.length === 0 ? h("li", { class: "note", role: "option", "aria-disabled": "true" },
      `No ${destination} found`)
      : items.map((item, index) => h("li", {
        role: "option", id: `${id}-${index}`, "aria-selected": "false",
        onpointerdown: (event) => { event.preventDefault(); take(item); },
      }, h("span", {}, item.name ?? item.id), h("span", { class: "note" }, item.id))));
    list.hidden = false;
    chosen = -1;
    input.setAttribute("aria-expanded", "true");
  };
  const searchSoon = later(150, search);

  // What was typed counts only if it is an identifier.
  input.addEventListener("input", () => {
    picker.value = /^\S+\/p\d+$/.test(input.value.trim()) ? input.value.trim() : undefined;
    searchSoon();
  });
  input.addEventListener("focus", searchSoon);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && list.hidden) search();
    else if (event.key === "ArrowDown" && items.length > 0) choose(chosen + 1);
    else if (event.key === "ArrowUp" && !list.hidden && items.length > 0) choose(chosen - 1);
    else if (event.key === "Enter" && !list.hidden && chosen >= 0) take(items[chosen]);
    else if (event.key === "Escape" && !list.hidden) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return picker;
}
