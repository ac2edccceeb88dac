import { availableParallelism } from 'node:os';
import { type Bench, Void } from '../cases/case.ts';
import { percentile } from '../numbers.ts';
import { type Child, startChild } from './child.ts';
import type { LoadOrder, LoadOutcome, Request } from './load.ts';

/** One of the things that are compared: runs once and answers its rate. */
export interface Contender {
  name: string;
  run(): Promise<number>;
  /** Waits for what a run left to be done behind it, so that the next has the machine to itself. */
  settle?(): Promise<void>;
}

export type Rates = (name: string) => number[];

/** Runs A B C, A B C, …, so that whatever else the machine does meets all of them. */
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
  /** True if answers name the created thing. */
  capture: boolean;
}

const warmUpSeconds = 2;
/** Code is compiled by how often it ran, whatever time that took. */
const warmUpCalls = 20_000;
const longestWarmUpSeconds = 16;
/** For how long answers are waited for that a run at an even rate left behind. */
const patienceFor = (seconds: number): number => Math.max(30, 2 * seconds);
/** Beyond the length of a run: for its last answers, and for a machine that is busy. */
const graceSeconds = 60;

/** The result of a run at an even rate. */
export interface Paced {
  /** Milliseconds of each from the moment it was due, in the order in which they were due. */
  latencies: number[];
  /** Milliseconds by which the generator itself was late with each. */
  late: number[];
  ids: number[];
}

export interface PaceOptions {
  /** Allows missing answers: a reference that cannot keep up with the rate. */
  mayLag?: boolean;
}

export interface Generator {
  /** As fast as the connections allow; answers requests a second and the ids acknowledged. */
  flood(load: Load): Promise<{ rate: number; ids: number[] }>;
  /** Evenly, so many a second, whatever the answers do. */
  paced(load: Load, rate: number, options?: PaceOptions): Promise<Paced>;
  /** Some thousand calls, for caches, plans and compiled code; their rate does not count. */
  warmUp(load: Load): Promise<{ ids: number[] }>;
}

/** Two processes send where that leaves two cores to those who answer. */
const senders = availableParallelism() >= 4 ? 2 : 1;

/** Time for every sender to have its order before the first request is due. */
const leadMs = 200;

/** Joins the results of parts that sent in turn, in the order of sending. */
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

/** The load generator, in processes of its own. Any answer but 2xx makes the run void. */
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
    const order = { ...load, kind: 'flood', connections, seconds: length } as const;
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

/** One of the things whose answers are timed at the same rate. */
export interface Timed {
  name: string;
  load: Load;
  options?: PaceOptions;
  /** Looks at what was acknowledged. */
  check?: (ids: number[]) => Promise<void>;
  /** Waits for what a round left to be done behind it. */
  settle?: () => Promise<void>;
}

export interface Timings {
  /** That percentile of each round. */
  at(name: string, percent: number): number[];
  /** 99 of 100 requests were sent no later than that by the generator, round by round. */
  late(name: string): number[];
}

/** Times answers at one rate, A B C, A B C, … */
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

/** A server that does nothing: what the generator and the machine come to by themselves. */
export async function openHello(bench: Bench, generator: Generator) {
  const origin = await startChild<object, string>('hello', bench.cleanup).ask({});
  /** That percentile of answers to the same requests at the same rate. */
  return async (load: Load, rate: number, percent = 99): Promise<number> => {
    const one = { ...load, origin, capture: false };
    return percentile((await generator.paced(one, rate)).latencies, percent);
  };
}
