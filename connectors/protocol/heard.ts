import type { Hear } from './signature.ts';
import type { Store } from './store.ts';

/** For `openStore`: ids of calls, so that none is obeyed again, also after a restart. */
export const heardTables = `
  create table if not exists heard (id text primary key, until integer not null) strict;
  create index if not exists heard_until on heard (until);`;

/** Remembers calls on disk before they are obeyed. */
export function createHeard({ database, write }: Store): Hear {
  const forget = database.prepare('delete from heard where until < ?');
  const insert = database.prepare('insert into heard values (?, ?) on conflict do nothing');
  return (id, until, now) =>
    write(() => {
      forget.run(now);
      return insert.run(id, until).changes === 1;
    });
}
