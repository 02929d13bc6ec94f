// The history of the store as a timeline, the newest first, with new transactions on top while it is looked at.
import { h, fill, icon, count, plural } from "./dom.js";
import { get } from "./api.js";
import { ago, dateText, plainText } from "./values.js";

export class HistoryView {
  constructor(app) {
    this.app = app;
    this.list = h("ol", { class: "timeline", "aria-label": "Transactions" });
    this.more = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.load(this.last) },
      "Show earlier transactions");
    this.author = h("select", { "aria-label": "Author", onchange: () => this.filter() },
      h("option", { value: "" }, "All authors"));
    this.element = h("div", { class: "view scroll-view" },
      h("div", { class: "bar" }, h("h1", { class: "title" }, "History"), h("span", { class: "spring" }), this.author),
      h("div", { class: "page" }, this.list, this.more));
    this.known = new Set();
    this.authors = new Set();
    this.load();
  }

  async load(before) {
    try {
      const answer = await get("history", { before, limit: 50 });
      if (!answer.recorded) {
        fill(this.list, h("li", { class: "empty" },
          "This store has no history. Programs enable it with NSPersistentHistoryTrackingKey."));
        return;
      }
      for (const transaction of answer.transactions) this.list.append(this.row(transaction));
      if (answer.transactions.length > 0) this.last = answer.transactions.at(-1).number;
      else if (!before) fill(this.list, h("li", { class: "empty" }, "The history is empty."));
      this.more.hidden = !answer.more;
      this.filter();
    } catch (error) { this.app.fail(error); }
  }

  row(transaction, isNew = false) {
    this.known.add(transaction.number);
    const author = transaction.author ?? transaction.process ?? "unknown";
    if (!this.authors.has(author)) {
      this.authors.add(author);
      this.author.append(h("option", { value: author }, author));
    }
    const changes = h("div", { class: "changes", hidden: true });
    const button = h("button", { type: "button", class: "transaction", "aria-expanded": "false", onclick: () => {
      changes.hidden = !changes.hidden;
      button.setAttribute("aria-expanded", String(!changes.hidden));
      if (changes.childElementCount === 0) fill(changes, this.changes(transaction));
    } }, icon("chevron"), h("span", { class: "number" }, `#${transaction.number}`),
      h("span", { class: "author" }, author),
    h("span", { class: "summary" }, Object.entries(transaction.summary).map(([entity, [inserted, updated, deleted]]) =>
      h("span", { class: "change-chip" }, entity, inserted > 0 && h("b", { class: "insert" }, ` +${count(inserted)}`),
        updated > 0 && h("b", { class: "update" }, ` ~${count(updated)}`), deleted > 0
        && h("b", { class: "delete" }, ` −${count(deleted)}`)))),
    h("time", { datetime: transaction.date, title: transaction.date }, ago(transaction.date)));
    const item = h("li", { class: isNew ? "fresh" : "" }, button, changes);
    item.dataset.author = author;
    return item;
  }

  changes(transaction) {
    const facts = [["Date", dateText(transaction.date)], ["Author", transaction.author],
      ["Context", transaction.context], ["Process", transaction.process],
      ["Bundle", transaction.bundle]].filter(([, value]) => value);
    return [
      h("div", { class: "plan-facts" }, facts.map(([name, value]) =>
        h("span", { class: "fact" }, h("span", { class: "note" }, name), " ", value))),
      h("table", { class: "change-table" }, h("thead", {},
        h("tr", {}, ["Change", "Object", "Properties", "Old values"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, transaction.changes.map((change) => h("tr", { class: change.type },
          h("td", {}, h("span", { class: `mark ${change.type}` },
            { insert: "+", update: "~", delete: "−" }[change.type]), change.type),
          h("td", {}, change.type === "delete" ? h("span", { class: "code" }, change.object)
            : h("a", { href: `#/object/${change.object}`, class: "code" }, change.object)),
          h("td", {}, change.properties.join(", ")),
          h("td", {}, change.type === "update" ? h("span",
            { class: "note",
            title: "The history records only which properties an update changed. It keeps old values only for deleted "
              + "objects, for attributes that the model preserves." }, "not recorded")
            : Object.entries(change.old).map(([name, value]) =>
              h("div", {}, h("span", { class: "note" }, name), " ", plainText(value)))))))),
      transaction.count > transaction.changes.length
        && h("p", { class: "note" }, `and ${plural(transaction.count - transaction.changes.length, "further change")}`),
    ];
  }

  filter() {
    for (const item of this.list.children) item.hidden = this.author.value !== "" && item.dataset.author !== undefined
      && item.dataset.author !== this.author.value;
  }

  async changed() {
    try {
      const answer = await get("history", { limit: 50 });
      const fresh = answer.transactions.filter((transaction) => !this.known.has(transaction.number));
      if (fresh.length > 0) this.list.querySelector(".empty")?.remove();
      this.list.prepend(...fresh.map((transaction) => this.row(transaction, true)));
      this.filter();
    } catch { /* The connection's state is shown above. */ }
  }

  close() {}
}
