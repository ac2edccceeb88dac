import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { apiKey, type Lab, openLab, pool, type Service, startService } from '../harness/lab.ts';
import type { Request } from '../harness/load.ts';
import { call, checkQrs, copyQrs, documentOf, qrItems, timed } from '../harness/qrs.ts';
import { type Generator, interleave, startGenerator } from '../harness/rounds.ts';
import { settled } from '../harness/settle.ts';
import { startReference } from '../harness/stage.ts';
import { figure, median } from '../numbers.ts';
import type { HandwrittenOptions } from '../references/handwritten/server.ts';
import { compare, floor, limit, type Result } from '../report.ts';
import type { Bench, Case } from './case.ts';

const batchItems = 10_000;
const mostSaveMs = 600;
const mostChangeMs = 1_000;
const leastImages = 300;
/** Number of QRs to read. They fit in one batch, but their images exceed the cache. */
const readQrs = 5_000;

interface Setting {
  bench: Bench;
  lab: Lab;
  service: Service;
  today: Temporal.PlainDate;
}

/**
 * Measures save-qr-data, batch-edit-qr and batch-delete-qr with 10,000 items, on new ids in each
 * round.
 */
async function batches({ bench, lab, service, today }: Setting): Promise<Result[]> {
  const saved: number[] = [];
  const edited: number[] = [];
  const deleted: number[] = [];
  const copied: number[] = [];
  const run = async (prefix: string): Promise<[number, number, number]> => {
    const items = qrItems(prefix, batchItems, today);
    const news = documentOf(items);
    const edits = documentOf(items.map((item) => ({ ...item, first_total: 2000 })));
    const ids = documentOf(items.map(({ id }) => id));
    const wanted = { count: batchItems, state: 'pending' };
    const save = await timed(() => call(service, 'POST', '/save-qr-data', news));
    await checkQrs(lab, prefix, wanted);
    const edit = await timed(() => call(service, 'POST', '/batch-edit-qr', edits));
    const remove = await timed(() => call(service, 'DELETE', '/batch-delete-qr', ids));
    await checkQrs(lab, prefix, { ...wanted, state: 'deleted' });
    return [save, edit, remove];
  };
  await run('warm');
  for (let round = 1; round <= bench.settings.rounds; round += 1) {
    const [save, edit, remove] = await run(`round-${round}`);
    saved.push(save);
    edited.push(edit);
    deleted.push(remove);
    await settled(lab.sql);
    copied.push(await copyQrs(lab, `copy-${round}`, batchItems));
    bench.say(`  round ${round}: save ${save.toFixed(0)} ms, COPY ${copied.at(-1)?.toFixed(0)} ms`);
  }
  return [
    limit('qr.save', figure(saved, 'ms'), mostSaveMs),
    compare(
      'qr.save.copy',
      'ms',
      { ours: saved, reference: copied },
      { bound: 'below', ratio: 4, of: 'COPY of the same rows' },
    ),
    limit('qr.edit', figure(edited, 'ms'), mostChangeMs),
    limit('qr.delete', figure(deleted, 'ms'), mostChangeMs),
  ];
}

/** As many images as the service draws for one network and lets wait; it refuses more with 503. */
const imageConnections = 32;

interface Status {
  id: string;
  image_svg_url: string;
}

const getting = (path: string): Request => ({
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${apiKey}` },
});

/** Saves the QRs to read; returns their statuses. */
async function statuses({ service, today }: Setting): Promise<Status[]> {
  const items = qrItems('read', readQrs, today);
  await call(service, 'POST', '/save-qr-data', documentOf(items));
  const all: Status[] = [];
  for (let at = 0; at < items.length; at += 50) {
    const some = items.slice(at, at + 50).map(({ id }) => call(service, 'GET', `/status/${id}`));
    all.push(...((await Promise.all(some)) as Status[]));
  }
  return all;
}

/**
 * Compares GET /status/{qr_id} with one hand-written SELECT, and with the same answer without a
 * database. Also measures images.
 */
async function reads(setting: Setting, generator: Generator): Promise<Result[]> {
  const { bench, service } = setting;
  const all = await statuses(setting);
  await settled(setting.lab.sql);
  // Realistic plans on both sides: without statistics, the hand-written SELECT scans the table.
  await setting.lab.sql`vacuum analyze requests, events, results`;
  const sameBody = await startReference('same-body', { body: all[0] }, bench.cleanup);
  const options: HandwrittenOptions = { databaseUrl: setting.lab.url, pool };
  const byHand = await startReference('handwritten', options, bench.cleanup);
  const byId = all.map(({ id }) => getting(`/status/${id}`));
  const images = all.map(({ image_svg_url: url }) => getting(new URL(url).pathname));
  const flooding = (name: string, origin: string, requests: Request[], connections?: number) => {
    const load = { origin, requests, capture: false, ...(connections && { connections }) };
    return { name, load, run: async () => (await generator.flood(load)).rate };
  };
  const contenders = [
    flooding('status', service.origin, byId),
    flooding('same body', sameBody, byId),
    flooding('one SELECT', byHand, byId),
    flooding('SVG', service.origin, images, imageConnections),
  ];
  for (const { load } of contenders) await generator.warmUp(load);
  const rates = await interleave(contenders, bench);
  bench.say(`  ${Math.round(median(rates('SVG')))} images a second`);
  const ours = rates('status');
  return [
    compare(
      'qr.status',
      'req/s',
      { ours, reference: rates('one SELECT') },
      { bound: 'least', ratio: 4, of: 'one hand-written SELECT for each call' },
    ),
    compare(
      'qr.status.bare',
      'req/s',
      { ours, reference: rates('same body') },
      { bound: 'least', ratio: 0.6, of: 'the same body without a database' },
    ),
    floor('qr.svg', figure(rates('SVG'), 'images/s'), leastImages),
  ];
}

/** Measures the QR service: batches of 10,000, status by id, and images. */
export const qr: Case = async (bench) => {
  const lab = await openLab(bench.cleanup);
  const service = await startService({ dataDir: lab.dataDir, cleanup: bench.cleanup });
  const setting = { bench, lab, service, today: dayOf(wallClock.now()) };
  return [...(await batches(setting)), ...(await reads(setting, startGenerator(bench)))];
};
