import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createAccount,
  createKey,
  moveAccount,
  operatorBooks,
  setAccount,
} from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { calendarWith, changeDay } from '../../src/calendar/index.ts';
import { linksOf } from '../../src/cli/links.ts';
import { seenWithinMs } from '../../src/composition/base.ts';
import { closeAccount } from '../../src/composition/close-account.ts';
import { createDebitBooks, debitTermsOf } from '../../src/composition/debits.ts';
import { configuredSealKeys, configuredVault } from '../../src/composition/keys.ts';
import { createMoneyWing } from '../../src/composition/money.ts';
import type { Config } from '../../src/config/index.ts';
import { rescheduleRuns, termsOfAccounts } from '../../src/debit-requests/index.ts';
import type { CardBrand } from '../../src/kernel/card-number.ts';
import { centavos } from '../../src/kernel/money.ts';
import { signingLinks } from '../../src/mandates/index.ts';
import { movePromises } from '../../src/money/collections/index.ts';
import { approveCorrection, orderCorrection } from '../../src/money/corrections/index.ts';
import { endFees, setFees } from '../../src/money/fees/index.ts';
import { approvePayout, orderPayout, returnPayout } from '../../src/money/payouts/index.ts';
import { type Proposal, rejectProposal } from '../../src/money/proposals/index.ts';
import { assignSuspense, listSuspense, returnSuspense } from '../../src/money/suspense/index.ts';
import type { Base } from '../../src/platform/base.ts';
import { Refusal } from '../../src/platform/errors.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import {
  type DebitRailTerms,
  exportDebits,
  importDebits,
  importFile,
  inboundDebits,
  inboundRails,
  outboundDebits,
} from '../../src/rails/index.ts';
import { testOperator } from '../harness/actors.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { testAccount } from '../harness/service.ts';
import type { Day } from './model/days.ts';
import type { Channel, Terms } from './model/terms.ts';

const actor = testOperator;
const accountId = testAccount;

/** Service code in a bank's files. */
export const macroService = 'CUOTAS';

/** The collector's ids at banks and networks in these histories. */
const known = {
  pagoFacilClient: '000000515',
  rapipagoCompany: 'RECAUDO',
  pmcCompany: '0515',
  linkEntity: '515',
  takesCash: true,
  directDebitService: '0515',
  macroAgreement: '00515',
  macroService,
  visaEstablishment: '0000000515',
  visaDebitEstablishment: '0000000516',
  mastercardEstablishment: '0000000517',
  visaDebitPrefixes: ['451766', '451772'],
  exchangeBrands: ['amex', 'cabal'] satisfies CardBrand[],
};

type ProposedKind = 'payout' | 'correction';

/** Every amount needs a second person. */
const twoAlways = { above: centavos(0), changeDays: 0 };

export interface DeskParts {
  sql: Sql;
  base: Base;
  config: Config;
}

const named = <R extends { name: string }>(rails: readonly R[], name: string): R => {
  const rail = rails.find((one) => one.name === name);
  if (!rail) throw new Error(`no rail ${name}`);
  return rail;
};

interface NotDone {
  refused: string;
  code: string | undefined;
  why: string;
}

/** Returns the outcome, or the refusal's kind, code and message. */
async function orRefused<T>(work: Promise<T>): Promise<T | NotDone> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) {
      return { refused: error.kind, code: error.errorCode, why: error.message };
    }
    throw error;
  }
}

