// Inputs for values, by the kind of attribute. What can't be a value is explained at the input, and isn't staged.
import { h } from "./dom.js";
import { plainText } from "./values.js";
import { base64, mostBytes } from "./files.js";

const limits = {
  "Integer 16": [-(2n ** 15n), 2n ** 15n - 1n], "Integer 32": [-(2n ** 31n), 2n ** 31n - 1n],
  "Integer 64": [-(2n ** 63n), 2n ** 63n - 1n],
};
const decimalPattern = /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/;
const uuidPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

// The digits of a number that count, and the power of ten that they are multiplied by.
function parts(text) {
  const [, whole, fraction = "", exponent = "0"] = /^[-+]?(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text);
  const digits = (whole + fraction).replace(/^0+/, ""), significant = digits.replace(/0+$/, "");
  return [significant.length, BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)];
}

// A decimal has 38 digits, and an exponent of one byte.
function isDecimal(text) {
  const [length, power] = parts(text);
  return length === 0 || (length <= 38 && power >= -127n && power <= 127n);
}

// What a store makes of a number, where that isn't all of it; `null` where it is.
export function loss(text, attribute) {
  const isLong = attribute.kind === "decimal" && attribute.digits && decimalPattern.test(text)
    && parts(text)[0] > attribute.digits;
  return isLong ? `This store keeps ${attribute.digits} digits of it.` : null;
}

// The digits as every reader of numbers takes them: "+.5" is 0.5, and "007" is 7.
export function plainNumber(text) {
  const [, sign, digits, fraction, exponent = ""] = /^([-+]?)(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/.exec(text);
  const whole = digits.replace(/^0+(?=\d)/, "") || "0";
  return `${sign === "-" ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}${exponent}`;
}

// What is wrong with a string as the value of an attribute; `null` if nothing is.
export function mistake(text, attribute) {
  switch (attribute.kind) {
    case "integer": {
      if (!/^[-+]?\d+$/.test(text)) return `${attribute.name} is a whole number, such as 42.`;
      const [least, most] = limits[attribute.type] ?? limits["Integer 64"];
      const number = BigInt(text.replace(/^\+/, ""));
      return number < least || number > most ? `${attribute.name} is a number from ${least} to ${most}.` : null;
    }
    case "number": case "decimal": {
      if (!decimalPattern.test(text)) {
        return `${attribute.name} is a number, such as 3.5.${text.includes(",") ? " Use a point, not a comma." : ""}`;
      }
      if (attribute.kind === "decimal") {
        return isDecimal(text) ? null : `${attribute.name} has to be a number with at most 38 digits.`;
      }
      const number = attribute.type === "Float" ? Math.fround(Number(text)) : Number(text);
      return Number.isFinite(number) ? null : `${text} is too large for ${attribute.name}.`;
    }
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
  if (typeof iso !== "string") return "";
  const date = new Date(iso);
  if (isNaN(date) || date.getFullYear() < 1 || date.getFullYear() > 9999) return "";
  const pad = (n, length = 2) => String(n).padStart(length, "0");
  const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part)).join(":");
  return `${day}T${time}.${pad(date.getMilliseconds(), 3)}`;
}

// A year before 100 is that year, and not one of the last century; a date that can't be stays, and is refused later.
function isoDate(local) {
  const date = new Date(local);
  return isNaN(date) ? local : date.toISOString();
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
      const wrong = field.validity?.badInput ? `${attribute.name} isn't a complete date yet.`
        : field.validity?.rangeOverflow || field.validity?.rangeUnderflow
          ? `${attribute.name} has to be a date in the years 1 to 9999.`
        : text === undefined || text === "" ? null : mistake(text, attribute);
      show(wrong);
      if (wrong) return null;
      if (text === "" || text === undefined) return undefined;
      return ["integer", "number", "decimal"].includes(attribute.kind) ? plainNumber(text) : text;
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
      const options = [["", attribute.optional ? "nil" : "choose"], ["true", "true"], ["false", "false"]];
      const isKnown = start === true || start === false || ["true", "false"].includes(shown);
      const field = h("select", name, options.filter(([value]) => value !== "" || !isKnown)
        .map(([value, text]) => h("option", { value, selected: value === shown }, text)));
      return finish(field);
    }
    case "date": {
      const local = localTime(start);
      if (shown !== "" && local === "") return text("text");
      const field = h("input", { ...name, type: "datetime-local", step: "0.001", min: "0001-01-01T00:00",
        max: "9999-12-31T23:59:59.999" });
      field.value = local;
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      // A date that wasn't touched keeps the digits that the input doesn't show.
      return finish(field, h("span", { class: "note" }, zone), () => field.value === "" ? undefined
        : field.value === local ? shown : isoDate(field.value));
    }
    case "data": {
      let content;
      const note = h("span", { class: "note", role: "status" }, `A file of at most ${mostBytes / 1e6} MB.`);
      const field = h("input", { ...name, type: "file", onchange: async () => {
        content = undefined;
        const [file] = field.files;
        if (!file) return;
        if (file.size > mostBytes) return input.show(`${file.name} is too large to be sent from here.`);
        try { content = await base64(file); } catch { return input.show(`${file.name} can't be read.`); }
        field.dispatchEvent(new Event("loaded"));
      } });
      const input = finish(field, note, () => content);
      return input;
    }
    case "integer": return text("text", { inputmode: "numeric" });
    case "number": return text("text", { inputmode: "decimal" });
    case "decimal": {
      const note = h("span", { class: "note", role: "status" });
      const input = text("text", { inputmode: "decimal" }, note);
      const warn = () => { note.textContent = loss(input.field.value.trim(), attribute) ?? ""; };
      input.field.addEventListener("input", warn);
      warn();
      return input;
    }
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
  function text(type, properties, extra) {
    const field = h("input", { ...name, type, spellcheck: "false", autocomplete: "off", ...properties });
    field.value = shown;
    return finish(field, extra);
  }
}
