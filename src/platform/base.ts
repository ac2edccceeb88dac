import type { Actor } from './actor.ts';
import type { Clocks } from './clocks.ts';
import type { Log } from './log.ts';
import type { Sql } from './postgres/connect.ts';
import type { IdBlocks } from './postgres/id-blocks.ts';
import type { Reads } from './replica/reads.ts';

/** What every part of the service is built from; made once in main. */
export interface Base {
  sql: Sql;
  /** For what may be read from a replica. */
  reads: Reads;
  clocks: Clocks;
  log: Log;
  /** Payment requests and debits: one sequence, since reports name them all request_id. */
  requestIds: IdBlocks;
  /** Results, journals, attempts, events: everything else. */
  recordIds: IdBlocks;
}

/** Who changes what belongs to no call, and by what: given to verbs of commands. */
export type Acting = Pick<Base, 'sql' | 'clocks' | 'recordIds'> & { actor: Actor };

/** Who acts, for whom: given to every verb. */
export interface Ctx {
  accountId: string;
  /** Kept with each event. */
  actor: Actor;
  requestId: string;
  /** Whether the key may read; unset: it is no key that acts. */
  mayRead?: boolean;
}
