// Edits: staged here, shown as a difference by the server, saved, undone.
import { h, fill, icon, iconButton, dialog, toast, plural } from "./dom.js";
import { post } from "./api.js";
import { plainText } from "./values.js";
import { valueInput } from "./inputs.js";
import { objectPicker } from "./picker.js";

export class Edits {
  constructor(app, bar) {
    this.app = app;
    this.bar = bar;
    this.values = new Map();
    this.inserts = [];
    this.deletes = new Set();
    this.canUndo = this.canRedo = false;
    addEventListener("beforeunload", (event) => { if (this.count > 0) event.preventDefault(); });
  }

  // Each changed property counts, each new object, and each deletion.
  get count() {
    const changed = [...this.values.values()].reduce((sum, values) => sum + Object.keys(values).length, 0);
    return changed + this.inserts.length + this.deletes.size;
  }

  staged(object, name) { return this.values.get(object)?.[name]; }

  set(object, name, value, original) {
    const known = this.values.get(object) ?? {};
    const isSame = original !== undefined && (original === null ? value === null : value !== null
      && plainText(original) === String(value));
    if (isSame) delete known[name];
    else known[name] = value;
    if (Object.keys(known).length === 0) this.values.delete(object);
    else this.values.set(object, known);
    this.draw();
  }

  delete(object) {
    this.deletes.add(object);
    this.draw();
    this.review();
  }

  deleteAll(objects) {
    for (const object of objects) this.deletes.add(object);
    this.draw();
    this.review();
  }

  // `values` are those that were entered before, and `error` says what is wrong with one of them.
  create(entityName, values = {}, error = undefined) {
    const entity = this.app.entities.get(entityName);
    const needsValue = (attribute) => !attribute.optional
      && !(entity.schema.attributes ?? []).some(({ name, default: value }) => name === attribute.name
        && value !== null && value !== undefined);
    // Required attributes come first.
    const settable = entity.attributes.filter((attribute) => !attribute.derived && attribute.kind !== "data");
    settable.sort((a, b) => Number(needsValue(b)) - Number(needsValue(a)));
    const fields = settable.map((attribute) => {
      const input = valueInput(attribute, values[attribute.name]);
      const note = needsValue(attribute) ? `${attribute.type}, required` : attribute.type;
      return { attribute, input, row: h("div", { class: "field" },
        h("span", {}, attribute.name, h("span", { class: "note" }, note)), input.element) };
    });
    const links = entity.relationships.filter((relationship) => !relationship.toMany).map((relationship) => {
      const picker = objectPicker(this.app, relationship.destination, relationship.name);
      if (values[relationship.name]) picker.input.value = picker.value = values[relationship.name];
      const note = `→ ${relationship.destination}${relationship.optional ? "" : ", required"}`;
      return { relationship, picker, row: h("div", { class: "field" },
        h("span", {}, relationship.name, h("span", { class: "note" }, note)), picker.element) };
    });
    const box = dialog(`New ${entityName}`, h("div", { class: "fields" }, fields.map((entry) => entry.row),
      links.map((entry) => entry.row)), [
      h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel"),
      h("button", { type: "button", class: "primary", onclick: () => {
        const next = {};
        let wrong;
        for (const { attribute, input } of fields) {
          const value = input.read();
          if (value === undefined && needsValue(attribute)) input.show(`${attribute.name} is required.`);
          if (value === null || (value === undefined && needsValue(attribute))) wrong ??= input.field;
          else if (value !== undefined) next[attribute.name] = value;
        }
        for (const { relationship, picker } of links) {
          const isMissing = picker.value === undefined;
          if (isMissing && (!relationship.optional || picker.input.value.trim() !== "")) wrong ??= picker.input;
          picker.input.setAttribute("aria-invalid", String(wrong === picker.input));
          if (!isMissing) next[relationship.name] = picker.value;
        }
        if (wrong) return wrong.focus();
        const insert = { op: "insert", entity: entityName, name: `new-${this.inserts.length + 1}`, values: next };
        this.inserts.push(insert);
        box.close();
        this.draw();
        this.review((error) => {
          this.inserts = this.inserts.filter((other) => other !== insert);
          this.draw();
          this.create(entityName, next, error);
        });
      } }, "Review"),
    ]);
    const refused = fields.find(({ attribute }) => attribute.name === error?.details?.property)?.input;
    refused?.show(error.message);
    (refused?.field ?? fields[0]?.input.field ?? links[0]?.picker.input)?.focus();
  }

  get operations() {
    return [
      ...this.inserts,
      ...[...this.values].filter(([object]) => !this.deletes.has(object)).map(([object, values]) =>
        ({ op: "set", object, values })),
      ...[...this.deletes].map((object) => ({ op: "delete", object })),
    ];
  }

