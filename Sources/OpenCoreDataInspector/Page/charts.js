// Charts of a list: objects by day, the distribution of a number, the most frequent values.
import { h, fill, svg, count, plural, atMost } from "./dom.js";
import { get } from "./api.js";
import { kindName, plainText } from "./values.js";

const drawn = new Set(["date", "integer", "number", "decimal", "text", "boolean", "uuid", "uri"]);
const height = 170, margin = { left: 46, right: 10, top: 10, bottom: 24 };

export function chartPanel(list) {
  const entity = list.entity;
  const choices = [
    ...entity.attributes.filter((attribute) => drawn.has(attribute.kind)),
    ...entity.relationships.filter((relationship) => !relationship.toMany).map((relationship) =>
      ({ ...relationship, kind: "toOne" })),
  ];
  const first = choices.find((choice) => choice.kind === "date")
    ?? choices.find((choice) => ["integer", "number", "decimal"].includes(choice.kind)) ?? choices[0];
  const kept = choices.find((choice) => choice.name === list.app.chartKeys.get(entity.name));
  let key = (kept ?? first)?.name, unit = "auto", groups = false, data = null;
  const canvas = h("div", { class: "chart-canvas" });
  const note = h("p", { class: "chart-note", "aria-live": "polite" });
  const property = h("select", { "aria-label": "Property to chart", onchange: () => {
    key = property.value; list.app.chartKeys.set(entity.name, key); groups = false; load(); } },
    choices.map((choice) => h("option", { value: choice.name, selected: choice.name === key },
      `${choice.name} (${kindName(choice.kind)})`)));
  const mode = h("div", { class: "segments", role: "group", "aria-label": "Kind of chart" });
  const element = h("section", { class: "charts", "aria-label": "Charts", hidden: true },
    h("div", { class: "chart-bar" }, property, mode, note), canvas);

  const kind = () => choices.find((choice) => choice.name === key)?.kind;
  const segment = (label, isOn, act) => h("button", { type: "button", "aria-pressed": String(isOn), onclick: act },
    label);

  async function load() {
    if (element.hidden || !key) return;
    const asked = key;
    canvas.setAttribute("aria-busy", "true");
    try {
      const answer = await get("chart", { ...list.arguments, key, as: groups ? "groups" : undefined });
      if (asked !== key) return;
      data = answer;
      draw();
    } catch (error) {
      fill(canvas, h("p", { class: "empty" }, error.message));
    } finally { canvas.removeAttribute("aria-busy"); }
  }

  function draw() {
    const isDate = kind() === "date", isNumber = ["integer", "number", "decimal"].includes(kind());
    fill(mode,
      isDate && ["auto", "day", "week", "month", "year"].map((name) =>
        segment(name, !groups && unit === name, () => {
        unit = name; groups = false; data?.kind === "days" ? draw() : load(); })),
      isNumber && segment("distribution", !groups, () => { groups = false; load(); }),
      (isNumber || isDate) && segment("values", groups, () => { groups = true; load(); }));
    if (data.kind === "days") drawDays();
    else if (data.kind === "numbers") drawNumbers();
    else drawGroups();
  }

  function drawDays() {
    const used = unit === "auto" ? suitable(data.days) : unit;
    const bars = byUnit(data.days, used);
    const dated = plural(bars.reduce((sum, bar) => sum + bar.count, 0), "object");
    note.textContent = `${dated} by ${used}${data.missing ? `, ${count(data.missing)} without a date` : ""}`;
    columns(bars, (bar) => bar.label, `${key} by ${used}`, (bar) =>
      `${quoted(key)} >= ${seconds(bar.from)} AND ${quoted(key)} < ${seconds(bar.to)}`);
  }

  function drawNumbers() {
    // A start beyond the integers that are exact here comes as a string.
    const isLarge = typeof data.start === "string";
    const edge = (index) => isLarge ? BigInt(data.start) + BigInt(index) * BigInt(data.width)
      : data.start + index * data.width;
    const heights = new Map(data.bars), last = data.bars.at(-1)?.[0] ?? -1;
    const bars = Array.from({ length: Math.min(last + 1, 400) }, (_, index) => (
      { from: edge(index), to: edge(index + 1), count: heights.get(index) ?? 0, label: short(Number(edge(index))) }));
    note.textContent = data.bars.length === 0 ? "No values"
      : `from ${short(data.least)} to ${short(data.most)}`
        + (data.missing ? `, ${count(data.missing)} without a value` : "");
    columns(bars, (bar) => `${short(Number(bar.from))} to ${short(Number(bar.to))}`, `Distribution of ${key}`, (bar) =>
      `${quoted(key)} >= ${exact(bar.from)} AND ${quoted(key)} < ${exact(bar.to)}`);
  }

  function columns(bars, title, label, filter) {
    if (bars.length === 0) return fill(canvas, h("p", { class: "empty" }, "There is nothing to show."));
    // As wide as the room that it has, so that its labels have the size of all others.
    const width = Math.max(300, Math.min(1000, canvas.clientWidth));
    const greatest = Math.max(...bars.map((bar) => bar.count), 1);
    const steps = ticks(greatest);
    const scale = (n) => (n / steps.at(-1)) * (height - margin.top - margin.bottom);
    const step = (width - margin.left - margin.right) / bars.length;
    const every = Math.max(1, Math.ceil(bars.length / Math.max(2, Math.floor(width / 90))));
    const base = height - margin.bottom;
    fill(canvas, svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "group",
      "aria-label": `${label}: ${bars.length} bars, at most ${count(greatest)}` },
      steps.map((n) => svg("g", {}, svg("line", { class: "rule", x1: margin.left, x2: width - margin.right,
        y1: base - scale(n), y2: base - scale(n) }),
        svg("text", { class: "axis", x: margin.left - 6, y: base - scale(n) + 3.5, "text-anchor": "end" }, short(n)))),
      // One stop of the Tab key; arrows move from bar to bar.
      bars.map((bar, index) => svg("g", { class: "bar", tabindex: index === 0 ? "0" : "-1", role: "button",
        "aria-label": `${title(bar)}: ${plural(bar.count, "object")}`,
        onclick: () => narrow(filter(bar)), onkeydown: (event) => barKey(event, () => narrow(filter(bar))) },
      svg("title", {}, `${title(bar)}: ${count(bar.count)}`),
      svg("rect", { class: "hit", x: margin.left + index * step, y: margin.top, width: step,
        height: base - margin.top }),
      svg("rect", { class: "fill", x: margin.left + index * step + Math.min(1, step * 0.1), y: base - scale(bar.count),
        width: Math.max(0.8, step - Math.min(2, step * 0.2)), height: bar.count > 0 ? Math.max(1, scale(bar.count)) : 0,
        rx: Math.min(2, step / 4) }),
      index % every === 0 && margin.left + (index + 0.5) * step < width - 28
        && svg("text", { class: "axis", x: margin.left + (index + 0.5) * step, y: height - 8, "text-anchor": "middle" },
        bar.label)))));
  }

  function barKey(event, act) {
    const bars = [...canvas.querySelectorAll(".bar")], index = bars.indexOf(event.currentTarget);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: bars.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") act();
    else if (next === undefined) return;
    else if (bars[next]) {
      event.currentTarget.setAttribute("tabindex", "-1");
      bars[next].setAttribute("tabindex", "0");
      bars[next].focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  function drawGroups() {
    const greatest = Math.max(...data.groups.map(([, n]) => n), 1);
    note.textContent = plural(data.groups.length, "value")
      + (data.rest > 0 ? ` shown; ${count(data.rest)} objects have other values` : "");
    if (data.groups.length === 0) return fill(canvas, h("p", { class: "empty" }, "There is nothing to show."));
    fill(canvas, h("ul", { class: "groups" }, data.groups.map(([value, n]) => h("li", {},
      h("button", { type: "button", onclick: () => narrow(equals(value)) },
        h("span", { class: value === null ? "group-name nil" : "group-name" }, plainText(value)),
        h("span", { class: "group-bar" }, h("span", { style: { "--share": `${(100 * n) / greatest}%` } })),
        h("span", { class: "group-count" }, count(n)))))));
  }

  function equals(value) {
    if (value === null) return `${quoted(key)} == nil`;
    if (typeof value === "object" && "id" in value) return `${quoted(key)} == ${JSON.stringify(value.id)}`;
    if (kind() === "boolean") return `${quoted(key)} == ${value ? "YES" : "NO"}`;
    if (kind() === "date") return `${quoted(key)} == ${seconds(value)}`;
    const text = plainText(value);
    return ["integer", "number", "decimal"].includes(kind()) ? `${quoted(key)} == ${text}`
      : `${quoted(key)} == ${JSON.stringify(text)}`;
  }

  // Adds a condition to the filter of the list.
  function narrow(condition) {
    const where = list.arguments.where;
    list.app.go({ where: where ? `(${where}) AND ${condition}` : condition });
  }

  return {
    element,
    toggle() {
      element.hidden = !element.hidden;
      this.button?.setAttribute("aria-expanded", String(!element.hidden));
      list.app.chartsOpen = !element.hidden;
      load();
    },
    changed: atMost(1500, load),
  };
}

const quoted = (key) => key;
const exact = (n) => typeof n === "bigint" || Number.isInteger(n) ? String(n) : Number(n.toPrecision(15)).toString();
// Dates of a predicate are casts of seconds since 2001, which every version of the language reads.
const seconds = (iso) => `CAST(${(new Date(iso).getTime() - Date.UTC(2001, 0, 1)) / 1000}, "NSDate")`;

function short(n) {
  const size = Math.abs(n);
  if (size >= 1e9) return `${+(n / 1e9).toPrecision(3)}G`;
  if (size >= 1e6) return `${+(n / 1e6).toPrecision(3)}M`;
  if (size >= 1e4) return `${+(n / 1e3).toPrecision(3)}k`;
  return String(+n.toPrecision(4));
}

function ticks(greatest) {
  const power = 10 ** Math.floor(Math.log10(greatest));
  // Counts are whole numbers, and so are their steps.
  const whole = [1, 2, 5, 10].map((n) => (n * power) / 2).find((n) => Number.isInteger(n) && greatest / n <= 5)
    ?? Math.max(1, power);
  return Array.from({ length: Math.ceil(greatest / whole) + 1 }, (_, index) => index * whole);
}

function suitable(days) {
  if (days.length === 0) return "day";
  const span = (new Date(days.at(-1)[0]) - new Date(days[0][0])) / 86400000;
  return span <= 120 ? "day" : span <= 800 ? "week" : span <= 3660 ? "month" : "year";
}

// Days into weeks, months or years, with the empty ones between.
export function byUnit(days, unit) {
  const start = (day) => {
    const date = new Date(`${day}T00:00:00Z`);
    if (unit === "week") date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
    if (unit === "month" || unit === "year") date.setUTCDate(1);
    if (unit === "year") date.setUTCMonth(0);
    return date;
  };
  const next = (date) => {
    const after = new Date(date);
    if (unit === "day") after.setUTCDate(after.getUTCDate() + 1);
    if (unit === "week") after.setUTCDate(after.getUTCDate() + 7);
    if (unit === "month") after.setUTCMonth(after.getUTCMonth() + 1);
    if (unit === "year") after.setUTCFullYear(after.getUTCFullYear() + 1);
    return after;
  };
  const sums = new Map();
  for (const [day, n] of days) {
    const date = start(day).getTime();
    if (!isNaN(date)) sums.set(date, (sums.get(date) ?? 0) + n);
  }
  const known = [...sums.keys()].sort((a, b) => a - b);
  const bars = [];
  for (let date = new Date(known[0]); known.length > 0 && date <= known.at(-1) && bars.length < 1200;
    date = next(date)) {
    const iso = date.toISOString();
    bars.push({ from: iso, to: next(date).toISOString(), count: sums.get(date.getTime()) ?? 0, label: unit === "year"
      ? iso.slice(0, 4) : unit === "month" ? iso.slice(0, 7) : iso.slice(0, 10) });
  }
  return bars;
}
