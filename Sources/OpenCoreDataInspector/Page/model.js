// The model: its diagram as the way in, and the rules of the entity that is chosen.
import { h, fill, iconButton, plural } from "./dom.js";
import { get } from "./api.js";

// What a picture of a model is made of; anything else is left out.
const allowed = {
  svg: ["viewBox", "width", "height", "role"], g: ["class"], rect: ["class", "x", "y", "width", "height", "rx"],
    path: ["class", "d"],
  text: ["class", "x", "y", "text-anchor"], tspan: ["class", "dx"], circle: ["class", "cx", "cy", "r"], title: [],
};

function adopted(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  const attributes = allowed[node.localName];
  if (!attributes) return null;
  const element = document.createElementNS("http://www.w3.org/2000/svg", node.localName);
  for (const name of attributes) if (node.hasAttribute(name)) element.setAttribute(name, node.getAttribute(name));
  for (const child of node.childNodes) {
    const copy = adopted(child);
    if (copy) element.append(copy);
  }
  return element;
}

// The name of a rule in words: "deleteRule" is "delete rule".
const words = (key) => key.replace(/[A-Z]+(?![a-z])|[A-Z]/g, (letters) =>
  ` ${letters.length > 1 ? letters : letters.toLowerCase()}`).trim();

export class ModelView {
  constructor(app, query) {
    this.app = app;
    this.query = query;
    this.stage = h("div", { class: "stage", tabindex: "0",
      "aria-label": "Diagram of the model; use the arrow keys to move it, and plus and minus to zoom" });
    this.details = h("div", { class: "entity-details" });
    this.element = h("div", { class: "view model-view" },
      h("div", { class: "bar" }, h("h1", { class: "title" }, "Model"),
        h("span", { class: "note" }, `${app.entities.size} entities, from ${app.info.model}`),
        h("span", { class: "spring" }), this.search(),
        h("div", { class: "segments" }, h("button",
          { type: "button", "aria-label": "Smaller", onclick: () => this.zoom(1 / 1.25) }, "−"),
          h("button", { type: "button", onclick: () => this.fit() }, "Fit"),
            h("button", { type: "button", "aria-label": "Larger", onclick: () => this.zoom(1.25) }, "+"))),
      h("div", { class: "model-body" }, this.stage, this.details));
    this.load();
    this.showEntity(query.entity);
  }

  async load() {
    try {
      const { svg } = await get("diagram");
      const parsed = new DOMParser().parseFromString(svg.replace(/<style>[^]*?<\/style>/, ""),
        "image/svg+xml").documentElement;
      this.svg = adopted(parsed);
      this.svg.classList.add("diagram");
      this.size = this.svg.getAttribute("viewBox").split(" ").slice(2).map(Number);
      fill(this.stage, this.svg);
      for (const box of this.svg.querySelectorAll("g")) {
        const title = box.querySelector("text.title");
        if (!title) continue;
        const name = title.textContent;
        box.classList.add("entity-box");
        box.setAttribute("tabindex", "0");
        box.setAttribute("role", "button");
        box.setAttribute("aria-label", `Entity ${name}`);
        box.dataset.entity = name;
        box.addEventListener("click", () => this.app.go({ entity: name }));
        box.addEventListener("dblclick", () => { location.hash = `#/data/${encodeURIComponent(name)}`; });
        box.addEventListener("keydown", (event) => { if (event.key === "Enter") this.app.go({ entity: name }); });
      }
      this.fit();
      this.drag();
      this.mark();
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
      if (name !== undefined) { this.app.go({ entity: name }); this.center(name); }
    };
    field.addEventListener("change", find);
    return [field, names];
  }

  center(name) {
    const box = [...this.svg?.querySelectorAll(".entity-box") ?? []].find((box) => box.dataset.entity === name);
    if (!box) return;
    if (this.scale < 0.8) { this.scale = 1; this.apply(); }
    const place = box.getBoundingClientRect(), stage = this.stage.getBoundingClientRect();
    this.stage.scrollBy({
      left: place.left + place.width / 2 - stage.left - stage.width / 2,
        top: place.top + place.height / 2 - stage.top - stage.height / 2,
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
    });
  }

  // From far away, the boxes show only their names, as large as they fit.
  label() {
    const isFar = this.scale < 0.6;
    this.svg.classList.toggle("far", isFar);
    for (const box of this.svg.querySelectorAll(".entity-box")) {
      const title = box.querySelector("text.title"), frame = box.querySelector("rect.box");
      title.dataset.y ??= title.getAttribute("y");
      title.style.fontSize = "";
      title.setAttribute("y", title.dataset.y);
      if (!isFar || !frame) continue;
      const size = Math.min(14 / this.scale, 14 * (Number(frame.getAttribute("width")) - 12) / Math.max(1,
        title.getComputedTextLength()), Number(frame.getAttribute("height")) * 0.7);
      title.style.fontSize = `${size}px`;
      title.setAttribute("y", Number(frame.getAttribute("y")) + Number(frame.getAttribute("height")) / 2 + size / 3);
    }
  }

  fit() {
    const [width, height] = this.size;
    const room = this.stage.getBoundingClientRect();
    this.scale = Math.max(0.25, Math.min(1.25, (room.width - 16) / width, Math.max((room.height - 16) / height, 0.55)));
    this.apply();
  }

  zoom(factor) {
    this.scale = Math.max(0.1, Math.min(4, this.scale * factor));
    this.apply();
  }

  apply() {
    this.svg.setAttribute("width", Math.round(this.size[0] * this.scale));
    this.svg.setAttribute("height", Math.round(this.size[1] * this.scale));
    this.label();
  }

  drag() {
    let from = null;
    this.stage.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch" || event.target.closest(".entity-box")) return;
      from = { x: event.clientX + this.stage.scrollLeft, y: event.clientY + this.stage.scrollTop };
      this.stage.setPointerCapture(event.pointerId);
    });
    this.stage.addEventListener("pointermove", (event) => {
      if (from) this.stage.scrollTo(from.x - event.clientX, from.y - event.clientY);
    });
    this.stage.addEventListener("pointerup", () => { from = null; });
    this.stage.addEventListener("keydown", (event) => {
      const moves = { ArrowDown: [0, 60], ArrowUp: [0, -60], ArrowLeft: [-60, 0], ArrowRight: [60, 0] };
      if (moves[event.key]) this.stage.scrollBy(...moves[event.key]);
      else if (event.key === "+" || event.key === "=") this.zoom(1.25);
      else if (event.key === "-") this.zoom(1 / 1.25);
      else return;
      event.preventDefault();
    });
    this.stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1);
    }, { passive: false });
  }

  mark() {
    for (const box of this.svg?.querySelectorAll(".entity-box") ?? []) box.classList.toggle("chosen",
      box.dataset.entity === this.query.entity);
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
    this.mark();
    return true;
  }

  changed() {}
  close() {}
}
