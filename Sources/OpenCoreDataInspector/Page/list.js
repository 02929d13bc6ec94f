// A list of objects: the table, its filter, columns, charts and plan.
import { h, fill, icon, iconButton, popover, count, time, remembered, remember, atMost } from "./dom.js";
import { get } from "./api.js";
import { kindName, plainText } from "./values.js";
import { Grid, pageSize } from "./grid.js";
import { filterBox, searchPredicate } from "./filter.js";
import { chartPanel } from "./charts.js";
import { exportBox } from "./export.js";

const widths = { id: 110, text: 230, integer: 96, number: 104, decimal: 104, boolean: 84, date: 168, uuid: 290,
  uri: 220, data: 96, toOne: 180, toMany: 92 };
const narrow = new Set(["ofSubentity"]);
const mostChosen = 5000;

export function columnsOf(entity) {
  const identifier = { name: "objectID", kind: "id", sortable: true };
  const attributes = entity.attributes.map((attribute) => ({
    name: attribute.name, kind: attribute.kind, isNumeric: ["integer", "number", "decimal"].includes(attribute.kind),
    sortable: !["data", "transformable", "other"].includes(attribute.kind)
      && !(attribute.kind === "composite" && attribute.cases),
  }));
  // What people call an object comes first, what is hard to read last.
  const rank = (column) => column.name === entity.label ? -1
    : ["uuid", "uri", "data", "composite", "transformable", "other"].indexOf(column.kind) + 1;
  attributes.sort((a, b) => rank(a) - rank(b));
  const relationships = entity.relationships.map((relationship) => ({
    name: relationship.name, kind: relationship.toMany ? "toMany" : "toOne", isNumeric: relationship.toMany,
      sortable: false,
  }));
  const others = (entity.ofSubentities ?? []).map((name) =>
    ({ name, kind: "ofSubentity", sortable: false, isExtra: true }));
  return [identifier, ...attributes, ...relationships, ...others];
}

export class ListView {
  // `query` is { entity, where, sort, of, via, object }; `go` changes parts of it in the address.
  constructor(app, query) {
    this.app = app;
    this.query = query;
    this.entity = app.entities.get(query.entity);
    this.memory = `inspector:${app.info.uuid ?? app.info.path}:${query.entity}`;
    this.all = columnsOf(this.entity);
    // Pages that come with the one before.
    this.joined = new Map();
    this.addPaths();
    this.build();
    this.load();
  }

  get arguments() {
    const { entity, sort, of, via } = this.query;
    const where = searchPredicate(this.query.where, this.entity) ?? this.query.where;
    return of ? { of, via, where, sort } : { entity, where, sort };
  }

  get title() {
    const { of, via } = this.query;
    return of ? `${via} of ${of}` : this.entity.name;
  }

  build() {
    this.grid = new Grid({ page: (number, signal, isNew) => this.page(number, signal, isNew) }, {
      open: (row) => this.app.go({ object: row.id }),
      sort: (column) => this.sort(column),
      resize: () => this.saveColumns(),
      move: (column, index) => this.moveColumn(column, index),
      failed: (error) => this.fail(error),
      chosen: this.app.info.writable ? (chosen) => this.showChosen(chosen) : undefined,
      identifiers: (first, number) => this.identifiers(first, number),
    });
    this.chosenBar = h("span", { class: "chosen-bar", role: "status" });
    this.filter = filterBox({
      entity: this.entity, entities: this.app.entities, value: this.query.where, apply: (where) => this.filterBy(where),
    });
    this.countText = h("span", { class: "status-count" });
    this.timeText = h("span", { class: "status-time" });
    this.planButton = h("button", { type: "button", class: "plan-chip", "aria-label": "Statement, plan and time",
      hidden: true, onclick: () => this.togglePlan() });
    this.planPanel = h("section", { class: "plan", "aria-label": "Statement and plan", hidden: true });
    this.chart = chartPanel(this);
    const columns = iconButton("columns", "Columns");
    popover(columns, () => this.columnChooser());
    const download = iconButton("download", "Export this list");
    popover(download, (close) => exportBox(this, close));
    const { of } = this.query;
    this.element = h("div", { class: "view list-view" },
      h("div", { class: "bar" },
        h("h1", { class: "title" }, of
          ? [h("a", { href: `#/object/${of}` }, of), h("span", { class: "of" }, icon("chevron"), this.query.via)]
          : [this.entity.name, this.entity.abstract && h("span", { class: "tag" }, "abstract")]),
        this.filter.element,
        h("div", { class: "bar-buttons" },
          this.app.info.writable && !this.entity.abstract && !of
            && iconButton("add", `New ${this.entity.name}`, () => this.app.edits.create(this.entity.name)),
          iconButton("chart", "Charts", () => this.chart.toggle(), { "aria-expanded": "false" }), download, columns)),
      this.filter.message, this.chart.element, h("div", { class: "grid-frame" }, this.grid.element), this.planPanel,
      h("div", { class: "status" }, this.countText, this.timeText, this.planButton, this.chosenBar));
    this.chart.button = this.element.querySelector('[aria-label="Charts"]');
    this.applyColumns();
  }

