import { Recaudo } from '../../clients/typescript/src/index.ts';
import { apiKey, openLab, startService } from '../harness/lab.ts';
import { createOne } from '../harness/stage.ts';
import { compare } from '../report.ts';
import { type Case, Void } from './case.ts';

/** Concurrent calls, typical of a small shop. */
const together = 8;
const warmUpCalls = 4_000;
/** Short turns, so that the load of other programs affects both sides alike. */
const sliceMs = 100;

/** Compares reads through the TypeScript client with `fetch`, both in this process. */
export const client: Case = async (bench) => {
  const { dataDir } = await openLab(bench.cleanup);
  const environment = { RATE_LIMIT: '0' };
  const service = await startService({ dataDir, cleanup: bench.cleanup, environment });
  const { id } = await createOne(service);
  const recaudo = new Recaudo({ key: apiKey, baseUrl: service.origin });
  const address = `${service.origin}/payment-request/${id}`;
  const headers = { authorization: `Bearer ${apiKey}` };
  const read = {
    client: () => recaudo.paymentRequests.get(id),
    fetch: async () => (await (await fetch(address, { headers })).json()) as { id: number },
  };

  type Call = () => Promise<{ id: number }>;
  /** Repeats a call while `goesOn` allows it. Returns the number of calls. */
  const countOf = async (call: Call, goesOn: (done: number) => boolean): Promise<number> => {
    let done = 0;
    const loop = async (): Promise<void> => {
      while (goesOn(done)) {
        const answer = await call();
        if (answer.id !== id) throw new Void(`GET answered ${JSON.stringify(answer)}.`);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: together }, loop));
    return done;
  };
  const sides = [read.client, read.fetch].map((call) => ({ call, rates: [] as number[] }));

  for (const { call } of sides) await countOf(call, (done) => done < warmUpCalls);
  for (let round = 1; round <= bench.settings.rounds; round += 1) {
    const turns = sides.map((side) => ({ side, count: 0, ms: 0 }));
    for (let slice = 0; slice < (bench.settings.seconds * 1000) / sliceMs; slice += 1) {
      // Both sides go first equally often.
      for (const turn of slice % 2 === 0 ? turns : turns.toReversed()) {
        const started = performance.now();
        turn.count += await countOf(turn.side.call, () => performance.now() - started < sliceMs);
        turn.ms += performance.now() - started;
      }
    }
    for (const { side, count, ms } of turns) side.rates.push((count * 1000) / ms);
    const [client, fetch] = sides.map(({ rates }) => Math.round(rates.at(-1) ?? 0));
    bench.say(
      `  round ${round} of ${bench.settings.rounds}: client ${client}, fetch ${fetch} a second`,
    );
  }
  const [ours = [], reference = []] = sides.map(({ rates }) => rates);
  return [
    compare(
      'client',
      'req/s',
      { ours, reference },
      { bound: 'least', ratio: 0.9, of: 'the same calls by fetch' },
    ),
  ];
};
