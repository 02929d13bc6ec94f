// A field in which an object is chosen by its name, or by its identifier.
import { h, fill, iconButton, later } from "./dom.js";
import { get } from "./api.js";
import { plainText } from "./values.js";

export const isIdentifier = (text) => /^\S+\/p\d+$/.test(text.trim());
let pickers = 0;
const shownItems = 8;

// `pick` receives the identifier and the name of the chosen object. `value` is the identifier of the last choice;
// `check()` is true if what was typed is a choice, and otherwise says what to do.
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
  const message = h("div", { class: "input-error", role: "alert", hidden: true });
  const picker = { input, value: undefined, element: h("span", { class: "picker" }, input, list, message) };
  const show = (wrong) => {
    message.hidden = !wrong;
    message.textContent = wrong ?? "";
    input.setAttribute("aria-invalid", String(Boolean(wrong)));
  };
  picker.show = show;
  picker.check = () => {
    const isChosen = picker.value !== undefined;
    show(isChosen ? null : `Choose ${/^[AEIOU]/.test(destination) ? "an" : "a"} ${destination} from the list.`);
    return isChosen;
  };
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
    picker.name = item.name;
    input.value = item.name ?? item.id;
    show(null);
    close();
    pick?.(item.id, item.name);
  };
  // Names that begin with what was typed come first, the shortest of them before all.
  const candidates = async (text) => {
    const ask = (where, sort) => get("rows", { entity: destination, where, sort, columns: key ?? "objectID",
      limit: shownItems + 1 });
    if (isIdentifier(text)) return (await ask(`SELF == ${JSON.stringify(text)}`)).rows;
    if (!isText || text === "") return (await ask()).rows;
    const first = (await ask(`${key} BEGINSWITH[cd] ${JSON.stringify(text)}`, key)).rows;
    if (first.length > shownItems) return first;
    const others = (await ask(`${key} CONTAINS[cd] ${JSON.stringify(text)}`)).rows;
    return [...first, ...others.filter((row) => !first.some((known) => known.id === row.id))];
  };
  const search = async () => {
    const text = input.value.trim(), number = ++asked;
    let failure, hasMore = false;
    try {
      const rows = await candidates(text);
      if (number !== asked || document.activeElement !== input) return;
      items = rows.slice(0, shownItems).map((row) => ({ id: row.id, name: key && row.cells[0] !== null
        ? plainText(row.cells[0]) : undefined }));
      hasMore = rows.length > shownItems;
    } catch (error) {
      if (number !== asked) return;
      items = [];
      failure = error.message;
    }
    const note = (text) => h("li", { class: "note", role: "option", "aria-disabled": "true" }, text);
    fill(list, items.length === 0 ? note(failure ?? `No ${destination} found`) : items.map((item, index) => h("li", {
        role: "option", id: `${id}-${index}`, "aria-selected": "false",
        onpointerdown: (event) => { event.preventDefault(); take(item); },
      }, h("span", {}, item.name ?? item.id), h("span", { class: "note" }, item.id))),
      hasMore && note("and more: type more of the name"));
    list.hidden = false;
    chosen = -1;
    input.setAttribute("aria-expanded", "true");
  };
  const searchSoon = later(150, search);

  // What was typed counts only if it is an identifier.
  input.addEventListener("input", () => {
    show(null);
    picker.value = isIdentifier(input.value) ? input.value.trim() : undefined;
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

// A field in which several objects are chosen. `items` are those that are chosen, and `start` those from before.
export function objectsPicker(app, destination, label, start = []) {
  const chosen = [...start];
  const chips = h("span", { class: "chips" });
  const draw = () => fill(chips, chosen.map((item) => h("span", { class: "chip" },
    h("span", { class: "chip-label" }, item.name ?? item.id),
    iconButton("close", `Remove ${item.id} from ${label}`, () => {
      chosen.splice(chosen.indexOf(item), 1);
      draw();
      picker.input.focus();
    }))));
  const picker = objectPicker(app, destination, label, (id, name) => {
    if (!chosen.some((item) => item.id === id)) chosen.push({ id, name });
    picker.input.value = "";
    picker.value = undefined;
    draw();
  });
  draw();
  return { input: picker.input, element: h("span", { class: "several" }, chips, picker.element), items: chosen,
    // An identifier that was typed counts too.
    check: () => {
      if (picker.input.value.trim() === "") return true;
      if (!picker.check()) return false;
      if (!chosen.some((item) => item.id === picker.value)) chosen.push({ id: picker.value });
      return true;
    } };
}
