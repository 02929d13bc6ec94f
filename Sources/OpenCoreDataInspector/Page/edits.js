// Edits: staged here, shown as a difference by the server, saved, undone.
import { h, fill, icon, iconButton, dialog, toast, plural } from "./dom.js";
import { get, post } from "./api.js";
import { plainText } from "./values.js";
import { NewObject } from "./new.js";

export class Edits {
  constructor(app, bar) {
    this.app = app;
    this.bar = bar;
    this.values = new Map();
    this.inserts = [];
    this.deletes = new Set();
    this.made = 0;
    // What is typed and not staged yet: by object and property, and by entity for new objects.
    this.drafts = new Map();
    this.canUndo = this.canRedo = false;
    addEventListener("beforeunload", (event) => {
      if (this.count > 0 || this.drafts.size > 0) event.preventDefault();
    });
  }

  draft(owner, name) { return this.drafts.get(`${owner} ${name}`); }

  setDraft(owner, name, text) {
    if (text === undefined) this.drafts.delete(`${owner} ${name}`);
    else this.drafts.set(`${owner} ${name}`, text);
  }

  // Whether there is something to undo, which another page may have saved.
  async load() {
    if (!this.app.info.writable) return;
    try {
      const { canUndo, canRedo } = await get("edits");
      if (canUndo === this.canUndo && canRedo === this.canRedo) return;
      Object.assign(this, { canUndo, canRedo });
      this.draw();
    } catch { /* The connection's state is shown above. */ }
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

  unset(object, name) {
    const known = this.values.get(object);
    if (!known) return;
    delete known[name];
    if (Object.keys(known).length === 0) this.values.delete(object);
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

  create(entityName) { new NewObject(this.app, entityName).open(); }

  // Stages a new object and shows it; `edit` is called where it is to be edited further.
  insert(entity, values, edit) {
    const insert = { op: "insert", entity, name: `new-${++this.made}`, values };
    this.inserts.push(insert);
    this.draw();
    this.review((error) => {
      this.inserts = this.inserts.filter((other) => other !== insert);
      this.draw();
      edit(error);
    });
  }

  get operations() {
    return [
      ...this.inserts,
      ...[...this.values].filter(([object]) => !this.deletes.has(object)).map(([object, values]) =>
        ({ op: "set", object, values: { ...values } })),
      ...[...this.deletes].map((object) => ({ op: "delete", object })),
    ];
  }

  discard() {
    this.values.clear();
    this.inserts = [];
    this.deletes.clear();
    this.drafts.clear();
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
      if (error.details?.deleted) return this.gone(error);
      if (edit && error.details?.property) return edit(error);
      this.app.fail(error);
      return edit?.();
    }
    const body = h("div", { class: "review" });
    const save = h("button", { type: "button", class: "primary" }, "Save");
    const show = (difference, note) => {
      seen = difference;
      const gone = difference.gone ?? [];
      fill(body, note && h("p", { class: "warning", role: "alert" }, icon("warning"), note),
        gone.length > 0 && h("p", { class: "note" }, `${plural(gone.length, "object")} to delete `
          + `${gone.length === 1 ? "is" : "are"} gone already: ${gone.slice(0, 5).join(", ")}`
          + (gone.length > 5 ? "…" : "")),
        this.differences(difference), this.errors(difference.errors));
      save.disabled = difference.errors.length > 0 || difference.changes.length === 0;
    };
    save.addEventListener("click", async () => {
      save.disabled = true;
      try {
        const answer = await post("save", { operations, digest: seen.digest });
        box.close();
        this.forget(operations);
        this.finish(answer, `Saved ${plural(answer.changes, "change")}`);
      } catch (error) {
        if (error.details?.deleted) { box.close(); return this.gone(error); }
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

  // What was saved is staged no more; what was staged while it was saved stays.
  forget(operations) {
    for (const { op, object, name, values } of operations) {
      if (op === "insert") this.inserts = this.inserts.filter((insert) => insert.name !== name);
      else if (op === "delete") { this.deletes.delete(object); this.values.delete(object); }
      else {
        for (const [key, value] of Object.entries(values)) {
          if (this.staged(object, key) === value) this.unset(object, key);
        }
      }
    }
  }

  // An object with staged changes was deleted by another program: what was typed is shown, and can be given up.
  gone(error) {
    const id = error.details.deleted;
    const box = dialog("Deleted in the meantime", [h("p", { class: "warning", role: "alert" }, icon("warning"),
      error.message), h("dl", { class: "values" }, Object.entries(this.values.get(id) ?? {}).map(([name, value]) =>
      [h("dt", {}, name), h("dd", {}, typeof value === "object" ? JSON.stringify(value) : String(value))]))], [
      h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Keep them"),
      h("button", { type: "button", class: "primary", onclick: () => {
        this.values.delete(id);
        box.close();
        this.draw();
        if (this.count > 0) this.review();
      } }, "Discard these changes")]);
  }

  finish(answer, message) {
    this.canUndo = answer.canUndo;
    this.canRedo = answer.canRedo;
    this.draw();
    this.app.panel.refresh();
    this.app.changed();
    toast(message, { action: this.canUndo ? () => this.step("undo") : undefined, label: "Undo" });
  }

  async step(path) {
    try {
      const answer = await post(path);
      this.finish(answer, `${path === "undo" ? "Undone" : "Redone"}: ${plural(answer.changes, "change")}`);
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
