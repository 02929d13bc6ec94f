// A table of any length: it has elements for what can be seen, and asks for the rows of these alone.
import { h } from "./dom.js";
import { cell } from "./values.js";

const rowHeight = 28;
// Browsers lose their way in elements higher than this; longer tables scroll in proportion.
const greatestHeight = 8000000;
export const pageSize = 100;
const keptPages = 40;

export class Grid {
  // `source.page(number, signal)` gives the rows of a page; `events` has `open`, `sort`, `resize`, `select`.
  constructor(source, events) {
    this.source = source;
    this.events = events;
    this.columns = [];
    this.total = 0;
    this.top = 0;
    this.active = -1;
    // Identifiers of the chosen rows, which can be deleted together.
    this.chosen = new Set();
    this.pages = new Map();
    this.requests = new Map();
    this.shown = new Map();
    this.head = h("div", { class: "grid-head", role: "row", "aria-rowindex": "1" });
    this.body = h("div", { class: "grid-body", role: "rowgroup" });
    this.element = h("div", {
      class: "grid", role: "grid", tabindex: "0", "aria-label": "Objects", "aria-multiselectable": events.chosen
        ? "true" : undefined,
      onkeydown: (event) => this.key(event), onclick: (event) => this.click(event),
      onfocus: () => { if (this.active < 0 && this.total > 0) this.activate(Math.ceil(this.top)); },
    }, h("div", { role: "rowgroup", class: "grid-top" }, this.head), this.body);
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.observer = new ResizeObserver(() => this.render());
    this.observer.observe(this.element);
  }

  get visible() { return Math.max(1, (this.element.clientHeight - rowHeight) / rowHeight); }
  get height() { return Math.min(this.total * rowHeight, greatestHeight); }
  get isScaled() { return this.total * rowHeight > greatestHeight; }
  get lastTop() { return Math.max(0, this.total - this.visible); }

  setColumns(columns, sort) {
    this.columns = columns;
    this.sort = sort;
    this.layOut();
    this.element.setAttribute("aria-colcount", String(columns.length));
    this.head.replaceChildren(...columns.map((column, index) => this.header(column, index)));
    this.clear();
  }

  // Gives the columns their widths.
  layOut() {
    this.element.style.setProperty("--columns", this.columns.map((column) => `${column.width}px`).join(" "));
    this.element.style.setProperty("--width", `${this.columns.reduce((sum, column) => sum + column.width, 0)}px`);
  }

  setTotal(total) {
    this.total = total;
    this.element.setAttribute("aria-rowcount", String(total + 1));
    this.body.style.height = `${this.height}px`;
    if (this.active >= total) this.active = total - 1;
    if (this.top > this.lastTop) this.scrollTo(this.lastTop);
    this.render();
  }

  clear() {
    for (const request of this.requests.values()) request.abort();
    this.requests.clear();
    this.pages.clear();
    this.shown.forEach((row) => row.remove());
    this.shown.clear();
    this.render();
  }

  // Asks once more for what is shown, and lets what has changed flash.
  refresh() {
    for (const page of this.pages.values()) page.isOld = true;
    this.render();
  }

  adopt(number, rows) { this.pages.set(number, { rows, isOld: false }); this.render(); }

  // MARK: Scrolling

  scrolled() {
    if (this.ownScroll === this.element.scrollTop) return;
    const range = this.height - (this.element.clientHeight - rowHeight);
    this.top = this.isScaled ? (range <= 0 ? 0 : this.element.scrollTop / range) * this.lastTop
      : this.element.scrollTop / rowHeight;
    this.render();
  }

