import { type Command, InvalidArgumentError } from 'commander';
import { listAccounts, operatorBooks } from '../accounts/index.ts';
import { reportAccount } from '../audit/index.ts';
import { auditSealKeys } from '../composition/keys.ts';
import type { Distributed } from '../platform/postgres/distributed/distribute.ts';
import { refusal } from './codes.ts';
import { type BaseContext, withBase } from './command.ts';
import { exits } from './failure.ts';
import { exitWith } from './invocation.ts';
import { type Answering, print } from './print.ts';

interface Options extends Answering {
  shards: number;
  experimental?: boolean;
}

const mostShards = 256;

const shardsIn = (text: string): number => {
  const shards = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (shards >= 1 && shards <= mostShards) return shards;
  throw new InvalidArgumentError(`This value must be a number of shards from 1 to ${mostShards}.`);
};

/** Audits every account after its rows have moved, to detect lost ones. */
async function auditAll({ config, sql, clocks }: BaseContext): Promise<string[]> {
  const keys = await auditSealKeys(config, sql);
  const accounts = [operatorBooks, ...(await listAccounts(sql)).map(({ id }) => id)];
  const found: string[] = [];
  for (const id of accounts) {
    const { faults } = await reportAccount(sql, id, clocks.business.today(), { keys });
    found.push(...faults.map(({ accountId, what }) => `${accountId}: ${what}`));
  }
  return found;
}

const linesOf = ({ tables, nodes, cleared }: Distributed): string[] => [
  ...tables.map(({ table, lies }) => `${table}: ${lies}`),
  ...cleared.map((table) => `${table}: rows left on the coordinator were removed`),
  ...nodes.map(({ node, shards }) => `node ${node}: ${shards} shards`),
];

export function distributeCommand(program: Command): void {
  program
    .command('distribute')
    .description(
      'distribute the database over its cluster, by account, and audit it; exits 1 on a mismatch',
    )
    .option('--shards <n>', 'number of shards: two to four for each worker core', shardsIn, 8)
    .option('--experimental', 'accept the limits that docs/explanation/scaling.md lists')
    .action((options: Options) =>
      withBase('distribute', async (context) => {
        if (options.experimental !== true) {
          throw refusal('database.partly_distributable', {});
        }
        const distributed = await context.distribute(options.shards);
        const faults = await auditAll(context);
        const text = [...linesOf(distributed), ...faults];
        if (faults.length === 0) text.push('all accounts add up');
        print(text, { ...distributed, faults }, options);
        if (faults.length > 0) exitWith(exits.failed);
      }),
    );
}
