import { DatabaseSync } from 'node:sqlite';

/** Opens the orders of the shop; `:memory:` keeps them in this process. */
export function openStore(file) {
  const db = new DatabaseSync(file);
  db.exec(`
    create table if not exists orders (
      id text primary key, total_cents integer not null, request_id integer,
      checkout_url text, paid_at text);
    create table if not exists settings (name text primary key, value text not null)`);
  const statements = {
    add: db.prepare('insert into orders (id, total_cents) values (?, ?)'),
    link: db.prepare('update orders set request_id = ?, checkout_url = ? where id = ?'),
    find: db.prepare('select * from orders where id = ?'),
    // Only the first report of a payment changes the order.
    pay: db.prepare('update orders set paid_at = ? where id = ? and paid_at is null'),
    set: db.prepare('insert or replace into settings (name, value) values (?, ?)'),
    get: db.prepare('select value from settings where name = ?'),
  };
  return {
    addOrder: (id, totalCents) => statements.add.run(id, totalCents),
    linkOrder: (id, { id: requestId, checkout_url }) =>
      statements.link.run(requestId, checkout_url, id),
    findOrder: (id) => statements.find.get(id),
    /** Returns true if the order was unpaid. */
    markPaid: (id, paidAt) => statements.pay.run(paidAt, id).changes === 1,
    setting: (name) => statements.get.get(name)?.value,
    keepSetting: (name, value) => statements.set.run(name, String(value)),
    close: () => db.close(),
  };
}
