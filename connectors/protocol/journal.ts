import { createHash } from 'node:crypto';
import type { JournalEntry } from './connector.ts';
import type { Store } from './store.ts';

/** Tables of the journal, for `openStore`. */
export const journalTables = `
  create table if not exists entries (
    key text primary key,
    digest text not null,
    begun_at text not null,
    kept text not null,
    outcome text,
    memo text,
    touched integer not null
  ) strict;
  create index if not exists entries_answered on entries (substr(key, 1, instr(key, ':')), touched)
    where outcome is not null;
  drop index if exists entries_touched;
  create table if not exists notes (
    name text primary key, text text not null, kept_at integer not null) strict;
  create index if not exists notes_kept_at on notes (kept_at);
  create table if not exists recent_notes (
    no integer primary key, name text not null unique, text text not null,
    kept_at integer not null) strict;
  create index if not exists recent_notes_kept_at on recent_notes (kept_at);`;

/** A journal entry on disk: the order, and its known state. */
export interface Entry<Kept, Told> extends JournalEntry<Kept, Told> {
  digest: string;
}

/**
 * The durable memory of a connector, keyed by the id of the order. Orders are stored before the
 * acquirer is called, so a crash never sends the same order twice.
 */
export interface Journal<Kept, Told> {
  read: (key: string) => Entry<Kept, Told> | null;
  /** Stores an order; returns the entry that existed before, or null if it is new. */
  begin: (
    key: string,
    order: { digest: string; begunAt: string; kept: Kept },
  ) => Promise<Entry<Kept, Told> | null>;
  answer: (key: string, outcome: Told) => Promise<void>;
  /** Restarts an order that counts as never received; its outcome is unknown again. */
  renew: (key: string, order: { begunAt: string; kept: Kept }) => Promise<void>;
  remember: (key: string, memo: unknown) => Promise<void>;
  /** Returns the entries whose keys have a prefix. */
  below: (prefix: string) => [key: string, entry: Entry<Kept, Told>][];
  /** Deletes entries that have an outcome and did not change since a wall-clock moment. */
  prune: (before: number) => Promise<void>;
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** Returns the digest of a value, independent of the order of its members. */
export const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');

interface Row {
  key: string;
  digest: string;
  begun_at: string;
  kept: string;
  outcome: string | null;
  memo: string | null;
}

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));

const entryOf = <Kept, Told>(row: Row): Entry<Kept, Told> => ({
  digest: row.digest,
  begunAt: row.begun_at,
  kept: JSON.parse(row.kept),
  outcome: parsed(row.outcome),
  memo: parsed(row.memo),
});

const columns = 'key, digest, begun_at, kept, outcome, memo';

const deletedAtOnce = 1000;

/** Deletes rows in parts, each in its own write, so that orders wait only for one part. */
export function createPruning({ database, write }: Store, table: string, where: string) {
  const some = database.prepare(
    `delete from ${table} where rowid in (
      select rowid from ${table} where ${where} limit ${deletedAtOnce})`,
  );
  return async (...values: (string | number)[]): Promise<void> => {
    const part = () => Number(some.run(...values).changes);
    while ((await write(part)) === deletedAtOnce);
  };
}

/** Short texts by name: charges by the acquirer's names, and data from pages. */
export interface Notes {
  /** Stores a text under a name, unless the name already has one. */
  keep: (name: string, text: string) => Promise<void>;
  read: (name: string) => string | null;
  /** Deletes texts stored before a wall-clock moment. */
  prune: (before: number) => Promise<void>;
}

export function createNotes(store: Store, now: () => number): Notes {
  const { database, write } = store;
  const insert = database.prepare('insert into notes values (?, ?, ?) on conflict do nothing');
  const one = database.prepare('select text from notes where name = ?');
  return {
    keep: (name, text) =>
      write(() => {
        insert.run(name, text, now());
      }),
    read: (name) => {
      const row = one.get(name);
      return row ? String(row.text) : null;
    },
    prune: createPruning(store, 'notes', 'kept_at < ?'),
  };
}

/**
 * Notes that strangers cause, such as browsers that open a page: only the last ones stay, so that
 * nobody fills the disk.
 */
export function createRecentNotes(store: Store, now: () => number, most: number): Notes {
  const { database, write } = store;
  const insert = database.prepare(
    'insert into recent_notes (name, text, kept_at) values (?, ?, ?) on conflict do nothing',
  );
  const drop = database.prepare('delete from recent_notes where no <= ?');
  const one = database.prepare('select text from recent_notes where name = ?');
  return {
    keep: (name, text) =>
      write(() => {
        const { changes, lastInsertRowid } = insert.run(name, text, now());
        if (changes > 0) drop.run(Number(lastInsertRowid) - most);
      }),
    read: (name) => {
      const row = one.get(name);
      return row ? String(row.text) : null;
    },
    prune: createPruning(store, 'recent_notes', 'kept_at < ?'),
  };
}

/** Creates the journal of one kind of orders. Keys include `kind`, so all kinds share a file. */
export function createJournal<Kept, Told>(
  store: Store,
  kind: string,
  now: () => number,
): Journal<Kept, Told> {
  const { database, write } = store;
  const one = database.prepare(`select ${columns} from entries where key = ?`);
  const some = database.prepare(`select ${columns} from entries where key >= ? and key < ?`);
  const insert = database.prepare(
    `insert into entries (key, digest, begun_at, kept, touched) values (?, ?, ?, ?, ?)`,
  );
  const setOutcome = database.prepare(
    'update entries set outcome = ?, touched = ? where key = ? and outcome is not ?',
  );
  const setBegun = database.prepare(
    'update entries set begun_at = ?, kept = ?, outcome = null, touched = ? where key = ?',
  );
  const setMemo = database.prepare('update entries set memo = ?, touched = ? where key = ?');
  const forget = createPruning(
    store,
    'entries',
    `substr(key, 1, instr(key, ':')) = ? and touched < ? and outcome is not null`,
  );
  const named = (key: string): string => `${kind}:${key}`;
  const after = (prefix: string): string => `${prefix}\u{10ffff}`;
  const read = (key: string): Entry<Kept, Told> | null => {
    const row = one.get(named(key)) as unknown as Row | undefined;
    return row ? entryOf(row) : null;
  };

  return {
    read,
    begin: (key, { digest, begunAt, kept }) =>
      write(() => {
        const before = read(key);
        if (!before) insert.run(named(key), digest, begunAt, JSON.stringify(kept), now());
        return before;
      }),
    answer: (key, outcome) =>
      write(() => {
        const text = JSON.stringify(outcome);
        setOutcome.run(text, now(), named(key), text);
      }),
    renew: (key, { begunAt, kept }) =>
      write(() => {
        setBegun.run(begunAt, JSON.stringify(kept), now(), named(key));
      }),
    remember: (key, memo) =>
      write(() => {
        setMemo.run(JSON.stringify(memo), now(), named(key));
      }),
    below: (prefix) =>
      (some.all(named(prefix), after(named(prefix))) as unknown as Row[]).map((row) => [
        row.key.slice(kind.length + 1),
        entryOf(row),
      ]),
    prune: (before) => forget(named(''), before),
  };
}
