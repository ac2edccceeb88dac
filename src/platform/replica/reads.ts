import { Refusal } from '../errors.ts';
import type { Queryable, Sql } from '../postgres/connect.ts';
import { openSnapshot, type Snapshot } from '../postgres/snapshot.ts';

export interface ReadSubject {
  accountId: string;
  /**
   * Returns true if the replica has everything that the read needs, whatever was written since.
   * Default: the account wrote nothing lately, and all its delivered events are there.
   */
  holds?: (sql: Queryable) => Promise<boolean>;
}

export interface ReadFrom {
  sql: Queryable;
  /** On a replica, the place up to which its lists are complete. Null on the primary. */
  settled: number | null;
}

/** Thrown by a read that finds the replica lagging, to retry on the primary. */
export class ReplicaLagging extends Error {}

/**
 * Reads that tolerate some lag: reports, exports, lists, the feed. Never waits for the replica to
 * catch up.
 */
export interface Reads {
  /** Runs `work`, which only reads, on a replica if it is current enough, else on the primary. */
  read<T>(subject: ReadSubject, work: (from: ReadFrom) => Promise<T>): Promise<T>;
  /**
   * Runs `work` on one snapshot, which `work` or a later reader closes. Falls back to the primary
   * if `work` fails on the replica.
   */
  snapshot<T>(subject: ReadSubject, work: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** Runs an account's write. The account's next reads see it, in every process. */
  writing<T>(accountId: string, write: () => Promise<T>): Promise<T>;
}

/** Reads from the primary, for deployments without a replica. */
export const readPrimary = (sql: Sql): Reads => ({
  read: (_subject, work) => work({ sql, settled: null }),
  snapshot: async (_subject, work) => await work(await openSnapshot(sql)),
  writing: (_accountId, write) => write(),
});

export interface ReplicaSnapshot extends Snapshot {
  settled: number;
}

export interface Replica {
  /**
   * Opens a snapshot if the replica is current enough. Returns null if the primary must answer.
   * Never rejects.
   */
  open(subject: ReadSubject): Promise<ReplicaSnapshot | null>;
  /** Runs reads on it, under its deadlines. */
  ask<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Counts a failed read. If the replica is unreachable, reads go to the primary until the next
   * check.
   */
  met(error: unknown): void;
  answered(): void;
  writing: Reads['writing'];
}

/** Reads from the replica. Falls back to the primary on any error except a refusal. */
export function readsFrom(primary: Sql, replica: Replica): Reads {
  const onReplica = async <T>(
    subject: ReadSubject,
    work: (snapshot: ReplicaSnapshot) => Promise<T>,
  ): Promise<{ value: T } | null> => {
    const snapshot = await replica.open(subject);
    if (!snapshot) return null;
    try {
      const value = await replica.ask(() => work(snapshot));
      replica.answered();
      return { value };
    } catch (error) {
      await snapshot.close();
      if (error instanceof Refusal) throw error;
      replica.met(error);
      return null;
    }
  };
  return {
    async read(subject, work) {
      const read = await onReplica(subject, async (snapshot) => {
        const value = await work(snapshot);
        await snapshot.close();
        return value;
      });
      return read ? read.value : await work({ sql: primary, settled: null });
    },
    async snapshot(subject, work) {
      const read = await onReplica(subject, work);
      return read ? read.value : await work(await openSnapshot(primary));
    },
    writing: (accountId, write) => replica.writing(accountId, write),
  };
}
