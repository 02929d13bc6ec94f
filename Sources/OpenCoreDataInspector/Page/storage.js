// What the store's parts take on disk, and what the check finds.
import { h, fill, icon, bytes, count, plural, time, copyText, iconButton } from "./dom.js";
import { get } from "./api.js";

export class StorageView {
  constructor(app) {
    this.app = app;
    this.sizes = h("div", { class: "sizes", "aria-busy": "true" }, h("p", { class: "note" }, "Measuring…"));
    this.findings = h("div", { class: "findings" });
    this.checkButton = h("button", { type: "button", class: "primary", onclick: () => this.check() }, icon("check"),
      "Check the store");
    const { info } = app;
    this.element = h("div", { class: "view scroll-view" },
      h("div", { class: "bar" }, h("h1", { class: "title" }, "Storage")),
      h("div", { class: "page" },
        h("dl", { class: "facts" }, [["File", info.path], ["Type", info.type], ["UUID", info.uuid],
          ["Model", info.model], ["History", info.history ? "recorded" : "not recorded"],
          ["Access", info.writable ? "read and write" : "read only"]]
          .filter(([, value]) => value).map(([name, value]) =>
            [h("dt", {}, name), h("dd", { class: "code" }, value, name === "File"
            && iconButton("copy", "Copy the path", () => copyText(value, "Path")))])),
        h("section", { class: "card", "aria-label": "Check" },
          h("div", { class: "card-head" }, h("h2", {}, "Check"),
          h("p", { class: "note" }, "Damage, dangling references, counters, indexes, external files"),
          this.checkButton), this.findings),
        h("section", { class: "card", "aria-label": "Sizes" }, h("div", { class: "card-head" }, h("h2", {}, "Sizes")),
          this.sizes)));
    this.load();
  }

  async load() {
    try {
      const report = await get("sizes");
      const total = report.file + report.log + report.external.bytes;
      const parts = report.parts ?? [];
      const greatest = Math.max(...parts.map((part) => part.bytes), 1);
      fill(this.sizes,
        h("div", { class: "tiles" }, [["Total", bytes(total)], ["File", bytes(report.file)], ["Log", bytes(report.log)],
          ["Unused pages", bytes(report.free)], [`External (${plural(report.external.count, "file")})`,
          bytes(report.external.bytes)]]
          .map(([name, value]) => h("div", { class: "tile" }, h("span", { class: "note" }, name), h("b", {}, value)))),
        report.parts === null ? h("p", { class: "note" }, "This version of SQLite can't report the sizes of tables.")
          : h("ul", { class: "groups" }, parts.slice(0, 60).map((part) => h("li", {}, h("span", { class: "size-row" },
            h("span", { class: "group-name" }, part.entity
              ? h("a", { href: `#/data/${encodeURIComponent(part.entity)}` }, part.name) : part.name,
              h("span", { class: "note" }, part.kind === "index" ? ` index of ${part.table}` : "")),
            h("span", { class: `group-bar ${part.kind}` },
              h("span", { style: { "--share": `${(100 * part.bytes) / greatest}%` } })),
            h("span", { class: "group-count" }, bytes(part.bytes)))))));
    } catch (error) {
      fill(this.sizes, h("p", { class: "empty" }, error.message));
    } finally { this.sizes.removeAttribute("aria-busy"); }
  }

  async check() {
    this.checkButton.disabled = true;
    fill(this.findings, h("p", { class: "note", role: "status" }, "Checking…"));
    try {
      const report = await get("check");
      if (report.findings.length === 0) {
        fill(this.findings, h("p", { class: "good", role: "status" }, icon("check"),
          `No problems (${time(report.milliseconds)}).`));
        return;
      }
      fill(this.findings, h("p", { class: "warning", role: "status" }, icon("warning"),
        `${plural(report.findings.length, "finding")} (${time(report.milliseconds)})`),
        h("table", { class: "change-table" }, h("thead", {},
          h("tr", {}, ["Kind", "Object", "Problem"].map((name) => h("th", { scope: "col" }, name)))),
          h("tbody", {}, report.findings.map((finding) => h("tr", {}, h("td", {}, finding.kind),
            h("td", {}, finding.object ? h("a", { class: "code", href: `#/object/${finding.object.id}` },
              finding.object.id) : h("span", { class: "code" },
              [finding.table, finding.row].filter((part) => part !== null).join(" ") || "–")),
            h("td", {}, finding.message))))));
    } catch (error) {
      fill(this.findings, h("p", { class: "warning" }, error.message));
    } finally { this.checkButton.disabled = false; }
  }

  changed() {}
  close() {}
}
