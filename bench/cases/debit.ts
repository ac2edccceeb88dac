import path from 'node:path';
import { system } from '../../src/platform/actor.ts';
import {
  type DebitBooks,
  exportDebits,
  importDebits,
  inboundDebits,
  outboundDebits,
} from '../../src/rails/index.ts';
import { copyOut, drain } from '../harness/copy-out.ts';
import { answerTo, createDebitBooks, fillDebits, railTerms, today } from '../harness/debits.ts';
import { apiKey, openLab, startService } from '../harness/lab.ts';
import { peakMemory, residentMegabytes } from '../harness/memory.ts';
import { copyResults } from '../harness/money.ts';
import { openHello, startGenerator } from '../harness/rounds.ts';
import { settled } from '../harness/settle.ts';
import { figure, percentile } from '../numbers.ts';
import { compare, limit } from '../report.ts';
import { type Case, Void } from './case.ts';

const fileLines = 100_000;
const mostExportSeconds = 3;
const mostImportSeconds = 12;
const mostApiMs = 100;
const mostGrowthMegabytes = 150;
const callsPerSecond = 100;
const name = 'direct-debit-350';

const timed = async <T>(work: () => Promise<T>): Promise<{ value: T; seconds: number }> => {
  const begun = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - begun) / 1000 };
};

async function exportAll(books: DebitBooks, directory: string, lines: number): Promise<string> {
  const rail = outboundDebits.find((one) => one.name === name);
  if (!rail) throw new Void(`There is no file ${name}.`);
  const order = { rail, date: today(), directory, another: true, actor: system };
  const { files } = await exportDebits({ ...books, envelope: null }, order, railTerms());
  const [file] = files;
  if (file?.file.lines !== lines) throw new Void('The file does not hold all debits.');
  return file.path;
}

async function importAll(books: DebitBooks, file: string, lines: number): Promise<void> {
  const rail = inboundDebits.find((one) => one.name === name);
  if (!rail) throw new Void(`There is no file ${name}.`);
  const { summary } = await importDebits(
    books,
    { rail, file, sameDay: true, actor: system },
    railTerms(),
  );
  if (summary.paid + summary.rejected !== lines) throw new Void('Not every line was settled.');
}

/** Returns the seconds that COPY takes for the same rows. */
async function copyRuns(url: string, first: number, lines: number): Promise<number> {
  const text = `copy (select d.request_id, d.no, d.run_on, d.amount, r.description, m.id, m.cbu,
      m.details->>'short_description', m.details->>'holder_id_number'
    from debit_runs d join requests r on r.account_id = d.account_id and r.id = d.request_id
    join mandates m on m.account_id = r.account_id and m.kind = 'adhesion'
      and m.id = r.mandate_id
    where r.id between ${first} and ${first + lines - 1} order by r.id) to stdout`;
  const { seconds } = await timed(() => copyOut(url, text, drain));
  return seconds;
}

/** Exports debits to a file and imports their answers while the service handles calls. */
export const debit: Case = async (bench) => {
  const { settings, cleanup, say } = bench;
  const lab = await openLab(cleanup);
  const service = await startService({ dataDir: lab.dataDir, cleanup });
  const books = await createDebitBooks(lab);
  const generator = startGenerator(bench);
  const headers = { authorization: `Bearer ${apiKey}` };
  const requests = [{ method: 'GET' as const, path: '/account/balances', headers }];
  const load = { origin: service.origin, requests, capture: false };
  await generator.warmUp(load);
  const hello = await openHello(bench, generator);
  const lines = settings.rows ?? fileLines;

  const exports: number[] = [];
  const imports: number[] = [];
  const copiesOut: number[] = [];
  const copiesIn: number[] = [];
  const p99: number[] = [];
  const helloP99: number[] = [];
  const growth: number[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    const { first } = await fillDebits(lab.sql, lines);
    const rested = residentMegabytes(process.pid);
    let busy = true;
    const latencies: number[] = [];
    const calls = (async () => {
      while (busy) latencies.push(...(await generator.paced(load, callsPerSecond)).latencies);
    })();
    const { megabytes } = await peakMemory(process.pid, async () => {
      const out = await timed(() => exportAll(books, lab.dataDir, lines));
      exports.push(out.seconds);
      const answer = path.join(lab.dataDir, `answer-${round}.txt`);
      await answerTo(out.value, answer);
      imports.push((await timed(() => importAll(books, answer, lines))).seconds);
    });
    busy = false;
    await calls;
    growth.push(Math.max(0, megabytes - rested));
    p99.push(percentile(latencies, 99));
    await settled(lab.sql);
    helloP99.push(await hello(load, callsPerSecond));
    copiesOut.push(await copyRuns(lab.url, first, lines));
    copiesIn.push(lines / (await copyResults(lab, { first, count: lines })));
    say(
      `  round ${round}: out ${exports.at(-1)?.toFixed(1)} s, in ${imports.at(-1)?.toFixed(1)} s`,
    );
  }
  return [
    limit('debit.export', figure(exports, 's'), mostExportSeconds, {
      'COPY of the same rows': figure(copiesOut, 's'),
    }),
    limit('debit.import', figure(imports, 's'), mostImportSeconds),
    compare(
      'debit.import.copy',
      's',
      { ours: imports, reference: copiesIn },
      { bound: 'most', ratio: 8, of: 'COPY of the bare results' },
    ),
    limit('debit.api-p99', figure(p99, 'ms'), mostApiMs, {
      'p99 of hello at that rate': figure(helloP99, 'ms'),
    }),
    limit('debit.memory', figure(growth, 'MB'), mostGrowthMegabytes),
  ];
};
