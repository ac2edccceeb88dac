import { type Command, InvalidArgumentError } from 'commander';
import { faultsOfSettings, settingText } from '../../connectors/protocol/settings.ts';
import { setConnectorSettings } from '../accounts/index.ts';
import { originOf } from '../config.ts';
import type { Reconciled } from '../connectors/http.ts';
import { forgetAlarms, readAlarms } from '../connectors/index.ts';
import { noteOperator } from '../events/index.ts';
import { compareDays, formatDay, isoDateTime } from '../kernel/dates.ts';
import type { Acting } from '../platform/base.ts';
import { dayIn } from './arguments.ts';
import { refusal } from './codes.ts';
import { type BaseContext, withBase } from './command.ts';
import { holdCommands } from './connector-holds.ts';
import { letterCommands } from './connector-letters.ts';
import { exits, throwAll } from './failure.ts';
import { exitWith } from './invocation.ts';
import { type Answering, print, printRows } from './print.ts';

const objectIn = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { ...value };
    }
  } catch {
    // The caller reports it like any other text.
  }
  throw new InvalidArgumentError('It must be a JSON object.');
};

interface ConfigureOptions extends Answering {
  account: string;
  settings: Record<string, unknown>;
}

/** Throws unless the configuration has the connector. */
function mustBeConfigured({ config }: BaseContext, name: string): void {
  const known = (config.CONNECTORS ?? []).some((one) => one.name === name);
  if (!known) throw refusal('connector.not_configured', { name });
}

function statusCommand(connectors: Command): void {
  connectors
    .command('status')
    .description(
      'ask each connector for its manifest; exit status 1 where one is not as configured',
    )
    .option('--json', 'as JSON')
    .action((options: Answering) =>
      withBase('connectors status', async ({ base, config }) => {
        const { openConnectors, statusOf } = await import('../connectors/http.ts');
        const opened = openConnectors(base, config.CONNECTORS ?? [], { quiet: true });
        try {
          const rows = await statusOf(base, opened);
          printRows(rows, options);
          if (rows.some(({ state }) => state !== 'on')) exitWith(exits.failed);
        } finally {
          await opened.close();
        }
      }),
    );
}

/**
 * Validates settings against the connector's manifest. False if the connector is unreachable.
 * Throws a Refusal that names the invalid members.
 */
async function mustFit(
  { base, config }: BaseContext,
  name: string,
  settings: Record<string, unknown>,
): Promise<boolean> {
  const { openConnectors } = await import('../connectors/http.ts');
  const own = (config.CONNECTORS ?? []).filter((one) => one.name === name);
  const opened = openConnectors(base, own, { quiet: true });
  try {
    const [connector] = opened.all;
    if (!connector || !(await connector.refresh()).heard) return false;
    const faults = faultsOfSettings(connector.manifest(), settings);
    if (faults.length === 0) return true;
    throw refusal('connector.settings_invalid', {
      name,
      faults: faults.map(settingText).join('; '),
    });
  } finally {
    await opened.close();
  }
}

interface ReconcileOptions extends Answering {
  day: Temporal.PlainDate;
  connector?: string;
}

const shownFindings = (findings: Reconciled['findings']) =>
  findings.map(({ accountId: account, what }) => ({ account, what }));

const shownReport = ({ day: _, recorded, findings, ...counts }: Reconciled) => ({
  ...counts,
  recorded: shownFindings(recorded),
  findings: shownFindings(findings),
});

const linesOf = ({ connector, charges, transfers, recorded, findings }: Reconciled): string[] => [
  ...recorded.map(({ accountId, what }) => `recorded  ${accountId}  ${what}`),
  ...findings.map(({ accountId, what }) => `FINDING   ${accountId}  ${what}`),
  `${connector}: ${charges} charges and ${transfers} transfers compared, ` +
    `${recorded.length} recorded, ${findings.length} findings`,
];