async function inFile<T>(lines: string[], use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-history-'));
  try {
    const file = path.join(folder, 'file.txt');
    await writeFile(file, lines.map((line) => `${line}\r\n`).join(''), 'latin1');
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the operator's commands, which run in the test's process. */
export function deskOf({ sql, base, config }: DeskParts) {
  const money = createMoneyWing(base);
  const day = (text: Day) => Temporal.PlainDate.from(text);
  const terms = (): DebitRailTerms => ({ ...known, today: base.clocks.business.today() });

  const calendar = async (changed: Day, closed: boolean | null, move: boolean): Promise<void> => {
    const one = day(changed);
    const kind = closed === null ? null : closed ? 'holiday' : 'open';
    const change = {
      day: one,
      calendar: await calendarWith(sql, one, kind),
      today: base.clocks.business.today(),
    };
    await changeDay({ ...base, actor }, { day: one, kind });
    await sleep(seenWithinMs + 1_000);
    await rescheduleRuns(base, termsOfAccounts(sql, debitTermsOf(config)))(change, {
      apply: true,
      actor,
    });
    if (move) await movePromises(base)(change, { apply: true, actor });
  };

  const importNetwork = (name: string, lines: string[]) =>
    inFile(lines, (file) =>
      importFile(
        { base, record: money.recordFacts, suspend: money.suspend },
        { rail: named(inboundRails, name), file, sameDay: true, actor },
        { ...known, today: base.clocks.business.today() },
      ),
    );

  const importBank = async (name: string, lines: string[]) => {
    const books = createDebitBooks(base, await configuredVault(config), config, money);
    return await inFile(lines, (file) =>
      importDebits(
        books,
        { rail: named(inboundDebits, name), file, sameDay: true, actor },
        terms(),
      ),
    );
  };

  const exportRail = async (name: string): Promise<string[]> => {
    const directory = await mkdtemp(path.join(tmpdir(), 'recaudo-history-'));
    try {
      const done = await exportDebits(
        { base, vault: await configuredVault(config), envelope: null },
        {
          rail: named(outboundDebits, name),
          date: base.clocks.business.today(),
          directory,
          another: true,
          actor,
        },
        terms(),
      );
      const texts = await Promise.all(done.files.map(({ path: file }) => readFile(file, 'latin1')));
      return texts.flatMap((text) => text.split('\r\n')).filter((line) => line !== '');
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };

  const setOf = setAccount({ ...base, actor });
  const move = (to: 'suspend' | 'reopen') =>
    moveAccount({ ...base, actor }, { accountId, move: to, reason: 'a look at it' });

  return {
    importNetwork: (name: string, lines: string[]) =>
      doing('command', () => orRefused(importNetwork(name, lines))),
    importBank: (name: string, lines: string[]) =>
      doing('command', () => orRefused(importBank(name, lines))),
    exportRail: (name: string) => doing('command', () => orRefused(exportRail(name))),
    calendar: (changed: Day, closed: boolean | null, move: boolean) =>
      doing('command', () => calendar(changed, closed, move)),
    suspense: () => listSuspense(sql, { all: true, after: 0, limit: 10_000 }),
    assign: (id: number, requestId: number) =>
      orRefused(
        assignSuspense(
          base,
          money.prepareFacts,
        )({
          id,
          to: { accountId, id: requestId },
          note: 'found',
          actor,
        }),
      ),
    giveBack: (id: number) => orRefused(returnSuspense(base)({ id, note: 'not ours', actor })),
    payOut: (reference: string, amount: number | null) =>
      orRefused(
        sendPayout(base)({
          accountId,
          reference,
          amount: amount === null ? null : centavos(amount),
          actor,
        }),
      ),
    takePayoutBack: (id: number) =>
      orRefused(returnPayout(base)({ accountId, id, reason: 'account closed', actor })),
    correct: (reference: string, amount: number) =>
      orRefused(
        correct(base)({ accountId, reference, amount: centavos(amount), note: 'by hand', actor }),
      ),
    /** Proposes an act that needs a second person. */
    propose: (kind: ProposedKind, reference: string, amount: number, by: number) => {
      const order = { accountId, reference, amount: centavos(amount), by, actor };
      return orRefused<{ outcome: string; proposal?: Proposal }>(
        kind === 'payout'
          ? orderPayout(base, twoAlways)(order)
          : orderCorrection(base, twoAlways)({ ...order, note: 'by two' }),
      );
    },
    approve: (kind: ProposedKind, id: number, by: number) => {
      const decision = { accountId, id, by, actor };
      return orRefused(
        kind === 'payout'
          ? approvePayout(base, twoAlways)(decision)
          : approveCorrection(base)(decision),
      );
    },
    reject: (kind: ProposedKind, id: number, by: number) =>
      orRefused(rejectProposal(base)(kind, { accountId, id, by, actor, reason: 'not now' })),
    setFees: (channel: Channel, from: Day, { ppm, fixed, minimum, days }: Terms) =>
      orRefused(
        setFees(base)({
          accountId,
          channel,
          from: day(from),
          actor,
          terms: {
            percentagePpm: ppm,
            fixed: centavos(fixed),
            minimum: centavos(minimum),
            availableAfterDays: days,
          },
        }),
      ),
    endFees: (channel: Channel, from: Day) =>
      orRefused(endFees(base)({ accountId, channel, from: day(from), actor })),
    set: (change: Omit<Parameters<typeof setOf>[0], 'accountId'>) =>
      setOf({ accountId, ...change }),
    suspend: () => move('suspend'),
    reopen: () => move('reopen'),
    close: () => orRefused(closeAccount({ base, actor }, { accountId, reason: 'the club ends' })),
    /** Returns the path of the signing page in a mandate's e-mail. */
    signingPath: async (kind: 'adhesion' | 'card_adhesion', id: number): Promise<string> => {
      const url = signingLinks(await linksOf({ base, config }))({ accountId, kind, id, no: 1 });
      return new URL(url).pathname;
    },
    /** Creates another account, and returns a key that works even if this account is suspended. */
    keyOfAnother: async (): Promise<string> => {
      const acting = { ...base, actor };
      const terms = { id: null, name: 'Reloj', cuit: '30999999995', city: 'Rosario' };
      const account = await createAccount(acting, terms);
      return await createKey(acting, {
        id: await base.recordIds.next(),
        environment: 'sandbox',
        accountId: account.id,
        name: 'clock',
        permissions: ['read', 'write', 'sandbox'],
        expiresAt: null,
        secret: null,
      });
    },
    /** Returns the audit's findings in the account's and the operator's books. */
    faults: () =>
      doing('command', async () => {
        const sealer = { keys: await configuredSealKeys(config), moment: base.clocks.wall.now };
        const found = await Promise.all(
          [accountId, operatorBooks].map((id) => auditAccount(sql, id, { keys: sealer.keys })),
        );
        return found.flat().map(({ what }) => what);
      }),
  };
}

export type Desk = ReturnType<typeof deskOf>;
