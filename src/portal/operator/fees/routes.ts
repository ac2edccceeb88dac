import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareDays, parseDayOrIso } from '../../../kernel/dates.ts';
import { bookOf, endFees, heldTerms, readFees, setFees } from '../../../money/fees/index.ts';
import { importTaxpayerRates, lastRegisters } from '../../../money/withholdings/index.ts';
import { Refusal } from '../../../platform/errors.ts';
import { doing } from '../../../platform/postgres/deadlines.ts';
import { Overtaken } from '../../../platform/seen.ts';
import type { Answer, Page, Portal, ServiceVisit } from '../../frame/index.ts';
import { firstShown, seenIn, unlessOvertaken } from '../../frame/overtaken.tsx';
import { accountOf, openAccountOf } from '../forms/account.ts';
import { type ChangeModel, changePage } from './change.tsx';
import { channelIn, draftOf, type FeePageParts, readFeesOf, termsIn } from './model.ts';
import { type RegistersModel, registersPage } from './registers.tsx';
import { feesTexts } from './texts.ts';
import { feesPage } from './views.tsx';

export type { FeePageParts } from './model.ts';

const mostRegisters = 50;

/** The form of a channel, with the terms that hold for it. */
async function freshModel(visit: ServiceVisit, parts: FeePageParts): Promise<ChangeModel> {
  const account = await openAccountOf(visit, parts);
  const channel = channelIn(visit);
  const { sql, clocks } = parts.base;
  const today = clocks.business.today();
  const rows = await readFees(sql, [account.id]);
  const terms = bookOf(rows)(channel, today);
  return {
    account,
    channel,
    draft: draftOf(terms, today),
    end: { from: today.toString() },
    ...firstShown(heldTerms(rows, channel)),
  };
}

async function sets(visit: ServiceVisit, parts: FeePageParts): Promise<Answer> {
  const model = await freshModel(visit, parts);
  const { draft, order } = termsIn(visit, parts.base.clocks.business.today());
  const { seen } = seenIn(visit.posted);
  if (order === null) return changePage(visit, { ...model, draft, seen });
  const { account, channel } = model;
  const change = { accountId: account.id, channel, actor: visit.actor, seen, ...order };
  return await unlessOvertaken(
    async () => {
      await setFees(parts.base)(change);
      return { to: visit.at(`/accounts/${account.id}/fees`) };
    },
    (again) => changePage(visit, { ...model, draft, ...again }),
  );
}

async function ends(visit: ServiceVisit, parts: FeePageParts): Promise<Answer> {
  const model = await freshModel(visit, parts);
  const { faults } = feesTexts[visit.lang];
  const { seen } = seenIn(visit.posted);
  const written = (visit.posted.get('from') ?? '').trim();
  const from = parseDayOrIso(written);
  const today = parts.base.clocks.business.today();
  if (from === null || compareDays(from, today) < 0) {
    return changePage(visit, { ...model, end: { from: written, fault: faults.from }, seen });
  }
  const { account, channel } = model;
  try {
    await endFees(parts.base)({ accountId: account.id, channel, from, seen, actor: visit.actor });
  } catch (error) {
    if (error instanceof Overtaken) {
      const again = { seen: error.seen, overtaken: error.changed };
      return changePage(visit, { ...model, end: { from: written }, ...again });
    }
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
    return changePage(visit, { ...model, end: { from: written }, refusal: faults.nothing });
  }
  return { to: visit.at(`/accounts/${account.id}/fees`) };
}

/** Gives a file that came with a form a place on the disk, for the verb that reads one. */
async function onDisk<T>(
  { name, bytes }: { name: string; bytes: Buffer },
  read: (file: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-register-'));
  try {
    const file = path.join(folder, path.basename(name).replace(/[^\w.-]/g, '_') || 'register');
    await writeFile(file, bytes, { mode: 0o600 });
    return await read(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Pages of what accounts pay, and of what is withheld from what they collect. */
export function feePages(portal: Portal, parts: FeePageParts): void {
  const showRegisters = async (
    visit: ServiceVisit,
    came: Omit<RegistersModel, 'registers'> = {},
  ): Promise<Page> =>
    registersPage(visit, {
      ...came,
      registers: await lastRegisters(parts.base.sql, mostRegisters),
    });

  const takesRegister = async (visit: ServiceVisit): Promise<Page> => {
    const { file, posted, actor } = visit;
    if (file === null) return await showRegisters(visit, { missing: true });
    const dryRun = posted.get('mode') !== 'import';
    try {
      const report = await onDisk(file, (path) =>
        // A register has hundreds of thousands of lines: longer than a call may take.
        doing('command', () => importTaxpayerRates({ ...parts.base, actor })({ path, dryRun })),
      );
      return await showRegisters(visit, { report });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return await showRegisters(visit, { refusal: error });
    }
  };

  portal.page({
    act: 'accounts.see',
    path: '/accounts/:id/fees',
    read: async (visit) => feesPage(visit, await readFeesOf(parts, await accountOf(visit, parts))),
  });
  portal.page({
    act: 'fees.manage',
    path: '/accounts/:id/fees/:channel',
    read: async (visit) => changePage(visit, await freshModel(visit, parts)),
  });
  portal.form({
    act: 'fees.manage',
    path: '/accounts/:id/fees/:channel',
    does: (visit) => sets(visit, parts),
  });
  portal.form({
    act: 'fees.manage',
    path: '/accounts/:id/fees/:channel/end',
    does: (visit) => ends(visit, parts),
  });
  portal.page({
    act: 'accounts.see',
    path: '/registers',
    read: (visit) => showRegisters(visit),
  });
  portal.form({
    act: 'fees.manage',
    path: '/registers',
    does: takesRegister,
    takesFile: true,
  });
}