  discard() {
    this.values.clear();
    this.inserts = [];
    this.deletes.clear();
    this.draw();
    this.app.panel.refresh();
    if (this.app.panel.object) this.app.panel.draw();
  }

  draw() {
    const isShown = this.count > 0 || this.canUndo || this.canRedo;
    this.bar.hidden = !isShown;
    document.body.classList.toggle("has-edits", isShown);
    if (!isShown) return;
    fill(this.bar,
      this.count > 0 ? [h("span", { class: "edits-count" }, plural(this.count, "unsaved change")),
        h("button", { type: "button", class: "quiet", onclick: () => this.discard() }, "Discard"),
        h("button", { type: "button", class: "primary", onclick: () => this.review() },
          "Review and save")] : h("span",
          { class: "edits-count" }, "All changes are saved"),
      h("span", { class: "spring" }),
      this.canUndo && h("button", { type: "button", class: "quiet", onclick: () => this.step("undo") }, icon("undo"),
        "Undo last save"),
      this.canRedo && h("button", { type: "button", class: "quiet", onclick: () => this.step("redo") }, "Redo"));
  }

  // `edit` is called where the changes are to be edited further.
  async review(edit) {
    const operations = this.operations;
    if (operations.length === 0) return;
    let seen;
    try { seen = await post("preview", { operations }); } catch (error) {
      if (edit && error.details?.property) return edit(error);
      this.app.fail(error);
      return edit?.();
    }
    const body = h("div", { class: "review" });
    const save = h("button", { type: "button", class: "primary" }, "Save");
    const show = (difference, note) => {
      seen = difference;
      fill(body, note && h("p", { class: "warning", role: "alert" }, icon("warning"), note),
        this.differences(difference), this.errors(difference.errors));
      save.disabled = difference.errors.length > 0 || difference.changes.length === 0;
    };
    save.addEventListener("click", async () => {
      save.disabled = true;
      try {
        const answer = await post("save", { operations, digest: seen.digest });
        box.close();
        this.values.clear();
        this.inserts = [];
        this.deletes.clear();
        this.finish(answer, `Saved ${plural(answer.saved.count, "object")}`);
      } catch (error) {
        if (error.details?.changes) show(error.details, error.message);
        else { this.app.fail(error); save.disabled = false; }
      }
    });
    const box = dialog("Changes to save", body, [
      h("button", { type: "button", class: "quiet", onclick: () => { box.close(); this.discard(); } }, "Discard"),
      h("span", { class: "spring" }),
      h("button", { type: "button", class: "quiet", onclick: () => { box.close(); edit?.(); } }, "Keep editing"),
      save]);
    show(seen);
  }

  finish(answer, message) {
    this.canUndo = answer.canUndo;
    this.canRedo = answer.canRedo;
    this.draw();
    this.app.changed();
    toast(message, { action: this.canUndo ? () => this.step("undo") : undefined, label: "Undo" });
  }

  async step(path) {
    try {
      const answer = await post(path);
      this.finish(answer, `${path === "undo" ? "Undone" : "Redone"}: ${plural(answer.saved.count, "object")}`);
    } catch (error) { this.app.fail(error); }
  }

  differences({ changes, count: total }) {
    if (changes.length === 0) return h("p", { class: "empty" }, "Nothing would change.");
    const link = (value) => value === null ? h("span", { class: "nil" }, "nil")
      : h("span", { class: "value-text" }, plainText(value));
    return [changes.map((change) => h("section", { class: `difference ${change.change}` },
      h("h3", {}, h("span", { class: `mark ${change.change}` },
        { insert: "+", update: "~", delete: "−" }[change.change]),
        h("span", { class: "code" }, change.object), change.label && h("span", { class: "note" }, change.label)),
      change.properties.length > 0 && h("table", {},
        h("tbody", {}, change.properties.map((property) => h("tr", {}, h("th", { scope: "row" }, property.name),
        "added" in property
          ? h("td", { colspan: 2 }, h("span", { class: "sum" },
            [property.added.length > 0 && `+${property.added.length}`, property.removed.length > 0
            && `−${property.removed.length}`, property.reordered && "reordered"].filter(Boolean).join(" ")),
            property.added.map((value) => h("ins", {}, value.label ?? value.id)),
              property.removed.map((value) => h("del", {}, value.label ?? value.id)))
          : [h("td", {}, h("del", {}, link(property.old))), h("td", {}, h("ins", {}, link(property.new)))])))))),
      total > changes.length && h("p", { class: "note" }, `and ${plural(total - changes.length, "further object")}`)];
  }

  errors(errors) {
    return errors.length > 0 && h("div", { class: "errors", role: "alert" },
      h("h3", {}, icon("warning"), "These changes can't be saved"),
      h("ul", {}, errors.map((error) => h("li", {},
        h("span", { class: "code" }, [error.object, error.property].filter(Boolean).join(".")), " ", error.message))));
  }
}