  // MARK: Columns

  // A predicate that isn't whole yet is marked, and the list stays.
  async filterBy(where) {
    const asked = this.filtering = {};
    try {
      const predicate = searchPredicate(where, this.entity) ?? where;
      if (predicate) await get("filter", { ...this.arguments, where: predicate, sort: undefined });
      if (this.filtering === asked) this.app.go({ where });
    } catch (error) {
      if (this.filtering !== asked) return;
      if (error.position !== undefined || error.status === 422) this.filter.showError(error);
      else this.app.fail(error);
    }
  }

  addPaths() {
    for (const name of remembered(this.memory, {}).paths ?? []) {
      if (!this.all.some((column) => column.name === name)) this.all.push({ name, kind: "path", sortable: false });
    }
  }

  applyColumns() {
    const saved = remembered(this.memory, {});
    const shown = saved.shown ?? this.all.filter((column) => !column.isExtra && !narrow.has(column.kind)).slice(0,
      14).map((column) => column.name);
    for (const column of this.all) column.width = saved.widths?.[column.name] ?? widths[column.kind] ?? 180;
    this.columns = shown.map((name) => this.all.find((column) => column.name === name)).filter(Boolean);
    if (this.columns.length === 0) this.columns = [this.all[0]];
    const [key, direction] = (this.query.sort ?? "").split(":");
    this.grid.setColumns(this.columns, key ? { key, descending: direction === "desc" } : undefined);
  }

  // A shortened number reads as another number, and an identifier ends with one: the column grows, unless the user
  // chose its width.
  fitNumbers(rows) {
    const chosen = remembered(this.memory, {}).widths ?? {};
    let hasGrown = false;
    this.columns.forEach((column, index) => {
      const isIdentifier = column.kind === "id";
      if (!(column.isNumeric || isIdentifier) || chosen[column.name] !== undefined) return;
      const longest = Math.max(0, ...rows.map((row) => plainText(row.cells[index]).length));
      const width = isIdentifier ? Math.min(320, 24 + Math.ceil(longest * 7.3))
        : Math.min(240, 24 + Math.ceil(longest * 8.2));
      if (width > column.width) { column.width = width; hasGrown = true; }
    });
    if (hasGrown) this.grid.layOut();
  }

  saveColumns(shown = this.columns.map((column) => column.name)) {
    remember(this.memory, {
      shown, widths: Object.fromEntries(this.all.map((column) => [column.name, column.width])),
      paths: this.all.filter((column) => column.kind === "path").map((column) => column.name),
    });
  }

  showChosen(chosen) {
    fill(this.chosenBar, chosen.size > 0 && [h("b", {}, `${count(chosen.size)} chosen`),
      h("button", { type: "button", class: "quiet", onclick: () => {
        const ids = [...chosen]; this.grid.chooseNone(); this.app.edits.deleteAll(ids); } }, "Delete…"),
      chosen.size < this.grid.total && h("button", { type: "button", class: "quiet", onclick: () =>
        this.grid.choose(0, this.grid.total - 1, true) }, `Choose all ${count(this.grid.total)}`),
      h("button", { type: "button", class: "quiet", onclick: () => this.grid.chooseNone() }, "Choose none")]);
  }

  // The identifiers of rows that aren't all kept; no more of them than can be reviewed.
  async identifiers(first, number) {
    if (number > mostChosen) {
      this.app.fail(new Error(`At most ${count(mostChosen)} rows can be chosen together; a filter makes the list `
        + "shorter."));
      return [];
    }
    const ids = [], generation = this.generation, step = 500;
    this.grid.element.setAttribute("aria-busy", "true");
    try {
      for (let beside = {}; ids.length < number;) {
        const { rows, tiesAtEnd } = await get("rows", { ...this.arguments, columns: "objectID",
          offset: first + ids.length, limit: Math.min(step, number - ids.length), total: this.total, ...beside });
        if (generation !== this.generation) return [];
        if (rows.length === 0) break;
        ids.push(...rows.map((row) => row.id));
        beside = tiesAtEnd ? { after: ids.at(-1), ties: tiesAtEnd } : {};
      }
      return ids;
    } catch (error) {
      this.app.fail(error);
      return [];
    } finally { this.grid.element.setAttribute("aria-busy", "false"); }
  }