async function reconcileAll(
  { base, config, sql, log, actor, clocks }: BaseContext,
  { day, connector: name }: ReconcileOptions,
): Promise<{ reports: Reconciled[]; failures: unknown[] }> {
  const today = clocks.business.today();
  if (compareDays(day, today) > 0) throw refusal('connector.day_to_come', { today });
  const { createParts } = await import('../composition/parts.ts');
  const { noticePartsOf } = await import('../composition/notices.ts');
  const { createMetrics } = await import('../platform/metrics.ts');
  const { reconcile } = await import('../connectors/http.ts');
  const origin = originOf(config, config.PORT);
  const parts = await createParts(config, { sql, log, metrics: createMetrics(), origin });
  const { connectors } = parts;
  try {
    const reports: Reconciled[] = [];
    const failures: unknown[] = [];
    for (const one of connectors.all) {
      if (name !== undefined && one.settings.name !== name) continue;
      try {
        reports.push(await reconcile(noticePartsOf(parts), { ...base, actor }, one, day));
      } catch (error) {
        failures.push(error);
      }
    }
    return { reports, failures };
  } finally {
    await connectors.close();
  }
}

function reconcileCommand(connectors: Command): void {
  connectors
    .command('reconcile')
    .description(
      "compare a day with each connector's list: what it has and we have not is asked for and " +
        'recorded; exits 1 where something does not match, which the audit names too',
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
        const data = { day: formatDay(options.day), connectors: reports.map(shownReport) };
        print(reports.flatMap(linesOf), data, options);
        throwAll(failures);
        if (reports.some(({ findings }) => findings.length > 0)) exitWith(exits.failed);
      }),
    );
}

/** Clears alarms and records the operator; returns how many. */
async function resume(acting: Acting, name: string): Promise<number> {
  const eventId = await acting.recordIds.next();
  return await acting.sql.begin(async (tx) => {
    const forgotten = await forgetAlarms(tx, name);
    const told = { entity: 'connector', entityId: name, type: 'connector.resumed' };
    if (forgotten > 0) await noteOperator(tx, acting, { eventId, ...told, data: { forgotten } });
    return forgotten;
  });
}

export function connectorCommands(program: Command): void {
  const connectors = program
    .command('connectors')
    .description('acquirers, banks and wallets that take money online');

  statusCommand(connectors);
  reconcileCommand(connectors);
  letterCommands(connectors);
  holdCommands(connectors);

  connectors
    .command('alarms')
    .description('list what is to be looked at, the latest last')
    .option('--json', 'as JSON')
    .action((options: Answering) =>
      withBase('connectors alarms', async ({ sql }) => {
        printRows(
          (await readAlarms(sql)).map(({ first_at, last_at, off_until, channel, ...row }) => ({
            ...row,
            channel: channel || null,
            first_at: isoDateTime(first_at),
            last_at: isoDateTime(last_at),
            off_until: off_until && isoDateTime(off_until),
          })),
          options,
        );
      }),
    );

  connectors
    .command('resume')
    .description('what was wrong is mended: forget the alarms of a connector, switch it on again')
    .argument('<name>', 'the connector')
    .action((name: string, options: Answering) =>
      withBase('connectors resume', async (context) => {
        const count = await resume({ ...context.base, actor: context.actor }, name);
        // A connector that was removed from CONNECTORS may have left alarms.
        if (count === 0) mustBeConfigured(context, name);
        const text = `${count} alarms of ${name} are forgotten; its channels are on within a minute`;
        print(text, { connector: name, forgotten: count }, options);
      }),
    );

  connectors
    .command('configure')
    .description('set what a connector is told of an account with each charge')
    .argument('<name>', 'the connector')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--settings <json>', 'a JSON object in place of the one before', objectIn)
    .action((name: string, options: ConfigureOptions) =>
      withBase('connectors configure', async (context) => {
        mustBeConfigured(context, name);
        const { base, actor } = context;
        const { account: accountId, settings } = options;
        const checked = await mustFit(context, name, settings);
        const change = { accountId, connector: name, settings };
        await setConnectorSettings({ ...base, actor })(change);
        const text = `${name} is told ${JSON.stringify(settings)} of account ${accountId}`;
        const lines = checked ? text : [text, `not checked: ${name} cannot be asked what it takes`];
        print(lines, { connector: name, account: accountId, settings, checked }, options);
      }),
    );
}
