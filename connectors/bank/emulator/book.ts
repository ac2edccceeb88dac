import { openStore } from '../../protocol/store.ts';

// The bank's records, in the documentation's terms.

export interface Debin {
  kind: 'DEBIN';
  id: string;
  originId: string;
  /** One of the documented DEBIN states. */
  status: string;
  to: { cbu?: string; label?: string };
  amount: number;
  concept: string;
  startedAt: number;
  expiresAt: number;
  /** The buyer's decision and its time; null if there is none. */
  buyer: { becomes: string; at: number } | null;
}

export interface Transfer {
  kind: 'TRANSFER-CVU';
  id: string;
  status: string;
  direction: 'TRANSFERENCIAS_RECIBIDAS' | 'TRANSFERENCIAS_ENVIADAS';
  cvu: string;
  cuit: string;
  amount: number;
  startedAt: number;
  counterparty: { id: string; name: string; address: string };
}
export type Row = Debin | Transfer;

export interface Webhook {
  url: string;
  code: string;
  description: string;
  enabled: boolean;
  events: string[];
}

const tables = `
  create table if not exists operations (
    id text primary key, kind text not null, origin text unique, started integer not null,
    body text not null) strict;
  create table if not exists cvus (
    client integer primary key, cuit text not null, name text not null, cvu text not null) strict;
  create table if not exists webhooks (code text primary key, body text not null) strict;
  create table if not exists sellers (account text primary key) strict;`;

const rowIn = (found: Record<string, unknown> | undefined): Row | null =>
  found ? JSON.parse(String(found.body)) : null;

const originOf = (row: Row): string | null => (row.kind === 'DEBIN' ? row.originId : null);

export function openBook(folder: string) {
  const { database, write, close } = openStore(folder, 'bank.sqlite', tables);
  const one = (sql: string, ...values: (string | number)[]) => database.prepare(sql).get(...values);
  return {
    close,
    row: (id: string): Row | null => rowIn(one('select body from operations where id = ?', id)),
    byOrigin: (origin: string): Row | null =>
      rowIn(one('select body from operations where origin = ?', origin)),
    /** Sorted by id, because the documentation promises no order. */
    between: (kind: Row['kind'], from: number, until: number): Row[] =>
      database
        .prepare(
          'select body from operations where kind = ? and started >= ? and started < ? order by id',
        )
        .all(kind, from, until)
        .map((found) => JSON.parse(String(found.body))),
    add: (row: Row): Promise<void> =>
      write(() => {
        database
          .prepare('insert into operations values (?, ?, ?, ?, ?)')
          .run(row.id, row.kind, originOf(row), row.startedAt, JSON.stringify(row));
      }),
    save: (row: Row): Promise<void> =>
      write(() => {
        database
          .prepare('update operations set body = ? where id = ?')
          .run(JSON.stringify(row), row.id);
      }),
    client: (client: number) => {
      const found = one('select cuit, cvu from cvus where client = ?', client);
      return found ? { cuit: String(found.cuit), cvu: String(found.cvu) } : null;
    },
    addClient: (client: number, cuit: string, name: string, cvu: string): Promise<void> =>
      write(() => {
        database.prepare('insert into cvus values (?, ?, ?, ?)').run(client, cuit, name, cvu);
      }),
    webhooks: (): Webhook[] =>
      database
        .prepare('select body from webhooks')
        .all()
        .map((found) => JSON.parse(String(found.body))),
    saveWebhook: (webhook: Webhook): Promise<void> =>
      write(() => {
        database
          .prepare(
            'insert into webhooks values (?, ?) on conflict (code) do update set body = excluded.body',
          )
          .run(webhook.code, JSON.stringify(webhook));
      }),
    isSeller: (account: string): boolean =>
      one('select account from sellers where account = ?', account) !== undefined,
    setSeller: (account: string, adhered: boolean): Promise<void> =>
      write(() => {
        const sql = adhered
          ? 'insert into sellers values (?) on conflict do nothing'
          : 'delete from sellers where account = ?';
        database.prepare(sql).run(account);
      }),
  };
}
export type Book = ReturnType<typeof openBook>;
