// One object: its values, and ways to the objects that it leads to.
import { h, fill, iconButton, copyText, count, bytes } from "./dom.js";
import { get, wholeText } from "./api.js";
import { full } from "./values.js";
import { valueInput } from "./inputs.js";
import { isIdentifier, objectPicker } from "./picker.js";
import { sizeOf } from "./files.js";
import { Links } from "./links.js";

export class ObjectPanel {
  constructor(app, element) {
    this.app = app;
    this.element = element;
    this.trail = [];
    this.links = new Links(app, () => this.draw());
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
        ? `${id} doesn't exist in the store. It may have been deleted.` : error.message));
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
      // The place in a form stays; the values are drawn once the form is closed.
      if (this.element.contains(document.activeElement)
        && document.activeElement.closest(".edit-form, .adder")) return;
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
    const isEditable = this.app.info.writable && !attribute.derived
      && !(value !== null && typeof value === "object" && value.length && "json" in value);
    fill(place, staged === undefined ? full(value, attribute, object.id) : h("span", { class: "text" },
      staged === null ? "nil" : staged === "" ? "empty"
        : attribute.kind === "data" ? `new data, ${bytes(sizeOf(staged))}` : String(staged)),
      staged !== undefined && iconButton("undo", `Undo the change of ${attribute.name}`, () => {
        this.app.edits.unset(object.id, attribute.name);
        this.draw();
      }, { class: "icon-button take-back" }),
      isEditable && iconButton("edit", `Edit ${attribute.name}`, () =>
        this.edit(place, object, attribute, value, staged), { class: "icon-button edit-button" }));
    if (isEditable && this.app.edits.draft(object.id, attribute.name) !== undefined) {
      this.edit(place, object, attribute, value, staged, { isOpened: false });
    }
  }

  // `isOpened` is false for a form that comes back with what was typed before.
  async edit(place, object, attribute, value, staged, { isOpened = true } = {}) {
    const { edits } = this.app;
    const draft = edits.draft(object.id, attribute.name);
    let start = staged !== undefined ? staged : value;
    if (draft === undefined && start !== null && typeof start === "object" && start.length && "text" in start) {
      // Long strings come shortened; the whole one is edited.
      try { start = await wholeText(object.id, attribute.name); } catch (error) { return this.app.fail(error); }
    }
    const input = valueInput(attribute, start);
    if (draft !== undefined) input.field.value = draft;
    const close = () => { edits.setDraft(object.id, attribute.name, undefined); this.draw(); };
    const done = (next) => {
      // What the store has now, which may have come while this was typed.
      const now = this.object?.id === object.id
        ? this.object.attributes.find(({ name }) => name === attribute.name)?.value : value;
      edits.set(object.id, attribute.name, next, now);
      close();
    };
    const form = h("form", { class: "edit-form", onsubmit: (event) => {
      event.preventDefault();
      const next = input.read();
      if (next === null) return input.field.focus();
      if (next !== undefined) return done(next);
      if (attribute.kind === "text") return done("");
      if (attribute.optional && attribute.kind !== "data") return done(null);
      input.show(attribute.kind === "data" ? "Choose a file." : `${attribute.name} is required.`);
      input.field.focus();
    } }, input.element,
      h("div", { class: "edit-buttons" }, h("button", { type: "submit", class: "primary small" }, "Stage"),
        attribute.optional && h("button", { type: "button", class: "quiet", onclick: () => done(null) }, "Set nil"),
        h("button", { type: "button", class: "quiet", onclick: close }, "Cancel")));
    form.addEventListener("input", () => {
      if (input.field.type !== "file") edits.setDraft(object.id, attribute.name, input.field.value);
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { event.stopPropagation(); close(); }
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    fill(place, form);
    if (!isOpened) return;
    input.field.focus();
    input.field.select?.();
  }

  relationship(object, relationship, related, hasChanged) {
    const all = `#/related/${object.id}/${encodeURIComponent(relationship.name)}`;
    const { writable } = this.app.info;
    const staged = this.app.edits.staged(object.id, relationship.name);
    const { links, removed, total } = this.links.after(relationship, related, staged);
    const chips = h("div", { class: "chips" }, links.map((link, index) => h("span", {
      class: link.isAdded ? "chip added" : "chip" },
      h("a", { href: `#/object/${link.id}`, onclick: (event) => {
        if (event.ctrlKey || event.metaKey) return; event.preventDefault(); this.app.go({ object: link.id }); } },
        h("span", { class: "chip-label" }, link.label ?? link.id), h("span", { class: "code" }, link.id)),
      writable && relationship.ordered && links.length > 1 && [
        iconButton("up", `Move ${link.id} up`, () => this.links.move(object, relationship, related, link.id, -1),
          { disabled: index === 0 }),
        iconButton("down", `Move ${link.id} down`, () => this.links.move(object, relationship, related, link.id, 1),
          { disabled: index === total - 1 })],
      writable && iconButton("close", `Remove ${link.id} from ${relationship.name}`, () =>
        this.links.change(object, relationship, related, link.id, false)))),
      removed.map((link) => h("span", { class: "chip removed" },
        h("del", { class: "chip-label" }, link.label ?? link.id),
        iconButton("undo", `Keep ${link.id} in ${relationship.name}`, () =>
          this.links.change(object, relationship, related, link.id, true)))));
    return h("section", { class: `related${hasChanged ? " flash" : ""}${staged !== undefined ? " staged" : ""}`,
      data: { relationship: relationship.name } },
      h("h3", {}, relationship.name, h("span", { class: "note" },
        `${relationship.toMany ? "to many" : "to one"} ${relationship.destination}`
          + (relationship.ordered ? ", ordered" : "")),
        h("span", { class: "spring" }),
        staged !== undefined && iconButton("undo", `Undo the change of ${relationship.name}`, () => {
          this.app.edits.unset(object.id, relationship.name);
          this.draw();
        }),
        relationship.toMany && related.count > 0 && h("a", { href: all }, `All ${count(related.count)} as a list`)),
      links.length + removed.length === 0 ? h("span", { class: "nil" }, relationship.toMany ? "none" : "nil") : chips,
      total > links.length && h("a", { class: "more", href: all }, `and ${count(total - links.length)} more`),
      writable && this.adder(object, relationship, related));
  }

  adder(object, relationship, related) {
    const { edits } = this.app, draft = `+${relationship.name}`;
    const take = (id, name) => {
      edits.setDraft(object.id, draft, undefined);
      this.links.change(object, relationship, related, id, true, name);
    };
    const picker = objectPicker(this.app, relationship.destination, `Object for ${relationship.name}`, take);
    picker.input.addEventListener("input", () => edits.setDraft(object.id, draft, picker.input.value || undefined));
    if (edits.draft(object.id, draft) !== undefined) {
      picker.input.value = edits.draft(object.id, draft);
      if (isIdentifier(picker.input.value)) picker.value = picker.input.value.trim();
    }
    return h("form", { class: "adder", onsubmit: (event) => {
      event.preventDefault();
      if (picker.check()) take(picker.value);
      else picker.input.focus();
    } }, picker.element, h("button", { type: "submit", class: "quiet" }, relationship.toMany ? "Add" : "Set"));
  }
}
