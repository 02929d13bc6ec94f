// One object: its values, and ways to the objects that it leads to.
import { h, fill, icon, iconButton, copyText, count } from "./dom.js";
import { get, wholeText } from "./api.js";
import { full } from "./values.js";
import { valueInput } from "./inputs.js";
import { objectPicker } from "./picker.js";

export class ObjectPanel {
  constructor(app, element) {
    this.app = app;
    this.element = element;
    this.trail = [];
  }

  get isOpen() { return !this.element.hidden; }

  async show(id) {
    if (this.id !== id) {
      this.trail = this.trail.filter((entry) => entry.id !== id).slice(-5);
      if (this.object && this.isOpen) this.trail.push({ id: this.object.id, label: this.object.label });
    }
    this.id = id;
    const isFirst = !this.isOpen;
    this.element.hidden = false;
    document.body.classList.add("has-panel");
    try {
      const object = await get("object", { id });
      if (this.id !== id) return;
      this.object = object;
      this.draw();
      if (isFirst && matchMedia("(max-width: 760px)").matches) this.element.querySelector("button, a")?.focus();
    } catch (error) {
      if (this.id !== id) return;
      this.object = null;
      fill(this.element, this.head(id), h("p", { class: "empty" }, error.status === 404
        ? `${id} is not in the store (any more).` : error.message));
    }
  }

  hide() {
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.id = this.object = undefined;
    this.trail = [];
    document.body.classList.remove("has-panel");
  }

  // Another process may have changed it.
  async refresh() {
    if (!this.isOpen || !this.object) return;
    const id = this.id;
    try {
      const object = await get("object", { id });
      if (this.id !== id || JSON.stringify(object) === JSON.stringify(this.object)) return;
      const old = this.object;
      this.object = object;
      if (this.element.contains(document.activeElement)
        && document.activeElement.matches("input, textarea, select")) return;
      this.draw(old);
    } catch (error) {
      if (error.status === 404 && this.id === id) this.show(id);
    }
  }

  head(id, object) {
    const name = id.split("/")[0];
    return h("div", { class: "panel-head" },
      h("div", { class: "panel-title" },
        h("a", { class: "tag entity", href: `#/data/${encodeURIComponent(name)}` }, name),
        h("span", { class: "code id" }, id.split("/")[1]),
        h("span", { class: "spring" }),
        object && this.app.info.writable && iconButton("trash", "Delete this object", () =>
          this.app.edits.delete(object.id)),
        iconButton("link", "Copy a link to this object", () =>
          copyText(`${location.origin}${location.pathname}#/object/${id}`, "Link")),
        object && iconButton("copy", "Copy the object's URI", () => copyText(object.uri, "URI")),
        iconButton("close", "Close the object", () => this.app.go({ object: undefined }))),
      object && h("h2", { class: "panel-label" }, object.label ?? id));
  }

  draw(old) {
    const object = this.object, entity = this.app.entities.get(object.entity);
    const scroll = this.element.scrollTop;
    const before = new Map((old?.attributes ?? []).map((attribute) =>
      [attribute.name, JSON.stringify(attribute.value)]));
    const links = new Map((old?.relationships ?? []).map((relationship) =>
      [relationship.name, JSON.stringify(relationship)]));
    fill(this.element, this.head(object.id, object),
      this.trail.length > 0 && h("nav", { class: "trail", "aria-label": "Previous objects" }, this.trail.map((entry) =>
        h("a", { href: `#/object/${entry.id}`, onclick: (event) => {
          event.preventDefault(); this.app.go({ object: entry.id }); } }, entry.label ?? entry.id))),
      h("dl", { class: "values" }, object.attributes.map(({ name, value }) => {
        const attribute = entity.attributes.find((candidate) => candidate.name === name);
        const staged = this.app.edits.staged(object.id, name);
        const hasChanged = old && before.get(name) !== JSON.stringify(value);
        const shown = h("dd", { class: `${hasChanged ? "flash" : ""}${staged === undefined ? "" : " staged"}` });
        this.value(shown, object, attribute, value, staged);
        return [h("dt", {}, name, h("span", { class: "note" }, attribute.type)), shown];
      })),
      object.relationships.map((related) => {
        const relationship = entity.relationships.find((candidate) => candidate.name === related.name);
        return this.relationship(object, relationship, related, old
          && links.get(related.name) !== JSON.stringify(related));
      }));
    this.element.scrollTop = scroll;
  }

