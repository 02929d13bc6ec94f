// Staged changes of relationships. Of a to-many, the objects that are added and removed are kept, so that what other
// programs add and remove stays; after one was moved, the whole order is kept.
import { get } from "./api.js";
import { plainText } from "./values.js";

// An order of more objects isn't changed here.
export const mostOrdered = 500;

export class Links {
  // `draw` shows the object once more.
  constructor(app, draw) {
    this.app = app;
    this.draw = draw;
    this.labels = new Map();
  }

  named(id) { return { id, label: this.labels.get(id) }; }

  // The objects to show, those that are removed, and how many there are in all.
  after(relationship, related, staged) {
    for (const link of related.objects) this.labels.set(link.id, link.label);
    if (staged === undefined) return { links: related.objects, removed: [], total: related.count };
    const isKnown = (id) => related.objects.some((link) => link.id === id);
    if (!relationship.toMany) {
      return { links: staged === null ? [] : [{ ...this.named(staged), isAdded: !isKnown(staged) }],
        removed: related.objects.filter((link) => link.id !== staged), total: staged === null ? 0 : 1 };
    }
    if (Array.isArray(staged)) {
      return { links: staged.map((id) => this.named(id)), removed: related.objects.filter((link) =>
        !staged.includes(link.id)), total: staged.length };
    }
    const added = staged.add.filter((id) => !isKnown(id)).map((id) => ({ ...this.named(id), isAdded: true }));
    return { links: [...related.objects.filter((link) => !staged.remove.includes(link.id)), ...added],
      removed: staged.remove.map((id) => this.named(id)),
      total: related.count + added.length - staged.remove.length };
  }

  change(object, relationship, related, id, isAdded, label) {
    const { edits } = this.app;
    if (label !== undefined) this.labels.set(id, label);
    const isMember = related.objects.some((link) => link.id === id);
    const staged = edits.staged(object.id, relationship.name);
    if (!relationship.toMany) {
      edits.set(object.id, relationship.name, isAdded ? id : null, related.objects[0]?.id ?? null);
    } else if (Array.isArray(staged)) {
      const others = staged.filter((other) => other !== id);
      edits.set(object.id, relationship.name, isAdded ? [...others, id] : others);
    } else {
      const add = (staged?.add ?? []).filter((other) => other !== id);
      const remove = (staged?.remove ?? []).filter((other) => other !== id);
      const wasStaged = add.length + remove.length < (staged?.add.length ?? 0) + (staged?.remove.length ?? 0);
      if (!wasStaged && isAdded && !isMember) add.push(id);
      if (!wasStaged && !isAdded) remove.push(id);
      if (add.length + remove.length === 0) edits.unset(object.id, relationship.name);
      else edits.set(object.id, relationship.name, { add, remove });
    }
    this.draw();
  }

  // Moves an object of an ordered relationship by a step.
  async move(object, relationship, related, id, step) {
    const { edits } = this.app;
    try {
      const before = await this.order(object, relationship, related);
      const staged = edits.staged(object.id, relationship.name);
      const order = Array.isArray(staged) ? [...staged] : staged === undefined ? [...before]
        : [...before.filter((other) => !staged.remove.includes(other)), ...staged.add];
      const from = order.indexOf(id), to = from + step;
      if (from < 0 || to < 0 || to >= order.length) return;
      [order[from], order[to]] = [order[to], order[from]];
      if (JSON.stringify(order) === JSON.stringify(before)) edits.unset(object.id, relationship.name);
      else edits.set(object.id, relationship.name, order);
      this.draw();
    } catch (error) { this.app.fail(error); }
  }

  // The identifiers of all objects in the order of the store.
  async order(object, relationship, related) {
    if (related.count === related.objects.length) return related.objects.map((link) => link.id);
    if (related.count > mostOrdered) {
      throw new Error(`The order of more than ${mostOrdered} objects can't be changed here.`);
    }
    const label = this.app.entities.get(relationship.destination)?.label;
    const { rows } = await get("rows", { of: object.id, via: relationship.name, columns: label ?? "objectID",
      limit: mostOrdered });
    for (const row of rows) if (label && row.cells[0] !== null) this.labels.set(row.id, plainText(row.cells[0]));
    return rows.map((row) => row.id);
  }
}
