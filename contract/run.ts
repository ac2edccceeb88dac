import { randomBytes } from 'node:crypto';
import { Breach, openApi, Skip, type Target } from './api.ts';
import type { Check, Result, World } from './check.ts';
import { debits } from './checks/debits.ts';
import { extensions } from './checks/extensions.ts';
import { paymentRequests } from './checks/payment-requests.ts';
import { qr } from './checks/qr.ts';
import { reports } from './checks/reports.ts';

/**
 * Order matters: the first request reveals the current day, and the reports include the paid QR.
 */
export const checks: Check[] = [
  ...[paymentRequests, debits, qr, reports, extensions].flatMap((all) => all()),
];

const dayMs = 86_400_000;

function openWorld(target: Target): World {
  let today = Date.now();
  return {
    ...openApi(target),
    run: `C${randomBytes(4).toString('hex').toUpperCase()}`,
    setToday: (moment) => {
      today = Date.parse(`${moment.slice(0, 10)}T00:00:00Z`);
    },
    day: (days) =>
      new Date(today + days * dayMs).toISOString().slice(0, 10).split('-').reverse().join('-'),
  };
}

/** Runs every check against an implementation. A failed check does not stop the others. */
export async function runContract(target: Target): Promise<Result[]> {
  const world = openWorld(target);
  const results: Result[] = [];
  for (const { run, ...check } of checks) {
    try {
      await run(world);
      results.push({ ...check, verdict: 'passed' });
    } catch (error) {
      if (!(error instanceof Breach || error instanceof Skip)) throw error;
      const verdict = error instanceof Skip ? 'skipped' : 'failed';
      // An implementation may echo the key in its answer.
      const reason = error.message.replaceAll(target.key, '…');
      results.push({ ...check, verdict, reason });
    }
  }
  return results;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

/** Formats the results as Markdown, with one table per section. */
export function reportOf(results: readonly Result[], base: string): string {
  const count = (verdict: Result['verdict'], level: Result['level']): number =>
    results.filter((one) => one.verdict === verdict && one.level === level).length;
  const summary = (['interface', 'extension'] as const).map((level) => {
    const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((verdict) =>
      count(verdict, level),
    );
    return `| ${level} | ${passed} | ${failed} | ${skipped} |`;
  });
  const sections = [...Map.groupBy(results, (one) => one.section)].map(([name, rows]) =>
    [
      `## ${name}`,
      '',
      '| Rule | Result | Reason |',
      '| --- | --- | --- |',
      ...rows.map((one) => `| ${cell(one.rule)} | ${one.verdict} | ${cell(one.reason ?? '')} |`),
    ].join('\n'),
  );
  const head = ['| Level | Passed | Failed | Skipped |', '| --- | --- | --- | --- |', ...summary];
  return `# Contract of ${base}\n\n${head.join('\n')}\n\n${sections.join('\n\n')}\n`;
}
