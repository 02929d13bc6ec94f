// The page: where one is, what is shown there, and what reaches it from the store.
import { h, fill, icon, dialog, closeBoxes, count, toast, remembered, remember, atMost } from "./dom.js";
import { get, listen } from "./api.js";
import { ListView } from "./list.js";
import { ObjectPanel } from "./object.js";
import { Edits } from "./edits.js";
import { HistoryView } from "./history.js";
import { ModelView } from "./model.js";
import { StorageView } from "./storage.js";

// What someone typed into the address may not be encoded.
function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

// The address after # as { view, entity, where, sort, object, of, via }.
export function parse(hash) {
  const [path, search] = hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").map(decoded);
  const query = { view: parts[0] || "data", ...Object.fromEntries(new URLSearchParams(search ?? "")) };
  if (query.view === "data") query.entity = parts[1];
  if (query.view === "object" && parts[2]) query.object = `${parts[1]}/${parts[2]}`;
  if (query.view === "related") Object.assign(query, { of: `${parts[1]}/${parts[2]}`, via: parts[3] });
  return query;
}

export function format({ view, entity, of, via, where, sort, object }) {
  const path = { data: `data/${encodeURIComponent(entity ?? "")}`,
    related: `related/${of}/${encodeURIComponent(via ?? "")}` }[view] ?? view;
  const values = { where, sort, object, ...(view === "model" ? { entity } : {}) };
  const parts = Object.entries(values).filter(([, value]) => value).map(([key, value]) =>
    `${key}=${encodeURIComponent(value)}`);
  return `#/${path}${parts.length ? `?${parts.join("&")}` : ""}`;
}

// An error in the page's own code is shown, and kept for the check in the browser.
const scriptErrors = globalThis.scriptErrors = [];

function showScriptError(error) {
  const text = error?.message ?? String(error);
  if (error?.name === "AbortError" || text.startsWith("ResizeObserver")) return;
  scriptErrors.push(error?.stack ?? text);
  toast(`An error in the inspector's page: ${text}`, { kind: "error", stay: 20000 });
}

