import { availableParallelism } from 'node:os';
import { type Bench, Void } from '../cases/case.ts';
import { percentile } from '../numbers.ts';
import { type Child, startChild } from './child.ts';
import type { LoadOrder, LoadOutcome, Request } from './load.ts';

/** A candidate of a comparison: runs once and returns its rate. */
export interface Contender {
  name: string;
  run(): Promise<number>;
  /** Waits for a run's background work, so that the next one has the machine to itself. */
  settle?(): Promise<void>;
}

export type Rates = (name: string) => number[];

/** Runs A B C, A B C, …, so that other load on the machine affects all of them. */
export async function interleave(
  contenders: Contender[],
  { settings, say }: Bench,
): Promise<Rates> {
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 1; round <= settings.rounds; round += 1) {
    const said: string[] = [];
    for (const { name, run, settle } of contenders) {
      const rate = await run();
      await settle?.();
      rates.get(name)?.push(rate);
      said.push(`${name} ${Math.round(rate)}`);
    }
    say(`  round ${round} of ${settings.rounds}: ${said.join(', ')} a second`);
  }
  return (name) => rates.get(name) ?? [];
}

export interface Load {
  origin: string;
  requests: Request[];
  /** True if answers contain the created id. */
  capture: boolean;
  /** Instead of the number in the settings. */
  connections?: number;
}

const warmUpSeconds = 2;
/** Compilation depends on the number of calls, not on time. */
const warmUpCalls = 20_000;
const longestWarmUpSeconds = 16;
/** Seconds to wait for the remaining answers of a run at an even rate. */
const patienceFor = (seconds: number): number => Math.max(30, 2 * seconds);
/** Extra time beyond a run, for its last answers and for a busy machine. */
const graceSeconds = 60;

/** The result of a run at an even rate. */
export interface Paced {
  /** Milliseconds since each request was due, in due order. */
  latencies: number[];
  /** The generator's own delay for each, in milliseconds. */
  late: number[];
  ids: number[];
}

export interface PaceOptions {
  /** Allows missing answers, for a reference that cannot sustain the rate. */
  mayLag?: boolean;
}

export interface Generator {
  /**
   * Sends as fast as the connections allow; returns requests per second and the acknowledged ids.
   */
  flood(load: Load): Promise<{ rate: number; ids: number[] }>;
  /** Sends `rate` per second evenly, however fast the answers arrive. */
  paced(load: Load, rate: number, options?: PaceOptions): Promise<Paced>;
  /**
   * Sends a few thousand calls to warm caches, plans and compiled code; their rate does not count.
   */
  warmUp(load: Load): Promise<{ ids: number[] }>;
}

/** Two sending processes, if that leaves two cores to the servers. */
const senders = availableParallelism() >= 4 ? 2 : 1;

/** Lead time for every sender to get its order before the first request is due. */
const leadMs = 200;

/** Merges the results of senders that took turns, in sending order. */
export function inTurn(parts: readonly number[][]): number[] {
  const longest = Math.max(...parts.map((part) => part.length));
  const all: number[] = [];
  for (let index = 0; index < longest; index += 1) {
    for (const part of parts) {
      const value = part[index];
      if (value !== undefined) all.push(value);
    }
  }
  return all;
}