  value(place, object, attribute, value, staged) {
    const isEditable = this.app.info.writable && !attribute.derived && attribute.kind !== "data"
      && !(value !== null && typeof value === "object" && value.length && "json" in value);
    fill(place, staged === undefined ? full(value, attribute, object.id)
      : h("span", { class: "text" }, staged === null ? "nil" : String(staged)),
      isEditable && iconButton("edit", `Edit ${attribute.name}`, () =>
        this.edit(place, object, attribute, value, staged), { class: "icon-button edit-button" }));
  }

  async edit(place, object, attribute, value, staged) {
    let start = staged !== undefined ? staged : value;
    if (start !== null && typeof start === "object" && start.length && "text" in start) {
      // Long strings come shortened; the whole one is edited.
      try { start = await wholeText(object.id, attribute.name); } catch (error) { return this.app.fail(error); }
    }
    const input = valueInput(attribute, start);
    const done = (next) => { this.app.edits.set(object.id, attribute.name, next, value); this.draw(); };
    const form = h("form", { class: "edit-form", onsubmit: (event) => {
      event.preventDefault();
      const next = input.read();
      if (next === null) return input.field.focus();
      if (next !== undefined) return done(next);
      if (attribute.kind === "text") return done("");
      if (attribute.optional) return done(null);
      input.field.focus();
    } }, input.element,
      h("div", { class: "edit-buttons" }, h("button", { type: "submit", class: "primary small" }, "Stage"),
        attribute.optional && h("button", { type: "button", class: "quiet", onclick: () => done(null) }, "Set nil"),
        h("button", { type: "button", class: "quiet", onclick: () => this.draw() }, "Cancel")));
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { event.stopPropagation(); this.draw(); }
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    fill(place, form);
    input.field.focus();
    input.field.select?.();
  }

  relationship(object, relationship, related, hasChanged) {
    const all = `#/related/${object.id}/${encodeURIComponent(relationship.name)}`;
    const staged = this.app.edits.staged(object.id, relationship.name);
    const chips = h("div", { class: "chips" }, related.objects.map((link) => h("span", { class: "chip" },
      h("a", { href: `#/object/${link.id}`, onclick: (event) => {
        if (event.ctrlKey || event.metaKey) return; event.preventDefault(); this.app.go({ object: link.id }); } },
        h("span", { class: "chip-label" }, link.label ?? link.id), h("span", { class: "code" }, link.id)),
      this.app.info.writable && iconButton("close", `Remove ${link.id} from ${relationship.name}`, () =>
        this.link(object, relationship, link.id, false)))));
    return h("section", { class: `related${hasChanged ? " flash" : ""}${staged !== undefined ? " staged" : ""}` },
      h("h3", {}, relationship.name, h("span", { class: "note" },
        `${relationship.toMany ? "to many" : "to one"} ${relationship.destination}`
          + (relationship.ordered ? ", ordered" : "")),
        h("span", { class: "spring" }),
        relationship.toMany && related.count > 0 && h("a", { href: all }, `All ${count(related.count)} as a list`)),
      related.count === 0 ? h("span", { class: "nil" }, relationship.toMany ? "none" : "nil") : chips,
      related.count > related.objects.length && h("a", { class: "more", href: all },
        `and ${count(related.count - related.objects.length)} more`),
      staged !== undefined && h("div", { class: "aside" }, "Staged: ", Array.isArray(staged) ? staged.join(", ")
        || "none" : staged ?? "nil"),
      this.app.info.writable && this.adder(object, relationship));
  }

  adder(object, relationship) {
    const picker = objectPicker(this.app, relationship.destination, `Object for ${relationship.name}`, (id) =>
      this.link(object, relationship, id, true));
    return h("form", { class: "adder", onsubmit: (event) => {
      event.preventDefault();
      if (picker.value !== undefined) this.link(object, relationship, picker.value, true);
    } }, picker.element, h("button", { type: "submit", class: "quiet" }, relationship.toMany ? "Add" : "Set"));
  }

  async link(object, relationship, id, isAdded) {
    if (!relationship.toMany) {
      this.app.edits.set(object.id, relationship.name, isAdded ? id : null, undefined);
      return this.draw();
    }
    let names = this.app.edits.staged(object.id, relationship.name);
    if (names === undefined) {
      const related = object.relationships.find((candidate) => candidate.name === relationship.name);
      if (related.count > 500) {
        return this.app.fail(new Error("A relationship with more than 500 objects can only be edited from its other "
          + "side."));
      }
      names = related.objects.map((link) => link.id);
      if (related.count > names.length) {
        const answer = await get("rows", { of: object.id, via: relationship.name, columns: "objectID", limit: 500 });
        names = answer.rows.map((row) => row.id);
      }
    }
    names = isAdded ? [...names.filter((name) => name !== id), id] : names.filter((name) => name !== id);
    this.app.edits.set(object.id, relationship.name, names, undefined);
    this.draw();
  }
}
