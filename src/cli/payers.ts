import { type Command, InvalidArgumentError } from 'commander';
import { isCuit } from '../kernel/cuit.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { idNumberOf, searchMandates } from '../mandates/index.ts';
import { type RequestKind, searchRequests, transitions } from '../requests/index.ts';
import { type PageOptions, paged, reasonIn } from './arguments.ts';
import { withBase } from './command.ts';
import { exits } from './failure.ts';
import { exitWith, invocation } from './invocation.ts';
import { digits, nothingElse } from './mandates.ts';
import { type Answering, print, printRows } from './print.ts';
import { accountIdsOf, inAccount } from './which.ts';

interface PayerOptions extends PageOptions {
  account?: string;
  name?: string;
  cuit?: string;
}

const requestKinds = Object.keys(transitions) as RequestKind[];

function findCommand(payers: Command): void {
  const finding = inAccount(paged(payers.command('find')))
    .description(
      "find a payer's requests and mandates by part of the name, or bank account mandates by DNI, CUIT or CUIL",
    )
    .option('--name <text>', 'part of the name')
    .option('--cuit <number>', 'DNI, CUIT or CUIL; only bank account mandates have it', digits)
    .action((options: PayerOptions) => {
      const { name = null, cuit = null } = options;
      if ((name === null) === (cuit === null)) finding.error('error: give --name or --cuit');
      return withBase('payers find', async ({ sql }) => {
        const accountIds = await accountIdsOf(sql, options.account);
        const mandates = await searchMandates(
          sql,
          { ...nothingElse, accountIds, name, idNumber: cuit },
          options,
        );
        const search = { accountIds, kinds: requestKinds, reference: null, state: null };
        const requests =
          name === null
            ? []
            : await searchRequests(sql, { ...search, payer: name, mandateId: null }, options);
        printRows(
          [
            ...mandates.map((row) => ({ ...whose(row), id_number: idNumberOf(row) })),
            ...requests.map((row) => ({ ...whose(row), id_number: null })),
          ],
          options,
        );
      });
    });
}

const whose = (row: {
  account_id: string;
  payer: string;
  kind: string;
  id: number;
  state: string;
}) => ({ account: row.account_id, payer: row.payer, what: row.kind, id: row.id, state: row.state });

interface PersonOptions extends Answering {
  account?: string;
  cuit: string;
  email?: string[];
}

const idNumberIn = (text: string): string => {
  const number = digits(text);
  if (/^[0-9]{7,8}$/.test(number) || isCuit(number)) return number;
  throw new InvalidArgumentError(
    'This value must be a DNI of 7 or 8 digits, or a CUIT or CUIL of 11.',
  );
};

const addressIn = (text: string, before: string[] = []): string[] => {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return [...before, text.toLowerCase()];
  throw new InvalidArgumentError('This value must be an e-mail address.');
};

const ofPerson = (command: Command): Command =>
  inAccount(command)
    .requiredOption('--cuit <number>', 'DNI, CUIT or CUIL', idNumberIn)
    .option(
      '--email <address>',
      'a verified e-mail address of the person; can be repeated',
      addressIn,
    );

function exportCommand(payers: Command): void {
  ofPerson(payers.command('export'))
    .description('export all stored data of a person as JSON (Ley 25.326, art. 14)')
    .action(({ account, cuit, email = [] }: PersonOptions) =>
      withBase('payers export', async ({ sql, clocks }) => {
        const { exportPerson } = await import('../payers/index.ts');
        const accountIds = await accountIdsOf(sql, account);
        const madeAt = isoDateTime(clocks.business.now());
        const pieces = exportPerson(sql, accountIds, { cuit, emails: email }, madeAt);
        for await (const piece of pieces) invocation().stdout.write(piece);
      }),
    );
}

interface EraseOptions extends PersonOptions {
  reason: string;
  dryRun?: boolean;
}

function eraseCommand(payers: Command): void {
  ofPerson(payers.command('erase'))
    .description(
      "permanently erase a person's data; amounts, days and ids stay; if any data is still needed, erases nothing and exits 1 (Ley 25.326, art. 16)",
    )
    .requiredOption(
      '--reason <text>',
      'a case number for the audit log; do not include names',
      reasonIn,
    )
    .option('--dry-run', 'only show the data to erase, and the data still needed')
    .option('--json', 'as JSON')
    .action(({ account, cuit, email = [], reason, dryRun = false, json = false }: EraseOptions) =>
      withBase('payers erase', async ({ base, sql, config, actor }) => {
        const { erasePerson } = await import('../payers/index.ts');
        const { state, accounts: found } = await erasePerson(
          { ...base, actor },
          {
            accountIds: await accountIdsOf(sql, account),
            ...{ cuit, emails: email, reason, dryRun },
            cardReversalDays: config.CARD_REVERSAL_DAYS,
          },
        );
        const needed = found.flatMap(({ accountId, needed: rows }) =>
          rows.map((row) => ({ account: accountId, ...row })),
        );
        const lines = found.map(({ accountId, mandates, requests }) => {
          const done = state === 'found' || state === 'needed' ? 'found' : 'erased';
          const what =
            mandates + requests === 0
              ? 'imported rows or e-mails'
              : `${mandates} mandates and ${requests} requests`;
          return `${accountId}: ${what} ${done}`;
        });
        const why = needed.map(
          (row) => `${row.account}: ${row.what} ${row.id} is needed: ${row.why}`,
        );
        const accounts = found.map(({ accountId, mandates, requests }) => ({
          account: accountId,
          ...{ mandates, requests },
        }));
        const none = found.length === 0 ? ['nothing was found'] : [];
        // Stored numbers are of either kind, and a DNI does not determine its CUIT.
        if (cuit.length < 11)
          none.push('a DNI does not match rows with the CUIT: search for the CUIT too');
        print([...lines, ...why, ...none], { state, accounts, needed }, { json });
        if (needed.length > 0) exitWith(exits.failed);
      }),
    );
}

export function payerCommands(payers: Command): void {
  findCommand(payers);
  exportCommand(payers);
  eraseCommand(payers);
}
