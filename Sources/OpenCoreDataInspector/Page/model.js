// The model: its diagram as the way in, and the rules of the entity that is chosen.
import { h, fill, iconButton, plural } from "./dom.js";
import { get } from "./api.js";
import { Diagram } from "./diagram.js";

// The name of a rule in words: "deleteRule" is "delete rule".
const words = (key) => key.replace(/[A-Z]+(?![a-z])|[A-Z]/g, (letters) =>
  ` ${letters.length > 1 ? letters : letters.toLowerCase()}`).trim();

export class ModelView {
  constructor(app, query) {
    this.app = app;
    this.query = query;
    this.diagram = new Diagram({ choose: (name) => app.go({ entity: name }),
      open: (name) => { location.hash = `#/data/${encodeURIComponent(name)}`; } });
    this.details = h("div", { class: "entity-details" });
    this.element = h("div", { class: "view model-view" },
      h("div", { class: "bar" }, h("h1", { class: "title" }, "Model"),
        h("span", { class: "note" }, `${app.entities.size} entities, from ${app.info.model}`),
        h("span", { class: "spring" }), this.search(),
        h("div", { class: "segments" }, h("button",
          { type: "button", "aria-label": "Smaller", onclick: () => this.diagram.zoom(1 / 1.25) }, "−"),
          h("button", { type: "button", onclick: () => this.diagram.fit() }, "Fit"),
            h("button", { type: "button", "aria-label": "Larger", onclick: () => this.diagram.zoom(1.25) }, "+"))),
      h("div", { class: "model-body" }, this.diagram.element, this.details));
    this.load();
    this.showEntity(query.entity);
  }

  async load() {
    try {
      const { svg } = await get("diagram");
      this.diagram.show(svg);
      this.diagram.mark(this.query.entity);
      if (this.query.entity) this.diagram.fly(this.query.entity);
    } catch (error) { this.app.fail(error); }
  }

  // A field in which an entity is found by its name, and then shown in the middle.
  search() {
    const names = h("datalist", { id: "entity-names" },
      [...this.app.entities.keys()].map((name) => h("option", { value: name })));
    const field = h("input", { type: "search", class: "entity-search", placeholder: "Find an entity",
      "aria-label": "Find an entity in the diagram", list: "entity-names", autocomplete: "off" });
    const find = () => {
      const sought = field.value.trim().toLowerCase();
      if (sought === "") return;
      const all = [...this.app.entities.keys()];
      const name = all.find((name) => name.toLowerCase() === sought)
        ?? all.find((name) => name.toLowerCase().startsWith(sought))
        ?? all.find((name) => name.toLowerCase().includes(sought));
      field.setAttribute("aria-invalid", String(name === undefined));
      if (name !== undefined) { this.sought = name; this.app.go({ entity: name }); }
    };
    field.addEventListener("change", find);
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") find(); });
    return [field, names];
  }

  showEntity(name) {
    const entity = this.app.entities.get(name);
    this.details.hidden = !entity;
    if (!entity) return;
    const schema = entity.schema;
    fill(this.details,
      h("div", { class: "panel-title" }, h("h2", {}, name), entity.parent
        && h("span", { class: "note" }, `inherits from ${entity.parent}`), entity.abstract
        && h("span", { class: "tag" }, "abstract"),
        h("span", { class: "spring" }), h("a", { class: "button", href: `#/data/${encodeURIComponent(name)}` },
          this.app.counts.has(name) ? `Open ${plural(this.app.counts.get(name), "object")}` : "Open the objects"),
        iconButton("close", "Close the entity", () => this.app.go({ entity: undefined }))),
      h("dl", { class: "facts" }, [["Class", schema.class], ["Version hash", schema.versionHash],
        ["Hash modifier", schema.versionHashModifier], ["Renamed from", schema.renamingIdentifier]]
        .filter(([, value]) => value).map(([label, value]) => [h("dt", {}, label), h("dd", { class: "code" }, value)])),
      h("h3", {}, "Attributes"), this.table(["Name", "Type", "Rules"],
        (schema.attributes ?? []).map((attribute) => [attribute.name, attribute.type, this.rules(attribute)])),
      h("h3", {}, "Relationships"), this.table(["Name", "Destination", "Rules"],
        (schema.relationships ?? []).map((relationship) => [
        relationship.name, h("button", { type: "button", class: "quiet link", onclick: () =>
          this.app.go({ entity: relationship.destination }) }, relationship.destination ?? "?"),
          this.rules(relationship)])),
      (schema.uniquenessConstraints ?? []).length > 0
        && [h("h3", {}, "Unique"), h("ul", {}, schema.uniquenessConstraints.map((names) =>
        h("li", { class: "code" }, [names].flat().join(", "))))],
      (schema.indexes ?? []).length > 0 && [h("h3", {}, "Indexes"),
        h("ul", {}, schema.indexes.map((index) => h("li", { class: "code" }, index.name)))]);
  }

  table(head, rows) {
    if (rows.length === 0) return h("p", { class: "nil" }, "none");
    return h("table", { class: "schema" }, h("thead", {},
      h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell))))));
  }

  rules(property) {
    const hidden = new Set(["name", "type", "destination", "elements", "versionHash"]);
    return Object.entries(property).filter(([key, value]) => !hidden.has(key) && value !== null && value !== false
      && !(Array.isArray(value) && value.length === 0))
      // 0 stands for no maximum and no minimum.
      .filter(([key, value]) => !(value === 0 && ["minCount", "maxCount"].includes(key)))
      .map(([key, value]) => [words(key), value])
      .map(([key, value]) => h("span", { class: "rule-chip" }, value === true ? key
        : [h("span", { class: "note" }, key), " ", typeof value === "object" ? JSON.stringify(value) : String(value)]))
      .concat(property.versionHash ? h("span", { class: "note code", title: `Version hash ${property.versionHash}` },
        `#${property.versionHash.slice(0, 8)}…`) : []);
  }

  setQuery(query) {
    if (query.view !== "model") return false;
    this.query = query;
    this.showEntity(query.entity);
    this.diagram.mark(query.entity);
    // The entity's details make the place of the diagram narrower.
    if (this.sought === query.entity) this.diagram.fly(query.entity);
    this.sought = undefined;
    return true;
  }

  changed() {}
  close() { this.diagram.close(); }
}
