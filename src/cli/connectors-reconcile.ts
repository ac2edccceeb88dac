import type { Command } from 'commander';
import type { Parts } from '../composition/parts.ts';
import { originOf } from '../config/index.ts';
import type { NoticeParts, Reconciled } from '../connectors/http.ts';
import { compareDays, formatDay } from '../kernel/dates.ts';
import { dayIn } from './arguments.ts';
import { refusal } from './codes.ts';
import { type BaseContext, withBase } from './command.ts';
import { exits, throwAll } from './failure.ts';
import { exitWith } from './invocation.ts';
import { type Answering, print } from './print.ts';

interface ReconcileOptions extends Answering {
  day: Temporal.PlainDate;
  connector?: string;
}

/** Throws unless CONNECTORS lists the connector. */
export function mustBeConfigured({ config }: BaseContext, name: string): void {
  const known = (config.CONNECTORS ?? []).some((one) => one.name === name);
  if (!known) throw refusal('connector.not_configured', { name });
}

/** Builds the parts of the whole service, which notices need, for one command. */
export async function withNotices<T>(
  { config, sql, log }: BaseContext,
  act: (parts: Pick<Parts, 'connectors'> & { notices: NoticeParts }) => Promise<T>,
): Promise<T> {
  const { createParts } = await import('../composition/parts.ts');
  const { noticePartsOf } = await import('../composition/notices.ts');
  const { createMetrics } = await import('../platform/metrics.ts');
  const origin = originOf(config, config.PORT);
  const parts = await createParts(config, { sql, log, metrics: createMetrics(), origin });
  try {
    return await act({ connectors: parts.connectors, notices: noticePartsOf(parts) });
  } finally {
    await parts.connectors.close();
  }
}

const findingRows = (findings: Reconciled['findings']) =>
  findings.map(({ accountId: account, what }) => ({ account, what }));

const reportData = ({ day: _, recorded, findings, ...counts }: Reconciled) => ({
  ...counts,
  recorded: findingRows(recorded),
  findings: findingRows(findings),
});

const linesOf = ({ connector, charges, transfers, recorded, findings }: Reconciled): string[] => [
  ...recorded.map(({ accountId, what }) => `recorded  ${accountId}  ${what}`),
  ...findings.map(({ accountId, what }) => `FINDING   ${accountId}  ${what}`),
  `${connector}: ${charges} charges and ${transfers} transfers compared, ` +
    `${recorded.length} recorded, ${findings.length} findings`,
];

async function reconcileAll(
  context: BaseContext,
  { day, connector: name }: ReconcileOptions,
): Promise<{ reports: Reconciled[]; failures: unknown[] }> {
  const { base, actor, clocks } = context;
  const today = clocks.business.today();
  if (compareDays(day, today) > 0) throw refusal('connector.day_to_come', { today });
  return await withNotices(context, async ({ connectors, notices }) => {
    const { reconcile } = await import('../connectors/http.ts');
    const reports: Reconciled[] = [];
    const failures: unknown[] = [];
    for (const one of connectors.all) {
      if (name !== undefined && one.settings.name !== name) continue;
      try {
        reports.push(await reconcile(notices, { ...base, actor }, one, day));
      } catch (error) {
        failures.push(error);
      }
    }
    return { reports, failures };
  });
}

export function reconcileCommand(connectors: Command): void {
  connectors
    .command('reconcile')
    .description(
      "compare a day with each connector's list, and record missing payments; exits 1 on " +
        'mismatches, which the audit also lists',
    )
    .requiredOption('--day <day>', 'the business day, dd-mm-yyyy or yyyy-mm-dd', dayIn)
    .option('--connector <name>', 'only this connector')
    .option('--json', 'as JSON')
    .action((options: ReconcileOptions) =>
      withBase('connectors reconcile', async (context) => {
        const configured = context.config.CONNECTORS ?? [];
        if (options.connector !== undefined) mustBeConfigured(context, options.connector);
        if (configured.length === 0) throw refusal('connector.none_configured', {});
        const { reports, failures } = await reconcileAll(context, options);
        if (reports.length === 0) throwAll(failures);
        const data = { day: formatDay(options.day), connectors: reports.map(reportData) };
        print(reports.flatMap(linesOf), data, options);
        throwAll(failures);
        if (reports.some(({ findings }) => findings.length > 0)) exitWith(exits.failed);
      }),
    );
}