  moveColumn(column, index) {
    const order = this.columns.map((column) => column.name).filter((name) => name !== column.name);
    order.splice(index, 0, column.name);
    this.saveColumns(order);
    this.applyColumns();
    this.load();
  }

  // The shown columns first, in their order, and then the others.
  columnChooser() {
    const choices = h("div", { class: "choices" });
    const change = (shown) => { this.saveColumns(shown); this.applyColumns(); this.load(); draw(); };
    const names = () => this.columns.map((column) => column.name);
    const move = (column, step) => {
      this.moveColumn(column, names().indexOf(column.name) + step);
      draw();
      choices.querySelector(`[aria-label="Move ${CSS.escape(column.name)} ${step < 0 ? "left" : "right"}"]`)?.focus();
    };
    const box = (column, index) => h("div", { class: "choice" },
      h("label", {}, h("input", { type: "checkbox", data: { column: column.name },
        checked: this.columns.includes(column), onchange: (event) => {
        change(event.target.checked ? [...names(), column.name] : names().filter((name) => name !== column.name));
        choices.querySelector(`input[data-column="${CSS.escape(column.name)}"]`)?.focus();
      } }), h("span", {}, column.name), h("span", { class: "note" }, kindName(column.kind))),
      this.columns.includes(column) && [
        iconButton("up", `Move ${column.name} left`, () => move(column, -1), { disabled: index === 0 }),
        iconButton("down", `Move ${column.name} right`, () => move(column, 1),
          { disabled: index === this.columns.length - 1 })]);
    const draw = () => fill(choices, [...this.columns,
      ...this.all.filter((column) => !this.columns.includes(column))].map(box));
    draw();
    const path = h("input", { type: "text", placeholder: "author.name", "aria-label": "Key path of another column",
      spellcheck: "false" });
    const form = h("form", { class: "add-path", onsubmit: (event) => {
      event.preventDefault();
      const name = path.value.trim();
      if (name === "" || this.all.some((column) => column.name === name)) return;
      this.all.push({ name, kind: "path", sortable: false });
      change([...this.columns.map((column) => column.name), name]);
    } }, path, h("button", { type: "submit", class: "quiet" }, "Add"));
    return h("div", { class: "chooser" }, h("h2", {}, "Columns"), choices, form,
      h("button", { type: "button", class: "quiet", onclick: () => {
        remember(this.memory, {}); this.all = columnsOf(this.entity); this.applyColumns(); this.load(); draw(); } },
        "Reset"));
  }

  sort(column) {
    const [key, direction] = (this.query.sort ?? "").split(":");
    const next = key !== column.name ? column.name : direction === "desc" ? undefined : `${column.name}:desc`;
    this.app.go({ sort: next });
  }

  // MARK: Rows

  async page(number, signal, isNew = true) {
    const joined = this.joined.get(number);
    this.joined.delete(number);
    if (joined && !joined.signal.aborted) return joined.rows;
    const beside = isNew ? this.beside(number) : {};
    // After a jump two pages are wanted at once, and finding each takes as long as finding both.
    const isPair = isNew && beside.ties === undefined && this.grid.isWanted(number + 1);
    const rows = this.ask(number * pageSize, isPair ? 2 * pageSize : pageSize, beside, signal);
    if (!isPair) return rows;
    const rest = rows.then((rows) => Object.assign(rows.slice(pageSize), { ties: { end: rows.ties.end } }));
    rest.catch(() => {});
    this.joined.set(number + 1, { rows: rest, signal });
    // It is taken at once, or was scrolled past.
    setTimeout(() => this.joined.delete(number + 1), 50);
    return rows.then((rows) => Object.assign(rows.slice(0, pageSize), { ties: { start: rows.ties.start } }));
  }

  async ask(offset, limit, beside, signal) {
    const answer = await get("rows", { ...this.arguments, columns: this.columns.map((column) => column.name).join(","),
      offset, limit, total: this.total, ...beside }, signal);
    this.timeText.textContent = time(answer.milliseconds);
    this.fitNumbers(answer.rows);
    answer.rows.ties = { start: answer.tiesAtStart, end: answer.tiesAtEnd };
    return answer.rows;
  }

  // A row beside a page that is known, by which the store finds the page however deep it lies.
  beside(number) {
    const [before, after] = [this.grid.current(number - 1), this.grid.current(number + 1)];
    if (before?.length === pageSize && before.ties.end) return { after: before.at(-1).id, ties: before.ties.end };
    if (after?.length > 0 && after.ties.start) return { before: after[0].id, ties: after.ties.start };
    return {};
  }