addEventListener("error", (event) => showScriptError(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => showScriptError(event.reason));

class App {
  constructor() {
    this.main = document.getElementById("main");
    this.side = document.getElementById("side");
    this.panel = new ObjectPanel(this, document.getElementById("panel"));
    this.edits = new Edits(this, document.getElementById("edits"));
    this.counts = new Map();
    this.chartKeys = new Map();
  }

  async start() {
    this.theme();
    try {
      const [info, model] = await Promise.all([get("info"), get("model")]);
      this.info = info;
      this.entities = new Map(model.map((entity) => [entity.name, entity]));
    } catch (error) {
      fill(this.main, h("div", { class: "empty" },
        h("h1", {}, error.status === 401 ? "This inspector is locked" : "The store can't be shown"),
        h("p", {}, error.message)));
      return;
    }
    document.title = `${this.info.name} – inspector`;
    fill(document.getElementById("brand"), h("b", {}, this.info.name),
      h("span", { class: "note path", title: this.info.path }, h("bdi", {}, this.info.path ?? this.info.type)),
      h("span", { class: `tag ${this.info.writable ? "write" : ""}` }, this.info.writable ? "writable" : "read only"));
    this.drawSide();
    this.keys();
    addEventListener("hashchange", () => this.route());
    const isUndecided = parse(location.hash).view === "data" && !parse(location.hash).entity && !this.lastEntity;
    if (isUndecided) await this.loadCounts();
    this.route();
    if (!isUndecided) this.loadCounts();
    this.live(null);
    this.edits.load();
    listen((message) => this.heard(message), (isOn) => this.live(isOn));
  }

  // MARK: Places

  // Changes parts of the address; the rest stays.
  go(parts) {
    const query = { ...this.query, ...parts };
    if (query.view === "object") Object.assign(query, { view: "data", entity: this.query.entity });
    const next = format(query);
    if (next === location.hash) this.route();
    else location.hash = next;
  }

  route() {
    this.navigated = performance.now();
    const query = parse(location.hash);
    closeBoxes();
    if (query.view === "object" && query.object) {
      // A link to an object stands on the list of its entity, or on the one that is open already.
      const entity = query.object.split("/")[0];
      const open = this.view instanceof ListView ? this.query : null;
      const place = open && this.entities.get(open.of ? this.view.entity.name : open.entity)
        ? { ...open, object: query.object } : { view: "data", entity, object: query.object };
      history.replaceState(null, "", format(place));
      return this.route();
    }
    if (query.view === "data" && !query.entity) {
      query.entity = this.lastEntity ?? this.largestEntity;
      if (query.entity) history.replaceState(null, "", format(query));
    }
    if (query.view === "related") query.entity = this.destination(query.of, query.via);
    this.query = query;
    document.body.classList.remove("menu-open");
    document.getElementById("menu").setAttribute("aria-expanded", "false");
    if (!this.view?.setQuery?.(query)) this.open(query);
    if (query.object) this.panel.show(query.object);
    else this.panel.hide();
    this.view?.grid?.setOpen(query.object);
    this.markSide();
  }

  // The entity that was shown last, if the model still has it.
  get lastEntity() {
    const name = remembered(`inspector:${this.info.uuid}:entity`, null);
    return this.entities.has(name) ? name : undefined;
  }

  // The entity without a parent that has most objects.
  get largestEntity() {
    const roots = [...this.entities.values()].filter((entity) => !entity.parent);
    const largest = roots.reduce((a, b) => (this.counts.get(b.name) ?? 0) > (this.counts.get(a.name) ?? 0) ? b : a,
      roots[0]);
    return largest?.name ?? this.entities.keys().next().value;
  }

  destination(object, name) {
    return this.entities.get(object.split("/")[0])?.relationships.find((relationship) =>
      relationship.name === name)?.destination;
  }

  open(query) {
    const wasFiltering = document.activeElement?.classList.contains("filter-input");
    this.view?.close();
    this.view = null;
    const views = { data: ListView, related: ListView, model: ModelView, history: HistoryView, storage: StorageView };
    const View = views[query.view];
    if (!View || ((View === ListView) && !this.entities.has(query.entity))) {
      fill(this.main, h("div", { class: "empty" }, h("h1", {}, "Page not found"),
        h("p", {}, query.entity ? `The model has no entity ${query.entity}.` : location.hash)));
      return;
    }
    this.view = new View(this, query);
    fill(this.main, this.view.element);
    if (wasFiltering) this.view.filter?.focus();
    if (query.view === "data") remember(`inspector:${this.info.uuid}:entity`, query.entity);
    if (this.view instanceof ListView && this.chartsOpen) this.view.chart.toggle();
  }

  // MARK: Side

  drawSide() {
    const entities = [...this.entities.values()];
    const depth = (entity) => { let n = 0; for (let e = entity; e?.parent; e = this.entities.get(e.parent)) n++;
      return n; };
    const ordered = [], visit = (parent) => entities.filter((entity) =>
      (entity.parent ?? undefined) === parent).forEach((entity) => { ordered.push(entity); visit(entity.name); });
    visit(undefined);
    const search = h("input", { type: "search", class: "side-search", placeholder: "Find an entity",
      "aria-label": "Find an entity", oninput: () => {
      const sought = search.value.toLowerCase();
      for (const link of this.side.querySelectorAll(".entity-link")) {
        link.hidden = !link.dataset.entity.toLowerCase().includes(sought);
      }
    } });
    const place = (view, name, label) => h("a", { class: "place-link", href: `#/${view}`, data: { view } }, icon(name),
      label);
    fill(this.side, h("div", { class: "places" }, place("model", "model", "Model"),
      place("history", "history", "History"), place("storage", "storage", "Storage")),
      h("div", { class: "side-head" }, h("h2", {}, "Entities"), h("span", { class: "note" }, count(entities.length))),
      entities.length > 8 && search,
      h("div", { class: "entity-links" }, ordered.map((entity) =>
        h("a", { class: "entity-link", href: `#/data/${encodeURIComponent(entity.name)}`,
        style: { "--depth": depth(entity) }, data: { entity: entity.name } },
        h("span", { class: entity.abstract ? "entity-name slanted" : "entity-name" }, entity.name),
          h("span", { class: "entity-count" }, "")))));
  }

  markSide() {
    const { view, entity } = this.query;
    for (const link of this.side.querySelectorAll("a")) {
      const isHere = link.dataset.view === view || ((view === "data" || view === "related")
        && link.dataset.entity === entity);
      if (isHere) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  async loadCounts() {
    try {
      const counts = await get("counts");
      for (const link of this.side.querySelectorAll(".entity-link")) {
        const name = link.dataset.entity, place = link.querySelector(".entity-count"), text = count(counts[name] ?? 0);
        if (place.textContent !== text && place.textContent !== "") {
          place.classList.remove("flash"); void place.offsetWidth; place.classList.add("flash"); }
        place.textContent = text;
        this.counts.set(name, counts[name] ?? 0);
      }
    } catch (error) { this.fail(error); }
  }

  // MARK: Live

  heard(message) {
    this.lastChange = message;
    if (message.removed !== undefined) return this.removed(message.removed);
    const who = (message.transactions ?? []).map((transaction) => transaction.author
      ?? transaction.process).filter(Boolean).at(-1);
    this.live(true, who ? `changed by ${who}` : "changed");
    this.changed();
  }

  // The server reads on what it has open, though the file is no more.
  removed(isRemoved) {
    this.isRemoved = isRemoved;
    this.live(true);
    if (isRemoved) {
      this.fail(new Error("The store's file was removed. The page shows what the server still has open; "
        + "nothing can be saved."));
    }
  }

  changed = atMost(200, () => {
    this.view?.changed?.();
    this.panel.refresh();
    this.loadCounts();
    this.edits.load();
  });

  live(isOn, note) {
    const place = document.getElementById("live");
    place.className = `live ${isOn === null ? "" : isOn && !this.isRemoved ? "on" : "off"}`;
    fill(place, h("span", { class: "dot", "aria-hidden": "true" }), h("span", { class: "live-text" },
      isOn === null ? "connecting" : !isOn ? "not connected" : this.isRemoved ? "file removed" : note ?? "live"));
    clearTimeout(this.liveTimer);
    if (note) {
      place.classList.add("pulse");
      this.liveTimer = setTimeout(() => this.live(true), 2500);
    }
  }

  fail(error) {
    if (error.name === "AbortError") return;
    if (error instanceof TypeError || error instanceof ReferenceError) return showScriptError(error);
    toast(error.message, { kind: "error", stay: 9000 });
  }

  // MARK: Keys and looks

  theme() {
    const apply = (name) => { if (name) document.documentElement.dataset.theme = name;
      else delete document.documentElement.dataset.theme; };
    apply(remembered("inspector:theme", null));
    const button = document.getElementById("theme");
    button.append(icon("sun"));
    button.addEventListener("click", () => {
      const isDark = (document.documentElement.dataset.theme
        ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
      apply(isDark ? "light" : "dark");
      remember("inspector:theme", isDark ? "light" : "dark");
    });
    const menu = document.getElementById("menu");
    menu.append(icon("menu"));
    menu.addEventListener("click", () => menu.setAttribute("aria-expanded",
      String(document.body.classList.toggle("menu-open"))));
    document.getElementById("help").append(icon("help"));
    document.getElementById("help").addEventListener("click", () => this.help());
  }

  keys() {
    addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      const isTyping = event.target.matches?.("input, textarea, select");
      if (event.key === "Escape") {
        if (document.body.classList.contains("menu-open")) document.getElementById("menu").click();
        else if (isTyping) event.target.blur();
        else if (this.query.object) { this.go({ object: undefined }); this.view?.grid?.element.focus(); }
        return;
      }
      if (isTyping) return;
      const actions = {
        "/": () => this.view?.filter?.focus?.(), "?": () => this.help(), g: () => this.view?.grid?.element.focus(),
          c: () => this.view?.chart?.toggle(),
        p: () => this.view?.togglePlan?.(), m: () => { location.hash = "#/model"; }, h: () => {
          location.hash = "#/history"; }, s: () => { location.hash = "#/storage"; },
        "[": () => history.back(), "]": () => history.forward(),
      };
      if (!actions[event.key]) return;
      event.preventDefault();
      actions[event.key]();
    });
  }

  help() {
    const keys = [["/", "Filter"], ["g", "Go to the table"], ["↑ ↓ Page Home End", "Move in the table"],
      ["Enter", "Open the object"], ["Space", "Select a row, to delete several together"],
      ["Ctrl+A", "Choose all rows"], ["Alt+← Alt+→", "Move the column of a title"],
      ["Esc", "Close the open panel"], ["[ ]", "Back and forward"], ["c", "Charts"], ["p", "Statement and plan"],
      ["m h s", "Model, history, storage"], ["Tab", "Take a completion"]];
    dialog("Keys", h("dl", { class: "keys" }, keys.map(([key, what]) =>
      [h("dt", {}, key.split(" ").map((part) => h("kbd", {}, part))), h("dd", {}, what)])));
  }
}

const app = new App();
globalThis.inspector = app;
app.start();
