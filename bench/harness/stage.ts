import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Bench } from '../cases/case.ts';
import type { HandwrittenOptions } from '../references/handwritten/server.ts';
import { startChild } from './child.ts';
import { apiKey, type Lab, openLab, pool, type Service, startService } from './lab.ts';
import { creatingRequests, type Row, sampleRow } from './rows.ts';

/** The real service and the references, each in a separate process, on one database. */
export interface Stage {
  lab: Lab;
  service: Service;
  hello: string;
  sameBody: string;
  handwritten: string;
  today: Temporal.PlainDate;
  /** A sample row, as a template for others. */
  sample: Row;
}

export const startReference = <Q>(
  role: string,
  options: Q,
  cleanup: AsyncDisposableStack,
  log: number | 'inherit' = 'inherit',
): Promise<string> => startChild<Q, string>(role, cleanup, log).ask(options);

/**
 * Starts the service and the references. `bodyOf` fetches from the service the body that reference
 * (a') returns.
 */
export async function openStage(
  { cleanup }: Bench,
  bodyOf: (service: Service, lab: Lab) => Promise<unknown>,
): Promise<Stage> {
  const lab = await openLab(cleanup);
  const service = await startService({ dataDir: lab.dataDir, cleanup });
  const body = await bodyOf(service, lab);
  const handwritten: HandwrittenOptions = { databaseUrl: lab.url, pool };
  return {
    lab,
    service,
    hello: await startReference('hello', {}, cleanup),
    sameBody: await startReference('same-body', { body }, cleanup),
    handwritten: await startReference('handwritten', handwritten, cleanup),
    today: dayOf(wallClock.now()),
    sample: sampleRow(),
  };
}

/** Creates one request at the service and returns the body. */
export async function createOne(service: Service): Promise<{ id: number }> {
  const [request] = creatingRequests(apiKey, dayOf(wallClock.now()));
  const response = await fetch(`${service.origin}${request?.path}`, {
    method: 'POST',
    headers: request?.headers ?? {},
    body: request?.body ?? '',
  });
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as { id: number };
}
