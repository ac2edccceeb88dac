import type { Command } from 'commander';
import {
  connectorAlarms,
  connectorConfiguring,
  connectorResuming,
  letterDiscarding,
  letterList,
  letterReplaying,
} from '../connectors/operations.ts';
import { holdList } from '../money/charges/operations.ts';
import { type BaseContext, withBase } from './command.ts';
import { mustBeConfigured, reconcileCommand, withNotices } from './connectors-reconcile.ts';
import { exits } from './failure.ts';
import { exitWith } from './invocation.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';
import { type Answering, printRows } from './print.ts';

/** Opens the named connector, or all of them, for one command. */
async function withConnectors<T>(
  { base, config }: BaseContext,
  name: string | null,
  act: (opened: Opened) => Promise<T>,
): Promise<T> {
  const { openConnectors } = await import('../connectors/http.ts');
  const own = (config.CONNECTORS ?? []).filter((one) => name === null || one.name === name);
  const opened = openConnectors(base, own, { quiet: true });
  try {
    return await act(opened);
  } finally {
    await opened.close();
  }
}
type Opened = ReturnType<typeof import('../connectors/http.ts').openConnectors>;

function statusCommand(connectors: Command): void {
  connectors
    .command('status')
    .description("fetch each connector's manifest and show its channels; exits 1 unless all are on")
    .option('--json', 'as JSON')
    .action((options: Answering) =>
      withBase('connectors status', async (context) => {
        const { statusOf } = await import('../connectors/http.ts');
        const rows = await withConnectors(context, null, (all) => statusOf(context.base, all));
        printRows(rows, options);
        if (rows.some(({ state }) => state !== 'on')) exitWith(exits.failed);
      }),
    );
}

/** Returns a connector's manifest, or null if it does not answer. */
const manifestIn = (context: BaseContext) => (name: string) =>
  withConnectors(context, name, async ({ all: [connector] }) =>
    connector && (await connector.refresh()).isValid ? connector.manifest() : null,
  );

export function connectorCommands(program: Command): void {
  const connectors = program
    .command('connectors')
    .description('online acquirers, banks and wallets');

  statusCommand(connectors);
  reconcileCommand(connectors);
  listCommand(connectors, letterList);
  operationCommand(connectors, letterReplaying, (context) => ({
    base: context.base,
    replay: (acting, id) =>
      withNotices(context, async (parts) => {
        const { replayLetter } = await import('../connectors/http.ts');
        await parts.connectors.refresh();
        await replayLetter(parts.notices, acting, id);
      }),
  }));
  operationCommand(connectors, letterDiscarding, ({ base }) => base);
  listCommand(connectors, holdList);
  listCommand(connectors, connectorAlarms);
  operationCommand(connectors, connectorResuming, (context) => async (name, actor) => {
    const { resumeConnector } = await import('../connectors/index.ts');
    const count = await resumeConnector(context.base)(name, actor);
    // A connector that was removed from CONNECTORS may have left alarms.
    if (count === 0) mustBeConfigured(context, name);
    return count;
  });
  operationCommand(connectors, connectorConfiguring, (context) => ({
    async configure(change, actor) {
      mustBeConfigured(context, change.connector);
      const { configureConnector } = await import('../connectors/index.ts');
      return await configureConnector(context.base, manifestIn(context))(change, actor);
    },
  }));
}
