import { type Bench, Void } from '../cases/case.ts';
import { type Child, startChild } from './child.ts';
import type { LoadOrder, LoadOutcome, Request } from './load.ts';

/** One of the things that are compared: runs once and answers its rate. */
export interface Contender {
  name: string;
  run(): Promise<number>;
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
    for (const { name, run } of contenders) {
      const rate = await run();
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
  /** Whether answers name what they created. */
  capture: boolean;
}

const warmUpSeconds = 2;

export interface Generator {
  /** As fast as the connections allow; answers requests a second and the ids acknowledged. */
  flood(load: Load): Promise<{ rate: number; ids: number[] }>;
  /** Evenly, so many a second; answers milliseconds of each. */
  paced(load: Load, rate: number): Promise<{ latencies: number[]; ids: number[] }>;
  /** A short flood, for caches, plans and compiled code; its rate does not count. */
  warmUp(load: Load): Promise<{ ids: number[] }>;
}

/** The load generator, in a process of its own. Any answer but 2xx makes the run void. */
export function startGenerator({ settings, cleanup }: Bench): Generator {
  const child: Child<LoadOrder, LoadOutcome> = startChild('load', cleanup);
  const { connections, seconds } = settings;

  const order = async (one: Omit<LoadOrder, 'connections'>): Promise<LoadOutcome> => {
    const outcome = await child.ask({ ...one, connections });
    if (outcome.fault !== null) throw new Void(`${one.origin}: ${outcome.fault}`);
    return outcome;
  };

  return {
    async flood(load) {
      const outcome = await order({ ...load, kind: 'flood', seconds, rate: 0 });
      return { rate: outcome.count / outcome.seconds, ids: outcome.ids };
    },
    paced: (load, rate) => order({ ...load, kind: 'paced', seconds, rate }),
    warmUp: (load) => order({ ...load, kind: 'flood', seconds: warmUpSeconds, rate: 0 }),
  };
}
