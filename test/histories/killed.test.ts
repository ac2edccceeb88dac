import { writeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Figures, history } from './history.ts';
import { type Apart, type Kills, killedDeployment } from './killed-deployment.ts';
import { randomOf } from './random.ts';

/**
 * Plays the same histories while processes and the database are killed with -9, or paused, at any
 * moment. An acknowledged act is stored; any other is stored once or not at all, and repeating the
 * call settles it.
 *
 * Plays `HISTORY_OPERATIONS` in histories of up to 1,250 operations, each in a separate deployment,
 * two at a time (`HISTORY_LANES`). `HISTORY_SEED` is the seed of the first one. After
 * `HISTORY_MINUTES` no new moment starts, and everything done is compared.
 */
const {
  HISTORY_SEED = '1',
  HISTORY_OPERATIONS = '60',
  HISTORY_MINUTES = '2',
  HISTORY_LANES = '2',
} = process.env;
const wanted = Number(HISTORY_OPERATIONS);
const playsForMs = Number(HISTORY_MINUTES) * 60_000;
/** Timeout of the last comparisons and audits on a busy machine. */
const endsWithinMs = 240_000;
const most = 1_250;
const tellsEachMs = 10_000;
/** A short run needs kills too. */
const apart: Apart = wanted < 1_000 ? [8, 20] : [15, 40];

interface Played {
  kills: Kills;
  figures: Figures | null;
  isDone: boolean;
}

/** Creates the histories, played one after another in each lane. */
function stage() {
  const startedAt = performance.now();
  const all: Played[] = [];
  const seconds = (): number => Math.round((performance.now() - startedAt) / 1000);
  const isOver = (): boolean => performance.now() - startedAt > playsForMs;

  const play = async (seed: number, operations: number): Promise<void> => {
    const random = randomOf(seed);
    const played: Played = {
      kills: { service: 0, database: 0, frozen: 0 },
      figures: null,
      isDone: false,
    };
    all.push(played);
    const deployment = await killedDeployment(random, { kills: played.kills, apart });
    try {
      const onMoment = (figures: Figures): void => {
        played.figures = figures;
      };
      played.figures = await history(deployment, random, { seed, operations, isOver, onMoment });
      played.isDone = true;
    } finally {
      await deployment.stop();
    }
  };

  const sum = (of: (one: Played) => number | undefined): number =>
    all.reduce((total, one) => total + (of(one) ?? 0), 0);
  const channels = (): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { figures } of all) {
      for (const [name, count] of Object.entries(figures?.channels ?? {})) {
        counts[name] = (counts[name] ?? 0) + count;
      }
    }
    return counts;
  };
  const figures = () => ({
    seconds: seconds(),
    histories: all.length,
    compared: all.filter(({ isDone }) => isDone).length,
    operations: sum((one) => one.figures?.operations),
    calls: sum((one) => one.figures?.calls),
    days: sum((one) => one.figures?.days),
    payments: sum((one) => one.figures?.payments),
    channels: channels(),
    backs: sum((one) => one.figures?.backs),
    killed: {
      services: sum((one) => one.kills.service),
      databases: sum((one) => one.kills.database),
      frozen: sum((one) => one.kills.frozen),
    },
  });
  return { play, figures, isOver };
}

/** Writes to stderr at once, so that even an interrupted run shows its figures. */
const tell = (figures: object): void => {
  writeSync(2, `${JSON.stringify(figures)}\n`);
};

test(
  'loses nothing and counts nothing twice when killed during histories',
  async () => {
    const { play, figures, isOver } = stage();
    const lengths = Array.from({ length: Math.ceil(wanted / most) }, (_none, at) =>
      Math.min(most, wanted - at * most),
    );
    const waiting = [...lengths.entries()];
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !isOver(); next = waiting.shift()) {
        const [at, operations] = next;
        await play(Number(HISTORY_SEED) + at, operations);
      }
    };
    const telling = setInterval(() => tell(figures()), tellsEachMs);
    try {
      const lanes = await Promise.allSettled(Array.from({ length: Number(HISTORY_LANES) }, lane));
      for (const one of lanes) if (one.status === 'rejected') throw one.reason;
    } finally {
      clearInterval(telling);
      tell(figures());
    }
    const { operations, compared, histories, killed } = figures();
    expect(compared).toBe(histories);
    expect(operations >= wanted || isOver()).toBe(true);
    if (operations < wanted) return;
    expect(killed.services).toBeGreaterThan(0);
    expect(killed.databases).toBeGreaterThan(0);
  },
  playsForMs + endsWithinMs,
);
