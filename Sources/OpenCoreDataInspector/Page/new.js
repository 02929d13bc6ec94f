// The form of a new object. What was typed stays when it is closed, until it is saved or cancelled.
import { h, dialog } from "./dom.js";
import { valueInput } from "./inputs.js";
import { objectPicker, objectsPicker } from "./picker.js";

export class NewObject {
  constructor(app, entityName) {
    this.app = app;
    this.entity = app.entities.get(entityName);
  }

  needsValue(attribute) {
    return !attribute.optional && !(this.entity.schema.attributes ?? []).some(({ name, default: value }) =>
      name === attribute.name && value !== null && value !== undefined);
  }

  // `error` says what is wrong with what was entered before.
  open(error) {
    const { entity, app: { edits } } = this;
    const entered = edits.draft(entity.name, "new") ?? { values: {}, links: {} };
    // Required attributes come first.
    const settable = entity.attributes.filter((attribute) => !attribute.derived);
    settable.sort((a, b) => Number(this.needsValue(b)) - Number(this.needsValue(a)));
    this.fields = settable.map((attribute) => this.field(attribute, entered.values[attribute.name]));
    this.links = entity.relationships.map((relationship) => this.link(relationship, entered.links[relationship.name]));
    let isOver = false;
    const box = dialog(`New ${entity.name}`, h("form", { class: "fields", onsubmit: (event) => event.preventDefault() },
      this.fields.map((entry) => entry.row), this.links.map((entry) => entry.row)), [
      h("button", { type: "button", class: "quiet", onclick: () => {
        isOver = true;
        edits.setDraft(entity.name, "new", undefined);
        box.close();
      } }, "Cancel"),
      h("button", { type: "button", class: "primary", onclick: () => {
        const values = this.read();
        if (values === undefined) return;
        const draft = this.draft();
        isOver = true;
        edits.setDraft(entity.name, "new", undefined);
        box.close();
        edits.insert(entity.name, values, (error) => {
          edits.setDraft(entity.name, "new", draft);
          this.open(error);
        });
      } }, "Review"),
    ]);
    box.addEventListener("close", () => { if (!isOver) edits.setDraft(entity.name, "new", this.draft()); });
    const refused = this.fields.find(({ attribute }) => attribute.name === error?.details?.property)?.input;
    refused?.show(error.message);
    (refused?.field ?? this.fields[0]?.input.field ?? this.links[0]?.picker.input)?.focus();
  }

  row(name, note, input) {
    return h("div", { class: "field" }, h("span", {}, name, h("span", { class: "note" }, note)), input.element);
  }

  field(attribute, entered) {
    const input = valueInput(attribute, null);
    if (entered !== undefined && input.field.type !== "file") input.field.value = entered;
    const note = this.needsValue(attribute) ? `${attribute.type}, required` : attribute.type;
    return { attribute, input, row: this.row(attribute.name, note, input) };
  }

  link(relationship, entered) {
    const { destination, name, toMany } = relationship;
    const picker = toMany ? objectsPicker(this.app, destination, name, entered)
      : objectPicker(this.app, destination, name);
    if (!toMany && entered) Object.assign(picker, { value: entered.id, name: entered.name });
    if (!toMany && entered) picker.input.value = entered.name ?? entered.id;
    const note = `→ ${destination}${toMany ? " (many)" : ""}${relationship.optional ? "" : ", required"}`;
    return { relationship, picker, row: this.row(name, note, picker) };
  }

  // What is entered, as it was typed; `undefined` for an empty form.
  draft() {
    const values = Object.fromEntries(this.fields.filter(({ input }) => input.field.type !== "file"
      && input.field.value !== "").map(({ attribute, input }) => [attribute.name, input.field.value]));
    const links = Object.fromEntries(this.links.map(({ relationship, picker }) => [relationship.name,
      relationship.toMany ? picker.items : picker.value && { id: picker.value, name: picker.name }])
      .filter(([, link]) => link && link.length !== 0));
    return Object.keys(values).length + Object.keys(links).length === 0 ? undefined : { values, links };
  }

  // The values of the new object; `undefined` after a mistake, which is shown.
  read() {
    const values = {};
    let wrong;
    for (const { attribute, input } of this.fields) {
      const value = input.read();
      if (value === undefined && this.needsValue(attribute)) input.show(`${attribute.name} is required.`);
      if (value === null || (value === undefined && this.needsValue(attribute))) wrong ??= input.field;
      else if (value !== undefined) values[attribute.name] = value;
    }
    for (const { relationship, picker } of this.links) {
      if (relationship.toMany) {
        if (!picker.check()) wrong ??= picker.input;
        else if (picker.items.length > 0) values[relationship.name] = picker.items.map((item) => item.id);
      } else if (picker.value !== undefined) {
        values[relationship.name] = picker.value;
      } else if ((!relationship.optional || picker.input.value.trim() !== "") && !picker.check()) {
        wrong ??= picker.input;
      }
    }
    wrong?.focus();
    return wrong ? undefined : values;
  }
}
