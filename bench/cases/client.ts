import { Recaudo } from '../../clients/typescript/src/index.ts';
import { apiKey, openLab, startService } from '../harness/lab.ts';
import { interleave } from '../harness/rounds.ts';
import { createOne } from '../harness/stage.ts';
import { compare } from '../report.ts';
import { type Case, Void } from './case.ts';

/** Concurrent calls, typical of a small shop. */
const together = 8;
const warmUpCalls = 2_000;

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

  /** Returns calls per second during one round. */
  const rateOf = async (call: () => Promise<{ id: number }>, goesOn: (done: number) => boolean) => {
    const started = performance.now();
    let done = 0;
    const loop = async (): Promise<void> => {
      while (goesOn(done)) {
        const answer = await call();
        if (answer.id !== id) throw new Void(`GET answered ${JSON.stringify(answer)}.`);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: together }, loop));
    return (done * 1000) / (performance.now() - started);
  };
  const timed = (call: () => Promise<{ id: number }>) => () => {
    const ends = performance.now() + bench.settings.seconds * 1000;
    return rateOf(call, () => performance.now() < ends);
  };

  for (const call of Object.values(read)) await rateOf(call, (done) => done < warmUpCalls);
  const rates = await interleave(
    [
      { name: 'client', run: timed(read.client) },
      { name: 'fetch', run: timed(read.fetch) },
    ],
    bench,
  );
  return [
    compare(
      'client',
      'req/s',
      { ours: rates('client'), reference: rates('fetch') },
      { bound: 'least', ratio: 0.9, of: 'the same calls by fetch' },
    ),
  ];
};
