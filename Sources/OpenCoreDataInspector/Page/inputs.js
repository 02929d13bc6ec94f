// Inputs for values, by the kind of attribute. What can't be a value is explained at the input, and isn't staged.
import { h } from "./dom.js";
import { plainText } from "./values.js";

const limits = {
  "Integer 16": [-(2n ** 15n), 2n ** 15n - 1n], "Integer 32": [-(2n ** 31n), 2n ** 31n - 1n],
  "Integer 64": [-(2n ** 63n), 2n ** 63n - 1n],
};
const decimalPattern = /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/;
const uuidPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

// What is wrong with a string as the value of an attribute; `null` if nothing is.
export function mistake(text, attribute) {
  switch (attribute.kind) {
    case "integer": {
      if (!/^[-+]?\d+$/.test(text)) return `${attribute.name} is a whole number, such as 42.`;
      const [least, most] = limits[attribute.type] ?? limits["Integer 64"];
      const number = BigInt(text.replace(/^\+/, ""));
      return number < least || number > most ? `${attribute.name} is a number from ${least} to ${most}.` : null;
    }
    case "number": case "decimal":
      return decimalPattern.test(text) ? null : `${attribute.name} is a number, such as 3.5.`;
    case "uuid":
      return uuidPattern.test(text) ? null : `${attribute.name} is a UUID, such as ${newUUID()}.`;
    default: return null;
  }
}

function newUUID() {
  const digits = [...crypto.getRandomValues(new Uint8Array(16))];
  digits[6] = (digits[6] & 0x0f) | 0x40;
  digits[8] = (digits[8] & 0x3f) | 0x80;
  const text = digits.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [8, 12, 16, 20].reverse().reduce((all, at) => `${all.slice(0, at)}-${all.slice(at)}`, text).toUpperCase();
}

// The local time of an ISO date as an input takes it; an empty string where it can't, such as before the year 1.
function localTime(iso) {
  const date = new Date(iso);
  if (isNaN(date) || date.getFullYear() < 1 || date.getFullYear() > 9999) return "";
  const pad = (n, length = 2) => String(n).padStart(length, "0");
  const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part)).join(":");
  return `${day}T${time}.${pad(date.getMilliseconds(), 3)}`;
}

// An input of a value. `read()` returns a string, or `undefined` if nothing was entered; after a mistake, it shows a
// sentence and returns `null`. `show(sentence)` shows a mistake that was found elsewhere.
export function valueInput(attribute, start) {
  const name = { "aria-label": attribute.name };
  const shown = start === null || start === undefined ? "" : plainText(start);
  const message = h("div", { class: "input-error", role: "alert", hidden: true });
  const finish = (field, extra, read) => {
    const check = () => {
      const text = read ? read() : field.value.trim();
      // The value of a date that is half typed is empty.
      const wrong = field.validity?.badInput ? `${attribute.name} isn't a whole date yet.`
        : text === undefined || text === "" ? null : mistake(text, attribute);
      show(wrong);
      return wrong ? null : text === "" ? undefined : text;
    };
    const show = (wrong) => {
      message.hidden = !wrong;
      message.textContent = wrong ?? "";
      field.setAttribute("aria-invalid", String(Boolean(wrong)));
    };
    field.addEventListener("change", check);
    return { field, element: h("span", { class: "value-input" }, field, extra, message), read: check, show };
  };
  switch (attribute.kind) {
    case "boolean": {
      const options = [["", attribute.optional ? "nil" : "default"], ["true", "true"], ["false", "false"]];
      const isKnown = start === true || start === false || ["true", "false"].includes(shown);
      const field = h("select", name, options.filter(([value]) => value !== "" || !isKnown)
        .map(([value, text]) => h("option", { value, selected: value === shown }, text)));
      return finish(field);
    }
    case "date": {
      const local = localTime(start);
      if (shown !== "" && local === "") return text("text");
      const field = h("input", { ...name, type: "datetime-local", step: "0.001", min: "0001-01-01T00:00" });
      field.value = local;
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      // A date that wasn't touched keeps the digits that the input doesn't show.
      return finish(field, h("span", { class: "note" }, zone), () => field.value === "" ? undefined
        : field.value === local ? shown : new Date(field.value).toISOString());
    }
    case "integer": return text("text", { inputmode: "numeric" });
    case "number": case "decimal": return text("text", { inputmode: "decimal" });
    case "uuid": {
      const input = text("text", { class: "code" });
      input.field.after(h("button", { type: "button", class: "quiet", onclick: () => {
        input.field.value = newUUID();
        input.field.dispatchEvent(new Event("change"));
      } }, "New UUID"));
      return input;
    }
    case "text": case "transformable": case "composite": {
      const field = h("textarea", { ...name, rows: attribute.kind === "text" ? 2 : 3, spellcheck: "false" });
      field.value = shown;
      // Spaces count in strings.
      return finish(field, (attribute.cases ?? []).length > 0
        && h("span", { class: "note" }, attribute.cases.join(", ")),
        () => field.value);
    }
    default: return text("text");
  }
  function text(type, properties) {
    const field = h("input", { ...name, type, spellcheck: "false", autocomplete: "off", ...properties });
    field.value = shown;
    return finish(field);
  }
}
