import { type Command, InvalidArgumentError } from 'commander';
import {
  type AccountSettings,
  accountList,
  createAccount,
  highestLimit,
  readAccount,
  setAccount,
} from '../accounts/index.ts';
import type { Base } from '../platform/base.ts';
import { ownerNotices } from '../users/index.ts';
import { accountLifeCommands, settingsFields } from './account-life.ts';
import { withBase } from './command.ts';
import { listCommand } from './listing.ts';
import { actingFor, changerOption } from './money/operator.ts';
import { type Answering, print } from './print.ts';

interface CreateOptions extends Answering {
  name: string;
  cuit: string;
  city: string;
  id?: string;
}

interface SetOptions extends Answering {
  lettersADay?: number | 'standard';
  lettersAMinute?: number | 'standard';
  unsignedMandates?: number | 'standard';
  cbu?: string | false;
  operator?: string;
  returnsFees?: boolean;
  refundsBelowZero?: boolean;
  returnsLateApprovals?: boolean;
  cardCutDay?: number;
}

const dayOfMonthIn = (text: string): number => {
  const day = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (day >= 1 && day <= 31) return day;
  throw new InvalidArgumentError('It must be a day of the month, 1 to 31.');
};

const limitIn = (text: string): number | 'standard' => {
  if (text === 'standard') return text;
  const limit = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (limit >= 0 && limit <= highestLimit) return limit;
  throw new InvalidArgumentError(
    `It must be a whole number from 0 (no limit) to ${highestLimit}, or standard.`,
  );
};

/** Returns the limits given on the command line. Null restores the standard limit. */
function limitsIn({ lettersADay, lettersAMinute, unsignedMandates }: SetOptions) {
  const own = (limit: number | 'standard') => (limit === 'standard' ? null : limit);
  return {
    ...(lettersADay !== undefined && { letters_a_day: own(lettersADay) }),
    ...(lettersAMinute !== undefined && { letters_a_minute: own(lettersAMinute) }),
    ...(unsignedMandates !== undefined && { unsigned_mandates: own(unsignedMandates) }),
  };
}

const limitText = (limit: number | null): string =>
  limit === null ? 'the standard number' : limit === 0 ? 'any number' : String(limit);

function settingsText(settings: AccountSettings): string[] {
  const { payout_cbu, returns_fees, card_cut_day: day } = settings;
  return [
    `payouts go to ${payout_cbu ?? 'no CBU'}`,
    `refunds and chargebacks ${returns_fees ? 'return' : 'keep'} fees`,
    `refunds ${settings.refunds_below_zero ? 'may' : 'may not'} take more than there is`,
    `approvals that come too late ${settings.returns_late_approvals ? 'go back to their payers' : 'are kept'}`,
    `card debits of a month are taken through ${day === null ? 'the standard day' : `day ${day}`}`,
    `letters to one mailbox in a day: ${limitText(settings.letters_a_day)}`,
    `letters in a minute: ${limitText(settings.letters_a_minute)}`,
    `mandates that wait for their signature: ${limitText(settings.unsigned_mandates)}`,
  ];
}

const yesOrNoIn = (text: string): boolean => {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw new InvalidArgumentError('It must be yes or no.');
};

/** Informs the owners about a new payout CBU. */
async function tellOfCbu(base: Base, accountId: string, cbu: string | null) {
  const account = await readAccount(base.sql, accountId);
  return account ? await ownerNotices(base)(account, { what: 'cbu_changed', cbu }) : undefined;
}

function setCommand(accounts: Command): void {
  accounts
    .command('set')
    .description('change the settings of an account and print them all')
    .argument('<id>', 'the account')
    .option('--cbu <cbu>', 'CBU for payouts from now on, 22 digits')
    .option('--no-cbu', 'no payouts')
    .option(...changerOption)
    .option('--returns-fees <yes|no>', 'whether refunds and chargebacks return fees', yesOrNoIn)
    .option(
      '--refunds-below-zero <yes|no>',
      'whether refunds may take more than the account has, available and to come',
      yesOrNoIn,
    )
    .option(
      '--returns-late-approvals <yes|no>',
      'whether an approval that comes when its charge was closed or its request paid otherwise goes back to its payer',
      yesOrNoIn,
    )
    .option(
      '--card-cut-day <day>',
      'the day through which card debits of a month may be asked for, 1 to 31',
      dayOfMonthIn,
    )
    .option(
      '--letters-a-day <count>',
      'letters asking for a signature to one mailbox within 24 hours, or standard',
      limitIn,
    )
    .option(
      '--letters-a-minute <count>',
      'signing mails to all holders per minute, or standard',
      limitIn,
    )
    .option(
      '--unsigned-mandates <count>',
      'mandates that may wait for their signature, or standard',
      limitIn,
    )
    .action((accountId: string, options: SetOptions) =>
      withBase('accounts set', async ({ base, actor }) => {
        const { cbu, returnsFees, refundsBelowZero, returnsLateApprovals, cardCutDay } = options;
        const told = cbu === undefined ? undefined : await tellOfCbu(base, accountId, cbu || null);
        const acting = await actingFor({ base, actor }, options.operator);
        const settings = await setAccount(acting)(
          {
            accountId,
            limits: limitsIn(options),
            ...(cbu !== undefined && { payoutCbu: cbu === false ? null : cbu }),
            ...(returnsFees !== undefined && { returnsFees }),
            ...(refundsBelowZero !== undefined && { refundsBelowZero }),
            ...(returnsLateApprovals !== undefined && { returnsLateApprovals }),
            ...(cardCutDay !== undefined && { cardCutDay }),
          },
          told,
        );
        print(settingsText(settings), { id: accountId, ...settingsFields(settings) }, options);
      }),
    );
}

export function accountCommands(accounts: Command): void {
  accounts
    .command('create')
    .description('open an account and print its id')
    .requiredOption('--name <name>', 'name of the account holder, as payers see it')
    .requiredOption('--cuit <cuit>', 'CUIT of the account holder, 11 digits')
    .option('--city <city>', 'city of the account holder', 'Buenos Aires')
    .option('--id <id>', '8 upper-case hexadecimal characters (default: random)')
    .action((options: CreateOptions) =>
      withBase('accounts create', async ({ base, actor }) => {
        const acting = { ...base, actor };
        const { name, cuit, city } = options;
        const input = { name, cuit: cuit.replaceAll('-', ''), city, id: options.id ?? null };
        const { id } = await createAccount(acting, input);
        print(id, { id, name, cuit: input.cuit, city }, options);
      }),
    );

  listCommand(accounts, accountList);
  setCommand(accounts);
  accountLifeCommands(accounts);
}
