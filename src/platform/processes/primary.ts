import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Measures } from '../metrics.ts';
import { Member } from './member.ts';
import type { Spent } from './messages.ts';
import { createSums } from './sums.ts';

export interface PrimaryTerms {
  /** The program of each process. */
  entry: string;
  /** Extra environment variables per process. */
  environments: readonly Record<string, string>[];
  log: Log;
  /** Milliseconds that a stopping process keeps listening. */
  drainMs: number;
}

/** Starts a machine's processes, keeps them running, and replaces them one by one. */
export interface Primary extends Measures {
  /**
   * Starts the first process, then all others. Resolves with the first one's data. Rejects if one
   * fails to start.
   */
  start(): Promise<unknown>;
  /** Replaces each process with a new one, which serves before the old one stops. */
  roll(): Promise<void>;
  stop(): Promise<void>;
}

const measuredWithinMs = 2_000;
/** A retiring process first closes its connections, then ends its work. */
const leavesWithinMs = 30_000;
/** A process that lived this long did not fail at its start. */
const soundAfterMs = 10_000;
const longestPauseMs = 30_000;
const lookEveryMs = 5_000;
/**
 * A process that misses this many heartbeats hangs. Counts heartbeats instead of time, because a
 * machine that slept misses none.
 */
const maxUnanswered = 6;

class Processes implements Primary {
  readonly #terms: PrimaryTerms;
  /** Members by number. Null while a process is being restarted. */
  readonly #members: (Member | null)[];
  /** Members without a place: being replaced, or about to take a place. */
  readonly #retiring = new Set<Member>();
  readonly #sums = createSums();
  readonly #stopping = new AbortController();
  #rolling: Promise<void> = Promise.resolve();
  #rollsWaiting = 0;
  /** Pending replacements by process number. Each resolves with its success. */
  readonly #replacing = new Map<number, Promise<boolean>>();

  constructor(terms: PrimaryTerms) {
    this.#terms = terms;
    this.#members = terms.environments.map(() => null);
    cluster.setupPrimary({ exec: terms.entry, args: [] });
    // The primary accepts and distributes connections, so none waits at a leaving process.
    cluster.schedulingPolicy = cluster.SCHED_RR;
  }

  async start(): Promise<unknown> {
    const startData = await this.#launch(0).ready;
    const others = this.#members.slice(1).map((_none, index) => this.#launch(index + 1));
    await Promise.all(others.map((member) => member.ready));
    for (const [no, member] of this.#members.entries()) if (member) this.#keep(no, member);
    const looking = setInterval(() => this.#look(), lookEveryMs).unref();
    this.#stopping.signal.addEventListener('abort', () => clearInterval(looking));
    return startData;
  }

  roll(): Promise<void> {
    // A waiting roll covers a second request.
    if (this.#rollsWaiting > 0) return this.#rolling;
    this.#rollsWaiting += 1;
    this.#rolling = this.#rolling.then(async () => {
      this.#rollsWaiting -= 1;
      for (const no of this.#members.keys()) {
        const replaced = this.#replace(no).finally(() => this.#replacing.delete(no));
        this.#replacing.set(no, replaced);
        if (!(await replaced)) return;
      }
      if (!this.#stopped) this.#terms.log.info('every process was replaced');
    });
    return this.#rolling;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(
      this.#all().map((member) => member.leave('stop', this.#terms.drainMs + leavesWithinMs)),
    );
  }

  readonly contentType = this.#sums.contentType;

  async metrics(): Promise<string> {
    const measuring = this.#all().map((member) => member.measure(measuredWithinMs));
    return await this.#sums.text(Promise.all(measuring));
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #all(): Member[] {
    const members = this.#members.filter((member) => member !== null);
    return [...members, ...this.#retiring].filter(({ hasEnded }) => !hasEnded);
  }

  #launch(no: number, place = true): Member {
    const member = new Member(this.#terms.environments[no] ?? {});
    if (place) this.#members[no] = member;
    member.onSpent = (spent) => this.#spread(member, spent);
    void member.ended.then(() => this.#sums.ended(member.measured));
    return member;
  }

  #spread(from: Member, spent: Spent): void {
    for (const member of this.#all()) if (member !== from) member.tell({ kind: 'spent', spent });
  }

  /** Kills hung processes, whose connections wait and whose due work is not done. */
  #look(): void {
    for (const [no, member] of this.#members.entries()) {
      if (!member?.isReady || member.leaving || member.hasEnded) continue;
      if (member.look() < maxUnanswered) continue;
      this.#terms.log.error({ process: no, pid: member.pid }, 'a process hangs and is killed');
      member.kill();
    }
  }

  /** Restarts a process whenever it ends by itself. */
  #keep(no: number, member: Member): void {
    void member.ended.then(async () => {
      if (member.leaving || this.#stopped) return;
      this.#terms.log.error({ process: no, pid: member.pid }, 'a process ended and is restarted');
      if (await this.#hasPlace(no, member)) await this.#startAgain(no);
    });
  }

  /** Returns true if an ended process has no replacement, done or pending. */
  async #hasPlace(no: number, member: Member): Promise<boolean> {
    await this.#replacing.get(no);
    return this.#members[no] === member;
  }

  async #startAgain(no: number): Promise<void> {
    this.#members[no] = null;
    for (let pauseMs = 100; !this.#stopped; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        if (await this.#livesAgain(no)) return;
      } catch (error) {
        this.#terms.log.error({ err: error, process: no }, 'a process could not start');
      }
      await sleep(pauseMs, null, { signal: this.#stopping.signal }).catch(() => {});
    }
  }

  /**
   * Restarts a process. Returns true if it runs or was replaced, false if it ended soon after its
   * start, so that the caller pauses before the next try. Throws the error that prevented its
   * start.
   */
  async #livesAgain(no: number): Promise<boolean> {
    const member = this.#launch(no);
    const sound = sleep(soundAfterMs, true, { ref: false });
    try {
      await member.ready;
    } catch (error) {
      // Its replacement may be ready before it.
      if (member.leaving || !(await this.#hasPlace(no, member))) return true;
      throw error;
    }
    this.#terms.log.info({ process: no, pid: member.pid }, 'a process was restarted');
    const ended = member.ended.then(() => false);
    if ((await Promise.race([sound, ended])) || member.leaving) {
      this.#keep(no, member);
      return true;
    }
    return !(await this.#hasPlace(no, member));
  }

  async #replace(no: number): Promise<boolean> {
    if (this.#stopped) return false;
    const old = this.#members[no];
    // It is restarting, which is all that a roll needs.
    if (!old || old.hasEnded) return true;
    const next = await this.#launchBeside(no);
    if (next === null) return false;
    this.#members[no] = next;
    this.#keep(no, next);
    this.#retiring.add(old);
    await old.leave('retire', leavesWithinMs);
    this.#retiring.delete(old);
    return true;
  }

  /** Starts a process to replace another. Returns null if it fails to start. */
  async #launchBeside(no: number): Promise<Member | null> {
    let next: Member | null = null;
    try {
      next = this.#launch(no, false);
      this.#retiring.add(next);
      await next.ready;
      return next;
    } catch (error) {
      if (!this.#stopped) {
        const what = 'the new process could not start: those that run go on';
        this.#terms.log.error({ err: error, process: no }, what);
      }
      return null;
    } finally {
      if (next) this.#retiring.delete(next);
    }
  }
}

export const createPrimary = (terms: PrimaryTerms): Primary => new Processes(terms);
