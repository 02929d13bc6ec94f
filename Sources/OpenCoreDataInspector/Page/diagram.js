// The diagram of the model: moved, zoomed, and labeled so that the names of entities can be read at any size.
import { h } from "./dom.js";

// What a picture of a model is made of; anything else is left out.
const allowed = {
  svg: ["viewBox", "width", "height"], g: ["class"], rect: ["class", "x", "y", "width", "height", "rx"],
  path: ["class", "d"], text: ["class", "x", "y", "text-anchor"], tspan: ["class", "dx"],
  circle: ["class", "cx", "cy", "r"], title: [],
};
// From this scale on, boxes show their attributes; from below it, their names alone.
const nearScale = 0.75;
// From a smaller scale, the names would cover each other.
const leastScale = 0.18;
// Sizes of names on the screen, in pixels.
const greatest = 15, least = 10;
// Of the size of the bold font.
const lineHeight = 1.15, letterWidth = 0.68;

const element = (name, properties) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  return made;
};

function adopted(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  const attributes = allowed[node.localName];
  if (!attributes) return null;
  const copy = element(node.localName, {});
  for (const name of attributes) if (node.hasAttribute(name)) copy.setAttribute(name, node.getAttribute(name));
  for (const child of node.childNodes) {
    const part = adopted(child);
    if (part) copy.append(part);
  }
  return copy;
}

// The words of a name: "CloudMasterMediaMetadata" has four.
export const humps = (name) => name.match(/[A-Z]+(?![a-z])|[A-Z]?[^A-Z_]+|[A-Z]|_+/g) ?? [name];

// The words of a name in so many lines of about the same length.
export function wrapped(name, lines) {
  const words = humps(name), length = Math.ceil(name.length / lines), found = [""];
  for (const word of words) {
    const line = found.at(-1);
    if (line !== "" && found.length < lines && line.length + word.length / 2 > length) found.push(word);
    else found[found.length - 1] = line + word;
  }
  return found;
}

export class Diagram {
  // `choose(name)` is called for an entity that is clicked, `open(name)` for a double click.
  constructor({ choose, open }) {
    this.choose = choose;
    this.open = open;
    this.scale = 1;
    this.element = h("div", { class: "stage", tabindex: "0", role: "group",
      "aria-label": "Diagram of the model; use the arrow keys to move it, and plus and minus to zoom" });
    this.element.addEventListener("scroll", () => this.follow(), { passive: true });
    this.observer = new ResizeObserver(() => { if (this.svg) this.follow(); });
    this.observer.observe(this.element);
    this.drag();
  }

  show(source) {
    this.svg = adopted(new DOMParser().parseFromString(source.replace(/<style>[^]*?<\/style>/, ""),
      "image/svg+xml").documentElement);
    this.svg.classList.add("diagram");
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", "Entities and their relationships");
    this.size = this.svg.getAttribute("viewBox").split(" ").slice(2).map(Number);
    this.element.replaceChildren(this.svg);
    // Above all boxes, so that none covers the name of another.
    this.labels = element("g", { class: "labels", "aria-hidden": "true" });
    this.boxes = [...this.svg.querySelectorAll("g")].filter((box) => box.querySelector("text.title"))
      .map((box) => this.box(box));
    this.svg.append(this.labels);
    this.fit();
  }