  // In a table that scrolls in proportion one turn of the wheel would pass over thousands of rows.
  wheel(event) {
    if (!this.isScaled || event.deltaY === 0 || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? event.deltaY : event.deltaMode === 2 ? event.deltaY * this.visible
      : event.deltaY / rowHeight;
    this.scrollTo(this.top + lines);
  }

  scrollTo(top) {
    this.top = Math.max(0, Math.min(top, this.lastTop));
    const range = this.height - (this.element.clientHeight - rowHeight);
    this.element.scrollTop = this.isScaled ? (this.lastTop === 0 ? 0 : (this.top / this.lastTop) * range)
      : this.top * rowHeight;
    this.ownScroll = this.element.scrollTop;
    this.render();
  }

  // MARK: Rows

  // The rows of a page that is known and not being asked for once more.
  current(number) {
    const page = this.pages.get(number);
    return page && !page.isOld && !this.requests.has(number) ? page.rows : undefined;
  }

  row(index) { return this.pages.get(Math.floor(index / pageSize))?.rows[index % pageSize]; }

  render() {
    const first = Math.max(0, Math.floor(this.top) - 2);
    const last = Math.min(this.total - 1, Math.ceil(this.top + this.visible) + 2);
    for (const [index, element] of this.shown) {
      if (index < first || index > last) { element.remove(); this.shown.delete(index); }
    }
    for (let index = first; index <= last; index++) {
      let element = this.shown.get(index);
      if (!element) {
        element = h("div", { class: "row", role: "row", id: `row-${index}`, "aria-rowindex": index + 2 });
        element.dataset.index = index;
        this.shown.set(index, element);
        this.body.append(element);
      }
      const y = this.isScaled ? this.element.scrollTop + (index - this.top) * rowHeight : index * rowHeight;
      element.style.transform = `translateY(${Math.round(y)}px)`;
      element.classList.toggle("active", index === this.active);
      element.classList.toggle("chosen", this.chosen.has(this.row(index)?.id));
      element.setAttribute("aria-selected", String(this.chosen.size > 0 ? this.chosen.has(this.row(index)?.id)
        : index === this.active));
      this.fillRow(element, this.row(index));
    }
    for (let page = Math.floor(first / pageSize); page <= Math.floor(Math.max(first, last) / pageSize) && last >= 0;
      page++) this.need(page);
  }

  fillRow(element, row) {
    if (element.content === row && element.childElementCount === this.columns.length) return;
    element.content = row;
    element.classList.toggle("open", row !== undefined && row.id === this.openID);
    element.replaceChildren(...this.columns.map((column, index) => h("div", {
      class: ["cell", column.kind, column.isNumeric && "numeric", !row && "waiting",
        row?.changed?.includes(index) && "flash"].filter(Boolean).join(" "),
      role: "gridcell", "aria-colindex": index + 1,
    }, row && cell(row.cells[index], column, row))));
    if (row) { element.classList.toggle("fresh", row.isNew === true); row.changed = undefined; row.isNew = false; }
  }

  setOpen(id) {
    this.openID = id;
    for (const element of this.shown.values()) element.classList.toggle("open", element.content?.id === id
      && id !== undefined);
  }

  // Whether a page that isn't known is being waited for.
  isWanted(number) { return this.requests.has(number) && !this.pages.has(number); }

  need(number) {
    const known = this.pages.get(number);
    if ((known && !known.isOld) || this.requests.has(number)) return;
    const request = new AbortController();
    this.requests.set(number, request);
    // A page that was scrolled past before its turn is not asked for.
    const wait = known || this.pages.size === 0 ? 0 : 40;
    setTimeout(async () => {
      try {
        if (wait > 0 && !this.isNear(number)) return;
        if (known) known.isOld = false;
        const rows = await this.source.page(number, request.signal, known === undefined);
        if (request.signal.aborted) return;
        if (known) this.compare(known.rows, rows);
        this.pages.delete(number);
        this.pages.set(number, { rows, isOld: known?.isOld ?? false });
        if (this.pages.size > keptPages) this.forget();
      } catch (error) {
        if (error.name !== "AbortError") this.events.failed?.(error);
        return;
      } finally {
        if (this.requests.get(number) === request) this.requests.delete(number);
      }
      this.render();
    }, wait);
  }

  isNear(page) {
    return page >= Math.floor(this.top / pageSize) - 1 && page <= Math.floor((this.top + this.visible) / pageSize) + 1;
  }

  forget() {
    for (const number of [...this.pages.keys()]) {
      if (this.pages.size <= keptPages / 2) return;
      if (!this.isNear(number)) this.pages.delete(number);
    }
  }

  compare(old, rows) {
    const before = new Map(old.map((row) => [row.id, row]));
    for (const row of rows) {
      const known = before.get(row.id);
      if (!known) { row.isNew = true; continue; }
      row.changed = row.cells.flatMap((value, index) => JSON.stringify(value) === JSON.stringify(known.cells[index])
        ? [] : [index]);
    }
  }

  // MARK: Headers

  header(column, index) {
    const sorted = this.sort?.key === column.name;
    const label = h("button", {
      type: "button", class: "head-label", disabled: column.sortable ? undefined : true,
      title: column.sortable ? `Sort by ${column.name}` : column.name,
      onclick: (event) => { event.stopPropagation(); if (!this.wasDragged) this.events.sort(column); },
    }, h("span", {}, column.name), sorted && h("span", { class: "direction", "aria-hidden": "true" },
      this.sort.descending ? "▼" : "▲"));
    label.addEventListener("pointerdown", (event) => this.drag(event, column, label));
    label.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const target = index + step;
      if (!event.altKey || step === undefined || !this.events.move) return;
      event.preventDefault();
      if (target < 0 || target >= this.columns.length) return;
      this.events.move(column, target);
      this.head.children[target]?.querySelector(".head-label").focus();
    });
    const handle = h("span", { class: "handle", "aria-hidden": "true" });
    handle.addEventListener("pointerdown", (event) => this.resize(event, column, handle));
    return h("div", {
      class: `head-cell${column.isNumeric ? " numeric" : ""}`, role: "columnheader", "aria-colindex": index + 1,
      "aria-sort": sorted ? (this.sort.descending ? "descending" : "ascending") : column.sortable ? "none" : undefined,
    }, label, handle);
  }

  // A title that is dragged takes its column along; the line shows where it would be put.
  drag(event, column, label) {
    this.wasDragged = false;
    if (event.button !== 0 || event.pointerType === "touch" || !this.events.move) return;
    const start = event.clientX, cells = [...this.head.children];
    let target = null;
    const end = () => {
      label.removeEventListener("pointermove", move);
      for (const cell of cells) cell.classList.remove("before", "after");
    };
    const move = (next) => {
      if (!this.wasDragged && Math.abs(next.clientX - start) < 6) return;
      this.wasDragged = true;
      const own = this.columns.indexOf(column);
      const at = cells.findIndex((cell) => next.clientX < cell.getBoundingClientRect().right);
      target = at < 0 ? cells.length - 1 : at;
      cells.forEach((cell, index) => {
        cell.classList.toggle("before", index === target && target < own);
        cell.classList.toggle("after", index === target && target > own);
      });
    };
    label.setPointerCapture(event.pointerId);
    label.addEventListener("pointermove", move);
    label.addEventListener("pointerup", () => {
      end();
      if (this.wasDragged && target !== null) this.events.move(column, target);
    }, { once: true });
    label.addEventListener("pointercancel", end, { once: true });
  }

  resize(event, column, handle) {
    event.preventDefault();
    event.stopPropagation();
    const start = event.clientX, width = column.width;
    handle.setPointerCapture(event.pointerId);
    const move = (next) => {
      column.width = Math.max(48, Math.min(900, Math.round(width + next.clientX - start)));
      this.layOut();
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", () => {
      handle.removeEventListener("pointermove", move); this.events.resize(column); }, { once: true });
  }

  // MARK: Choosing

  click(event) {
    if (event.target.closest("a, button")) return;
    const element = event.target.closest(".row");
    if (!element) return;
    const index = Number(element.dataset.index), former = this.active;
    this.activate(index);
    if (this.events.chosen && event.shiftKey) this.choose(Math.min(former, index), Math.max(former, index), true);
    else if (this.events.chosen && (event.ctrlKey || event.metaKey)) this.choose(index, index,
      !this.chosen.has(this.row(index)?.id));
    else this.open();
  }

  // Rows that were scrolled past, and are not kept, are asked for.
  async choose(first, last, isChosen) {
    const start = Math.max(0, first), rows = Array.from({ length: last - start + 1 }, (_, n) => this.row(start + n));
    const ids = rows.every(Boolean) ? rows.map((row) => row.id) : await this.events.identifiers(start, rows.length);
    for (const id of ids ?? []) { if (isChosen) this.chosen.add(id); else this.chosen.delete(id); }
    this.events.chosen(this.chosen);
    this.render();
  }

  chooseNone() {
    this.chosen.clear();
    this.events.chosen?.(this.chosen);
    this.render();
  }

  open() {
    const row = this.row(this.active);
    if (row) this.events.open(row);
  }

  activate(index) {
    if (this.total === 0) return;
    this.active = Math.max(0, Math.min(index, this.total - 1));
    if (this.active < this.top) this.scrollTo(this.active);
    else if (this.active > this.top + this.visible - 1) this.scrollTo(this.active - this.visible + 1);
    else this.render();
    this.element.setAttribute("aria-activedescendant", `row-${this.active}`);
  }

  key(event) {
    if (event.target !== this.element || event.altKey) return;
    if (event.key === "a" && (event.ctrlKey || event.metaKey) && this.events.chosen) {
      event.preventDefault();
      return this.choose(0, this.total - 1, true);
    }
    if (event.metaKey) return;
    const page = Math.floor(this.visible) - 1;
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, j: 1, k: -1 };
    if (event.key in moves && !event.ctrlKey) this.activate(this.active + moves[event.key]);
    else if (event.key === "Home") this.activate(0);
    else if (event.key === "End") this.activate(this.total - 1);
    else if (event.key === " " && this.events.chosen) this.choose(this.active, this.active,
      !this.chosen.has(this.row(this.active)?.id));
    else if (event.key === "Enter" || event.key === " ") this.open();
    else if (event.key === "ArrowRight") this.element.scrollLeft += 80;
    else if (event.key === "ArrowLeft") this.element.scrollLeft -= 80;
    else return;
    event.preventDefault();
  }

  close() {
    this.observer.disconnect();
    for (const request of this.requests.values()) request.abort();
  }
}