  async load() {
    this.generation = (this.generation ?? 0) + 1;
    const generation = this.generation;
    this.grid.element.setAttribute("aria-busy", "true");
    try {
      const rows = await this.page(0);
      if (generation !== this.generation) return;
      this.filter.showError(null);
      this.setEmpty(rows.length === 0);
      // Before the grid asks for them itself.
      this.grid.adopt(0, rows);
      if (rows.length > this.grid.total || rows.length < pageSize) this.grid.setTotal(rows.length);
      this.countText.textContent = rows.length < pageSize ? this.countLabel(rows.length) : "counting…";
      performance.measure("inspector first page", { start: this.app.navigated, end: performance.now() });
      await this.loadCount(generation);
    } catch (error) {
      if (generation === this.generation) this.fail(error);
    } finally {
      this.grid.element.setAttribute("aria-busy", "false");
    }
    // The plan asks once more; where the reader goes next comes before that.
    setTimeout(() => {
      if (generation === this.generation) this.explain(generation).catch((error) => this.fail(error));
    }, this.total > 100000 ? 3000 : 0);
  }

  async loadCount(generation = this.generation) {
    const { count: total } = await get("count", this.arguments);
    if (generation !== this.generation) return;
    this.total = total;
    this.grid.setTotal(total);
    this.setEmpty(total === 0);
    this.countText.textContent = this.countLabel(total);
  }

  countLabel(total) {
    const isSearch = searchPredicate(this.query.where, this.entity) !== undefined;
    return `${count(total)} ${total === 1 ? "object" : "objects"}${isSearch ? ` with “${this.query.where}”` : ""}`;
  }

  setEmpty(isEmpty) {
    this.element.querySelector(".grid-frame > .empty")?.remove();
    if (!isEmpty) return;
    this.element.querySelector(".grid-frame").append(h("p", { class: "empty" }, this.query.where
      ? "No object matches the filter." : "There are no objects here yet."));
  }

  fail(error) {
    if (error.name === "AbortError") return;
    if (this.query.where && (error.position !== undefined || error.status === 422)) {
      this.filter.showError(error);
      this.grid.setTotal(0);
      this.countText.textContent = "";
      this.timeText.textContent = "";
      this.planButton.hidden = true;
    } else {
      this.app.fail(error);
    }
  }

  // MARK: Plan

  async explain(generation) {
    this.plan = await get("explain", { ...this.arguments, limit: pageSize });
    if (generation !== this.generation) return;
    const statement = this.plan.statements[0];
    this.planButton.hidden = !statement;
    if (!statement) return;
    const texts = { index: "index used", order: "in table order", scan: "full table scan",
      sort: "sorted without index" };
    this.planButton.className = `plan-chip ${statement.verdict}`;
    fill(this.planButton, icon("plan"), texts[statement.verdict]);
    if (!this.planPanel.hidden) this.showPlan();
  }

  togglePlan() {
    this.planPanel.hidden = !this.planPanel.hidden;
    this.planButton.setAttribute("aria-expanded", String(!this.planPanel.hidden));
    if (!this.planPanel.hidden) this.showPlan();
  }

  showPlan() {
    if (!this.plan) {
      fill(this.planPanel, h("p", { class: "note" }, "Loading the plan…"));
      return;
    }
    fill(this.planPanel, this.plan.statements.map((statement) => h("div", { class: "plan-statement" },
      h("div", { class: "plan-facts" },
        ...[["time", time(this.plan.milliseconds)], ["returned", count(statement.returned)],
          ["scanned", count(statement.scanned)],
          ["sorts", count(statement.sorts)], ["instructions", count(statement.instructions)]].map(([name, value]) =>
          h("span", { class: "fact" }, h("span", { class: "note" }, name), " ", value)),
        iconButton("close", "Close the plan", () => this.togglePlan())),
      h("pre", { class: "sql" }, statement.sql),
      h("ul", { class: "steps" }, statement.plan.map((step) => h("li", {
        style: { "--depth": step.depth }, class: /^SCAN(?!.*INDEX)|TEMP B-TREE/.test(step.detail) ? "slow" : "fast",
      }, step.detail))))));
  }

  // MARK: Live

  changed = atMost(250, () => {
    this.grid.refresh();
    this.loadCount().catch(() => {});
    this.chart.changed();
  });

  setQuery(query) {
    const { object: _, ...old } = this.query;
    const { object, ...next } = query;
    if (JSON.stringify(old) !== JSON.stringify(next)) return false;
    this.query = query;
    this.grid.setOpen(object);
    return true;
  }

  close() { this.generation = -1; this.grid.close(); }
}