  box(box) {
    const title = box.querySelector("text.title"), frame = box.querySelector("rect.box");
    const number = (name) => Number(frame.getAttribute(name)), name = title.textContent;
    box.classList.add("entity-box");
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "button");
    box.setAttribute("aria-label", `Entity ${name}`);
    box.dataset.entity = name;
    box.addEventListener("click", () => this.choose(name));
    box.addEventListener("dblclick", () => this.open(name));
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.choose(name);
    });
    // What stays in sight while a long box is scrolled, above its rows.
    const top = element("g", { class: "box-top" });
    top.append(...[...box.querySelectorAll("path.head, text.note")].filter((part) => part.matches(".head")
      || part.getAttribute("y") === title.getAttribute("y")), title);
    const hint = element("title", {});
    hint.textContent = name;
    box.append(hint, top);
    const label = element("text", { class: title.classList.contains("slanted") ? "label slanted" : "label" });
    label.dataset.entity = name;
    this.labels.append(label);
    return { element: box, name, top, label, x: number("x"), y: number("y"), width: number("width"),
      height: number("height") };
  }

  // MARK: Names

  label() {
    const isFar = this.scale < nearScale;
    this.svg.classList.toggle("far", isFar);
    for (const box of isFar ? this.boxes : []) {
      const { lines, size } = this.layOut(box);
      box.label.replaceChildren(...lines.map((line, index) => {
        const span = element("tspan", { x: box.x + 6, dy: index > 0 ? `${size * lineHeight}px` : 0 });
        span.textContent = line;
        return span;
      }));
      box.label.style.fontSize = `${size}px`;
      Object.assign(box, { size, labelHeight: lines.length * size * lineHeight });
    }
    this.follow();
  }

  // The lines in which a name is largest, and no larger than needed. A name that can't have the least size in its box
  // is written over the edge.
  layOut(box) {
    const [width, height] = [box.width - 8, box.height], smallest = least / this.scale;
    let best;
    for (let count = 1; count <= 5; count++) {
      const lines = wrapped(box.name, count);
      if (lines.length < count) break;
      const longest = Math.max(...lines.map((line) => line.length)) * letterWidth;
      const size = Math.min(greatest / this.scale, width / longest, height / (count * lineHeight));
      // There is more room beside boxes than between them.
      const outside = Math.max(0, longest * smallest - width)
        + 4 * Math.max(0, count * lineHeight * smallest - height);
      const isBetter = !best || outside < best.outside || (outside === best.outside && size > best.size * 1.05);
      if (isBetter) best = { lines, outside, size: Math.max(size, smallest) };
    }
    return best;
  }

  // Keeps the names of boxes in sight that begin above what is shown.
  follow() {
    if (!this.svg) return;
    const stage = this.element, offset = this.svg.getBoundingClientRect().top - stage.getBoundingClientRect().top;
    const first = -offset / this.scale, last = (stage.clientHeight - offset) / this.scale;
    const isFar = this.scale < nearScale;
    for (const { y, height, top, label, labelHeight, size } of this.boxes) {
      if (isFar) {
        // In the middle of what is seen of the box, or as near to it as the box goes.
        const [least, most] = [y + labelHeight / 2, y + height - labelHeight / 2];
        const middle = (Math.max(y, first) + Math.min(y + height, last)) / 2;
        const at = most < least ? y + height / 2 : Math.max(least, Math.min(most, middle));
        label.setAttribute("y", at - labelHeight / 2 + size * 0.92);
      } else {
        const moved = Math.max(0, Math.min(first - y, height - 32));
        if (moved > 0) top.setAttribute("transform", `translate(0 ${moved})`);
        else top.removeAttribute("transform");
      }
    }
  }

  // MARK: Zoom

  fit() {
    if (!this.svg) return;
    const [width, height] = this.size, room = this.element.getBoundingClientRect();
    this.apply(Math.min(1.25, (room.width - 16) / width, (room.height - 16) / height));
    this.element.scrollTo(0, 0);
  }

  // The point in the middle stays there.
  zoom(factor) {
    if (!this.svg) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element, old = this.scale;
    this.apply(this.scale * factor);
    const change = this.scale / old;
    this.element.scrollTo((scrollLeft + clientWidth / 2) * change - clientWidth / 2,
      (scrollTop + clientHeight / 2) * change - clientHeight / 2);
  }

  apply(scale) {
    const [width, height] = this.size;
    this.scale = Math.max(leastScale, Math.min(4, scale));
    this.svg.setAttribute("width", Math.round(width * this.scale));
    this.svg.setAttribute("height", Math.round(height * this.scale));
    this.label();
  }

  // MARK: Moving

  // Shows an entity in the middle, near enough to read it.
  fly(name) {
    const box = this.boxes?.find((box) => box.name === name);
    if (!box) return;
    if (this.scale < nearScale) this.apply(1);
    const place = box.element.querySelector("rect.box").getBoundingClientRect();
    const stage = this.element.getBoundingClientRect();
    const isLong = place.height > stage.height - 24, isWide = place.width > stage.width - 24;
    this.element.scrollBy({
      left: isWide ? place.left - stage.left - 12 : place.left + place.width / 2 - stage.left - stage.width / 2,
      top: isLong ? place.top - stage.top - 12 : place.top + place.height / 2 - stage.top - stage.height / 2,
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
    });
  }

  mark(name) {
    for (const { element, name: own } of this.boxes ?? []) {
      element.classList.toggle("chosen", own === name);
      element.setAttribute("aria-pressed", String(own === name));
    }
  }

  drag() {
    const stage = this.element;
    let from = null;
    stage.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch" || event.target.closest(".entity-box")) return;
      from = { x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop };
      stage.setPointerCapture(event.pointerId);
    });
    stage.addEventListener("pointermove", (event) => {
      if (from) stage.scrollTo(from.x - event.clientX, from.y - event.clientY);
    });
    stage.addEventListener("pointerup", () => { from = null; });
    stage.addEventListener("pointercancel", () => { from = null; });
    stage.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const moves = { ArrowDown: [0, 60], ArrowUp: [0, -60], ArrowLeft: [-60, 0], ArrowRight: [60, 0] };
      if (moves[event.key]) stage.scrollBy(...moves[event.key]);
      else if (event.key === "+" || event.key === "=") this.zoom(1.25);
      else if (event.key === "-") this.zoom(1 / 1.25);
      else if (event.key === "0") this.fit();
      else return;
      event.preventDefault();
    });
    stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1);
    }, { passive: false });
  }

  close() { this.observer.disconnect(); }
}