/** Starts the load generator in its own processes. Any status other than 2xx voids the run. */
export function startGenerator({ settings, cleanup }: Bench): Generator {
  const children = Array.from(
    { length: senders },
    (): Child<LoadOrder, LoadOutcome> => startChild('load', cleanup),
  );
  const { connections, seconds } = settings;
  const [first] = children;
  if (!first) throw new RangeError('Somebody has to send.');

  const refuse = ({ origin, requests }: Load, fault: string): never => {
    const [one] = requests;
    throw new Void(`${one?.method} ${one?.path} at ${origin}: ${fault}`);
  };
  const flood = async (load: Load, length: number): Promise<LoadOutcome> => {
    const order = { connections, ...load, kind: 'flood', seconds: length } as const;
    const outcome = await first.ask(order, length + graceSeconds);
    return outcome.fault === null ? outcome : refuse(load, outcome.fault);
  };

  return {
    async flood(load) {
      const { count, seconds: took, ids } = await flood(load, seconds);
      return { rate: count / took, ids };
    },
    async paced(load, rate, { mayLag = false } = {}) {
      const startAt = performance.timeOrigin + performance.now() + leadMs;
      const patience = patienceFor(seconds);
      const common = { ...load, kind: 'paced', connections, seconds, rate, startAt } as const;
      const outcomes = await Promise.all(
        children.map((child, no) =>
          child.ask(
            { ...common, patience, part: { no, of: children.length } },
            seconds + patience + graceSeconds,
          ),
        ),
      );
      const fault = outcomes.find((one) => one.fault !== null)?.fault;
      if (fault) refuse(load, fault);
      const unanswered = outcomes.reduce((sum, one) => sum + one.unanswered, 0);
      if (unanswered > 0 && !mayLag) {
        refuse(load, `${unanswered} were not answered in ${patience} s`);
      }
      return {
        latencies: inTurn(outcomes.map((one) => one.latencies)),
        late: inTurn(outcomes.map((one) => one.late)),
        ids: outcomes.flatMap((one) => one.ids),
      };
    },
    async warmUp(load) {
      const ids: number[][] = [];
      let calls = 0;
      for (
        let left = longestWarmUpSeconds;
        left > 0 && calls < warmUpCalls;
        left -= warmUpSeconds
      ) {
        const outcome = await flood(load, warmUpSeconds);
        ids.push(outcome.ids);
        calls += outcome.count;
      }
      return { ids: ids.flat() };
    },
  };
}

/** A candidate whose answers are timed at a common rate. */
export interface Timed {
  name: string;
  load: Load;
  options?: PaceOptions;
  /** Checks the acknowledged ids. */
  check?: (ids: number[]) => Promise<void>;
  /** Waits for a round's background work. */
  settle?: () => Promise<void>;
}

export interface Timings {
  /** Returns a percentile of each round. */
  at(name: string, percent: number): number[];
  /** Returns the 99th percentile of the generator's own delay, by round. */
  late(name: string): number[];
}

/** Times all candidates at one rate: A B C, A B C, … */
export async function timedRounds(
  generator: Generator,
  contenders: Timed[],
  rate: number,
  { settings, say }: Pick<Bench, 'settings' | 'say'>,
): Promise<Timings> {
  const rounds = new Map<string, Paced[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 1; round <= settings.rounds; round += 1) {
    const said: string[] = [];
    for (const { name, load, options = {}, check, settle } of contenders) {
      const one = await generator.paced(load, rate, options);
      await check?.(one.ids);
      await settle?.();
      rounds.get(name)?.push(one);
      said.push(`${name} ${percentile(one.latencies, 99).toFixed(1)}`);
    }
    say(`  p99 at ${Math.round(rate)} a second, round ${round}: ${said.join(', ')} ms`);
  }
  const of = (name: string): Paced[] => rounds.get(name) ?? [];
  return {
    at: (name, percent) => of(name).map(({ latencies }) => percentile(latencies, percent)),
    late: (name) => of(name).map(({ late }) => percentile(late, 99)),
  };
}

/** Starts a server that does nothing, to measure the generator and the machine alone. */
export async function openHello(bench: Bench, generator: Generator) {
  const origin = await startChild<object, string>('hello', bench.cleanup).ask({});
  /** Returns a percentile of the answers to the same requests at the same rate. */
  return async (load: Load, rate: number, percent = 99): Promise<number> => {
    const one = { ...load, origin, capture: false };
    return percentile((await generator.paced(one, rate)).latencies, percent);
  };
}
