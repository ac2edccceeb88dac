import { type Command, Option } from 'commander';
import { listAccounts } from '../accounts/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import {
  type MandateKind,
  type MandateRow,
  type MandateState,
  mandateNotThere,
  maskedInstrument,
  presentMandate,
  searchMandates,
} from '../mandates/index.ts';
import { idIn, type PageOptions, paged } from './arguments.ts';
import { withBase } from './command.ts';
import { print, printRows } from './print.ts';
import { accountIdsOf, inAccount } from './which.ts';

interface FindOptions extends PageOptions {
  account?: string;
  kind?: MandateKind;
  reference?: string;
  name?: string;
  cuit?: string;
  state?: MandateState;
}

export const digits = (text: string): string => text.replaceAll(/[-. ]/g, '');

export const idNumberOf = (row: MandateRow): string | null =>
  row.kind === 'adhesion' ? String(row.details.holder_id_number) : null;

const listed = (row: MandateRow) => ({
  account: row.account_id,
  id: row.id,
  kind: row.kind,
  state: row.state,
  reference: row.reference,
  payer: row.payer,
  id_number: idNumberOf(row),
  instrument: maskedInstrument(row),
  created_at: isoDateTime(row.created_at),
});

export const nothingElse = {
  kind: null,
  id: null,
  reference: null,
  name: null,
  idNumber: null,
  state: null,
};

const kindOption = () =>
  new Option('--kind <kind>', 'of bank accounts or of cards').choices([
    'adhesion',
    'card_adhesion',
  ]);

export function mandateCommands(program: Command): void {
  const mandates = program
    .command('mandates')
    .description('what holders signed: mandates (adhesions) on bank accounts and cards');

  inAccount(paged(mandates.command('find')))
    .description('find mandates, over all accounts or in one')
    .option('--reference <text>', "the account's own name for it, whole")
    .option('--name <text>', 'part of the name of payer or holder')
    .option('--cuit <number>', 'DNI, CUIT or CUIL of who holds the bank account', digits)
    .addOption(kindOption())
    .addOption(
      new Option('--state <state>', 'only in this state').choices([
        'pending_to_sign',
        'signed',
        'canceled',
      ]),
    )
    .action((options: FindOptions) =>
      withBase('mandates find', async ({ sql }) => {
        const search = {
          accountIds: await accountIdsOf(sql, options.account),
          kind: options.kind ?? null,
          id: null,
          reference: options.reference ?? null,
          name: options.name ?? null,
          idNumber: options.cuit ?? null,
          state: options.state ?? null,
        };
        printRows((await searchMandates(sql, search, options)).map(listed), options);
      }),
    );

  mandates
    .command('show')
    .description('show a mandate, whichever account has it; never the number of a card')
    .argument('<id>', 'its number', idIn)
    .addOption(kindOption().default('adhesion'))
    .option('--json', 'as JSON')
    .action((id: number, { kind, json = false }: { kind: MandateKind; json?: boolean }) =>
      withBase('mandates show', async ({ sql }) => {
        const accountIds = (await listAccounts(sql)).map((account) => account.id);
        const search = { ...nothingElse, accountIds, kind, id };
        const [row] = await searchMandates(sql, search, { after: 0, limit: 1 });
        if (!row) throw mandateNotThere(kind);
        const fields = { account: row.account_id, kind, ...presentMandate(row) };
        const lines = Object.entries(fields).map(
          ([label, value]) =>
            `${label.padEnd(23)}${typeof value === 'object' ? JSON.stringify(value) : value}`,
        );
        print(lines, fields, { json });
      }),
    );
}
