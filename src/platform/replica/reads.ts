import { Refusal } from '../errors.ts';
import type { Queryable, Sql } from '../postgres/connect.ts';
import { openSnapshot, type Snapshot } from '../postgres/snapshot.ts';

/** The subject of a read. */
export interface ReadSubject {
  accountId: string;
  /**
   * Tells that the replica has what the read needs, whatever was written since; unset: it suffices
   * that the account wrote nothing lately and every event it received is there.
   */
  holds?: (sql: Queryable) => Promise<boolean>;
}

/** The database that answers a read. */
export interface ReadFrom {
  sql: Queryable;
  /** Of a replica: the place up to which its lists are whole; null: it is the primary. */
  settled: number | null;
}

/** Said by a read that finds the replica behind: the primary is asked. */
export class ReplicaBehind extends Error {}

/** Reads that tolerate a moment of lag: reports, exports, lists, the feed. Never waits. */
export interface Reads {
  /** Runs `work`, which only reads: on a replica if that has what it needs, else on the primary. */
  read<T>(wanted: ReadSubject, work: (from: ReadFrom) => Promise<T>): Promise<T>;
  /**
   * The same from one snapshot, which `work` or a later reader closes. Work that could not start on
   * the replica starts on the primary.
   */
  snapshot<T>(wanted: ReadSubject, work: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** Runs what an account writes: it reads that at once, whichever process it asks. */
  writing<T>(accountId: string, write: () => Promise<T>): Promise<T>;
}

/** Without a replica. */
export const readPrimary = (sql: Sql): Reads => ({
  read: (_wanted, work) => work({ sql, settled: null }),
  snapshot: async (_wanted, work) => await work(await openSnapshot(sql)),
  writing: (_accountId, write) => write(),
});

/** An open snapshot of a replica. */
export interface ReplicaSnapshot extends Snapshot {
  settled: number;
}

/** A replica, for who reads. */
export interface Replica {
  /** A snapshot that has what is wanted; null: the primary is to be asked. Never rejects. */
  open(wanted: ReadSubject): Promise<ReplicaSnapshot | null>;
  /** Runs what reads from it, under its deadlines. */
  ask<T>(work: () => Promise<T>): Promise<T>;
  /** Learns how a read from it failed; `answered`: it did not. */
  met(error: unknown): void;
  answered(): void;
  writing: Reads['writing'];
}

/** With one: whatever goes wrong there is asked of the primary, which knows. */
export function readsFrom(primary: Sql, replica: Replica): Reads {
  const onReplica = async <T>(
    wanted: ReadSubject,
    work: (snapshot: ReplicaSnapshot) => Promise<T>,
  ): Promise<{ value: T } | null> => {
    const snapshot = await replica.open(wanted);
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
    async read(wanted, work) {
      const read = await onReplica(wanted, async (snapshot) => {
        const value = await work(snapshot);
        await snapshot.close();
        return value;
      });
      return read ? read.value : await work({ sql: primary, settled: null });
    },
    async snapshot(wanted, work) {
      const read = await onReplica(wanted, work);
      return read ? read.value : await work(await openSnapshot(primary));
    },
    writing: (accountId, write) => replica.writing(accountId, write),
  };
}
