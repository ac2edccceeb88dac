import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Measures } from '../metrics.ts';
import { Member } from './member.ts';
import type { Spent } from './messages.ts';
import { createSums } from './sums.ts';

export interface PrimaryTerms {
  /** The program that each process runs. */
  entry: string;
  /** Additional environment of each process. */
  environments: readonly Record<string, string>[];
  log: Log;
  /** Milliseconds for which a stopping process keeps listening. */
  drainMs: number;
}

/** Starts the processes of a machine, keeps them running, and replaces them one by one. */
export interface Primary extends Measures {
  /**
   * Starts all processes, after the first one is ready; resolves with the first one's data. Rejects
   * if one could not start.
   */
  start(): Promise<unknown>;
  /** Replaces each process by a new one, which answers before the old one stops to. */
  roll(): Promise<void>;
  stop(): Promise<void>;
}

const measuredWithinMs = 2_000;
/** A process that retires lets go of its connections first, and then of its work. */
const leavesWithinMs = 30_000;
/** One that lived so long did not end by its start. */
const soundAfterMs = 10_000;
const longestPauseMs = 30_000;
const lookEveryMs = 5_000;
/**
 * A process that misses so many looks hangs. Counted in looks: a machine that slept misses none.
 */
const mostUnheard = 6;

class Processes implements Primary {
  readonly #terms: PrimaryTerms;
  /** By their number; a place is empty while its process is started again. */
  readonly #members: (Member | null)[];
  /** Members that have been replaced. */
  readonly #retiring = new Set<Member>();
  readonly #sums = createSums();
  readonly #stopping = new AbortController();
  #rolling: Promise<void> = Promise.resolve();
  #rollsWaiting = 0;
  /** Pending replacements by process number; each resolves with its success. */
  readonly #replacing = new Map<number, Promise<boolean>>();

  constructor(terms: PrimaryTerms) {
    this.#terms = terms;
    this.#members = terms.environments.map(() => null);
    cluster.setupPrimary({ exec: terms.entry, args: [] });
    // The primary accepts connections and distributes them, so none waits at a leaving process.
    cluster.schedulingPolicy = cluster.SCHED_RR;
  }

  async start(): Promise<unknown> {
    const told = await this.#launch(0).ready;
    const others = this.#members.slice(1).map((_none, index) => this.#launch(index + 1));
    await Promise.all(others.map((member) => member.ready));
    for (const [no, member] of this.#members.entries()) if (member) this.#keep(no, member);
    const looking = setInterval(() => this.#look(), lookEveryMs).unref();
    this.#stopping.signal.addEventListener('abort', () => clearInterval(looking));
    return told;
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

  /** Kills hung processes: their connections wait, and their due work is not done. */
  #look(): void {
    for (const [no, member] of this.#members.entries()) {
      if (!member?.isReady || member.leaving || member.hasEnded) continue;
      if (member.look() < mostUnheard) continue;
      this.#terms.log.error({ process: no, pid: member.pid }, 'a process hangs: it is ended');
      member.kill();
    }
  }

  /** Starts a process again whenever it ends by itself. */
  #keep(no: number, member: Member): void {
    void member.ended.then(async () => {
      if (member.leaving || this.#stopped) return;
      this.#terms.log.error(
        { process: no, pid: member.pid },
        'a process ended: it is started again',
      );
      if (await this.#hasPlace(no, member)) await this.#startAgain(no);
    });
  }

  /** True if an ended process has not been replaced and no replacement is pending. */
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
   * Starts a process. True if it runs, or another replaced it meanwhile; false if it ended at once,
   * so that it is not restarted in a loop. Throws the error that kept it from starting.
   */
  async #livesAgain(no: number): Promise<boolean> {
    const member = this.#launch(no);
    const sound = sleep(soundAfterMs, true, { ref: false });
    try {
      await member.ready;
    } catch (error) {
      // The one that replaces it may have been ready before it.
      if (member.leaving || !(await this.#hasPlace(no, member))) return true;
      throw error;
    }
    this.#terms.log.info({ process: no, pid: member.pid }, 'a process was started again');
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

  /** Starts a process to replace another; null if it could not start. */
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
