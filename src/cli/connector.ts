import type { Command } from 'commander';
import { invocation } from './invocation.ts';

/** Connectors that ship with the product. Each runs as a separate process. */
const shipped: readonly { name: string; about: string; load: () => Promise<Start> }[] = [
  {
    name: 'payway',
    about: 'Payway (Prisma): cards',
    load: async () => (await import('../../connectors/payway/main.ts')).startPayway,
  },
  {
    name: 'bank',
    about: 'bank API: DEBIN, and transfers to CVUs',
    load: async () => (await import('../../connectors/bank/main.ts')).startBankConnector,
  },
  {
    name: 'template',
    about: 'template for new connectors, with an imaginary acquirer',
    load: async () => (await import('../../connectors/template/main.ts')).startTemplate,
  },
];
type Start = (env: NodeJS.ProcessEnv) => Promise<void>;

export function connectorCommand(program: Command): void {
  const connector = program
    .command('connector')
    .description('run a bundled connector; docs/how-to/connect-an-acquirer.md');
  for (const { name, about, load } of shipped) {
    connector
      .command(name)
      .description(`${about}; runs until stopped`)
      .action(async () => {
        const start = await load();
        await start(invocation().env);
      });
  }
}
