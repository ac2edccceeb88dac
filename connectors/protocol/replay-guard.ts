import type { Hear } from './signature.ts';
import type { Store } from './store.ts';

/**
 * Tables for `openStore`: ids of received calls, so that none is replayed, even after a restart.
 */
export const replayTables = `
  create table if not exists heard (id text primary key, until integer not null) strict;
  create index if not exists heard_until on heard (until);`;

/** Records calls on disk before they are executed. */
export function createReplayGuard({ database, write }: Store): Hear {
  const forget = database.prepare('delete from heard where until < ?');
  const insert = database.prepare('insert into heard values (?, ?) on conflict do nothing');
  return (id, until, now) =>
    write(() => {
      forget.run(now);
      return insert.run(id, until).changes === 1;
    });
}
