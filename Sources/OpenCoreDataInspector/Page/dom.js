// Elements, icons, numbers. Strings reach the page through text nodes alone, so that nothing of a store is ever markup.

export function h(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "style") for (const [name, v] of Object.entries(value)) element.style.setProperty(name, v);
    else if (key === "data") Object.assign(element.dataset, value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

export function svg(name, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, String(value));
  }
  return append(element, children);
}

const paths = {
  menu: "M3 5h14M3 10h14M3 15h14",
  table: "M3 4h14v12H3zM3 8h14M8 8v8",
  model: "M3 3h6v5H3zM11 12h6v5h-6zM6 8v6.500h5",
  history: "M10 5.500V10l3 2M3.500 10a6.500 6.500 0 1 0 2-4.700M3.500 3.500v3h3",
  storage: "M4 5.500C4 4.100 6.700 3 10 3s6 1.100 6 2.500S13.300 8 10 8 4 6.900 4 5.500zM4 5.500v9C4 15.900 "
    + "6.700 17 10 17s6-1.100 6-2.500v-9M4 10c0 1.400 2.700 2.500 6 2.500s6-1.100 6-2.500",
  close: "M5 5l10 10M15 5L5 15",
  columns: "M3 4h14v12H3zM8 4v12M12.500 4v12",
  chart: "M4 16V9M8 16V4M12 16v-5M16 16V7",
  plan: "M11 3L5 11h4.500L9 17l6-8h-4.500z",
  link: "M8.500 11.500l3-3M9.500 6l1.500-1.500a3.200 3.200 0 0 1 4.500 4.500L14 10.500M10.500 14L9 "
    + "15.500A3.200 3.200 0 0 1 4.500 11L6 9.500",
  copy: "M7 7h9v9H7zM4 13V4h9",
  sun: "M10 6.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM10 2v1.500M10 16.500V18M2 10h1.500M16.500 "
    + "10H18M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M15.700 4.300l-1.100 1.100M5.400 "
    + "14.600l-1.100 1.100",
  help: "M7.500 7.500a2.500 2.500 0 1 1 3.600 2.300c-.8.400-1.100.9-1.100 1.700M10 14.500v.1",
  search: "M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM13 13l4 4",
  edit: "M4 16l.8-3.400L13 4.400l2.600 2.600-8.200 8.200z",
  trash: "M4 6h12M8 6V4h4v2M6 6l.7 10.500h6.600L14 6",
  add: "M10 4v12M4 10h12",
  check: "M4 10.500l4 4 8-9",
  warning: "M10 3.500L17.500 16h-15zM10 8.500v3.500M10 14v.1",
  arrow: "M5 10h10M11 6l4 4-4 4",
  chevron: "M8 6l4 4-4 4",
  download: "M10 3v9M6 8.500l4 4 4-4M4 16h12",
  up: "M10 16V4M5 9l5-5 5 5",
  down: "M10 4v12M5 11l5 5 5-5",
  undo: "M5 8h7a4 4 0 0 1 0 8H8M5 8l3-3M5 8l3 3",
};

export function icon(name) {
  return svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, svg("path", { d: paths[name] }));
}

export function iconButton(name, label, onclick, properties) {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick,
    ...properties }, icon(name));
}

const numbers = new Intl.NumberFormat("en-US");
export const count = (n) => numbers.format(n);
export const plural = (n, one, many = one + "s") => `${count(n)} ${n === 1 ? one : many}`;

export function bytes(n) {
  if (n < 1024) return plural(n, "byte");
  for (const unit of ["KB", "MB", "GB", "TB"]) {
    n /= 1024;
    if (n < 1024 || unit === "TB") return `${n < 10 ? n.toFixed(1) : Math.round(n)} ${unit}`;
  }
}

export function time(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}

export function later(wait, action) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), wait);
  };
}

// At once, and then no more often than every `wait` milliseconds.
export function atMost(wait, action) {
  let timer = null, last = 0;
  return () => {
    if (timer) return;
    timer = setTimeout(() => { timer = null; last = Date.now(); action(); }, Math.max(0, last + wait - Date.now()));
  };
}

export function toast(message, { kind = "info", action, label, stay = 6000 } = {}) {
  const box = h("div", { class: `toast ${kind}` }, h("span", {}, message),
    action && h("button", { type: "button", class: "quiet", onclick: () => { box.remove(); action(); } }, label),
    iconButton("close", "Dismiss", () => box.remove()));
  const toasts = document.getElementById("toasts");
  // A dialog covers all that isn't in it.
  ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append(toasts);
  // The same message once more takes the place of the first.
  for (const other of [...toasts.children]) if (other.firstElementChild.textContent === message) other.remove();
  while (toasts.childElementCount > 2) toasts.firstElementChild.remove();
  toasts.append(box);
  setTimeout(() => box.remove(), stay);
}

export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`, { stay: 2500 });
  } catch {
    toast(text, { stay: 20000 });
  }
}

export function remembered(key, fallback) {
  try { return JSON.parse(localStorage.getItem(key)) ?? fallback; } catch { return fallback; }
}

export function remember(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* A browser that keeps nothing. */ }
}

// A dialog that gives the focus back when it closes.
export function dialog(title, content, actions = []) {
  const box = h("dialog", { class: "dialog", "aria-label": title },
    h("div", { class: "dialog-head" }, h("h2", {}, title), iconButton("close", "Close", () => box.close())),
    h("div", { class: "dialog-body" }, content), actions.length > 0 && h("div", { class: "dialog-foot" }, actions));
  const before = document.activeElement;
  box.addEventListener("close", () => {
    if (box.contains(document.getElementById("toasts"))) document.body.append(document.getElementById("toasts"));
    box.remove();
    before?.focus?.();
  });
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}

// Closes dialogs and boxes, because the page below them changes.
export function closeBoxes() {
  for (const box of document.querySelectorAll("dialog[open]")) box.close();
  document.dispatchEvent(new Event("closeboxes"));
}

// A box under a button, closed by Escape, a click elsewhere, or the button.
export function popover(button, build) {
  let box = null;
  const close = () => {
    if (!box) return;
    box.remove();
    box = null;
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    document.removeEventListener("closeboxes", close);
    document.removeEventListener("keydown", escape, true);
  };
  const escape = (event) => { if (event.key === "Escape") { event.stopPropagation(); close(); button.focus(); } };
  const outside = (event) => { if (!box.contains(event.target) && !button.contains(event.target)) close(); };
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    if (box) return close();
    box = h("div", { class: "popover", role: "dialog", "aria-label": button.getAttribute("aria-label")
      ?? button.textContent });
    append(box, [build(close)]);
    document.body.append(box);
    const place = button.getBoundingClientRect();
    box.style.top = `${place.bottom + 6}px`;
    box.style.left = `${Math.max(8, Math.min(place.right - box.offsetWidth, innerWidth - box.offsetWidth - 8))}px`;
    button.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", outside, true);
    document.addEventListener("closeboxes", close);
    document.addEventListener("keydown", escape, true);
    box.querySelector("input, button")?.focus();
  });
}
