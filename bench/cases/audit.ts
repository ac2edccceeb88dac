import { evidences, reportAccount } from '../../src/audit/index.ts';
import { dayOf } from '../../src/kernel/dates.ts';
import { sealAll } from '../../src/money/ledger/index.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { vaultKeysIn } from '../../src/platform/vault-file.ts';
import { createSealKeys, type Sealer, sealLagging } from '../../src/seals/index.ts';
import { copyOut, drain } from '../harness/copy-out.ts';
import { type Lab, openLab, startService } from '../harness/lab.ts';
import { peakMemory, residentMegabytes } from '../harness/memory.ts';
import { openRecorder, unpaid } from '../harness/money.ts';
import { interleave } from '../harness/rounds.ts';
import { accountId } from '../harness/rows.ts';
import { figure } from '../numbers.ts';
import { compare, limit } from '../report.ts';
import { type Case, Void } from './case.ts';

const collections = 200_000;
const leastRatio = 0.2;
const mostGrowthMegabytes = 100;

/** Tables read by an account's audit. */
const tables = ['requests', 'events', 'results', 'journals', 'seals', 'seal_links'] as const;

/** Returns a sealer with the lab service's own key, so that one key makes all seals. */
async function sealerOf({ dataDir }: Lab): Promise<Sealer> {
  const keys = await vaultKeysIn(dataDir);
  if (!keys) throw new Void('The service drew no key.');
  return { keys: createSealKeys(keys), moment: wallClock.now };
}

async function rowsOf({ sql }: Lab): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(table)} where account_id = ${accountId}`;
    rows += row?.count ?? 0;
  }
  return rows;
}

const copyAll = async ({ url }: Lab): Promise<void> => {
  for (const table of tables) {
    const own = `copy (select * from ${table} where account_id = '${accountId}') to stdout`;
    await copyOut(url, own, drain);
  }
};

/** Compares an audit of an account with many payments with COPY of the same tables. */
export const audit: Case = async (bench) => {
  const { settings, cleanup } = bench;
  const lab = await openLab(cleanup);
  // The service creates the schema and the account. The case seals below, which leaves the service
  // nothing to seal.
  const service = await startService({ dataDir: lab.dataDir, cleanup });
  await service.stop();
  const sealer = await sealerOf(lab);
  const record = await openRecorder(lab);
  await record(await unpaid(lab.sql, settings.rows ?? collections));
  await sealAll(lab.sql, sealer);
  await sealLagging(lab.sql, sealer, evidences);
  await lab.sql`vacuum analyze`;
  const rows = await rowsOf(lab);
  const rested = residentMegabytes(process.pid);
  const growth: number[] = [];
  const rates = await interleave(
    [
      {
        name: 'audit',
        async run() {
          const begun = performance.now();
          const today = dayOf(wallClock.now());
          const look = () => reportAccount(lab.sql, accountId, today, { keys: sealer.keys });
          const { value, megabytes } = await peakMemory(process.pid, look);
          const [fault] = value.faults;
          if (fault) throw new Void(`The audit found ${value.faults.length}: ${fault.what}`);
          growth.push(Math.max(0, megabytes - rested));
          return (rows * 1000) / (performance.now() - begun);
        },
      },
      {
        name: 'COPY',
        async run() {
          const begun = performance.now();
          await copyAll(lab);
          return (rows * 1000) / (performance.now() - begun);
        },
      },
    ],
    bench,
  );
  const target = {
    bound: 'least',
    ratio: leastRatio,
    of: 'COPY of the tables that it reads',
  } as const;
  return [
    compare('audit', 'rows/s', { ours: rates('audit'), reference: rates('COPY') }, target),
    limit('audit.memory', figure(growth, 'MB'), mostGrowthMegabytes),
  ];
};
