import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ComponentChildren } from 'preact';
import {
  bookOf,
  endFees,
  feeEnding,
  feeSetting,
  readFees,
  setFees,
  termsFormValues,
} from '../../../money/fees/index.ts';
import { importTaxpayerRates, lastRegisters } from '../../../money/withholdings/index.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { doing } from '../../../platform/postgres/deadlines.ts';
import type { Page, Portal, ServiceVisit } from '../../frame/index.ts';
import { type OperationForm, operationForm } from '../../frame/operation.tsx';
import { accountOf, openAccountOf } from '../forms/account.ts';
import { changePage } from './change.tsx';
import { channelIn, type FeePageParts, readFeesOf, typedOf } from './model.ts';
import { type RegistersModel, registersPage } from './registers.tsx';
import { feesTexts } from './texts.ts';
import { feesPage } from './views.tsx';

export type { FeePageParts } from './model.ts';

const mostRegisters = 50;

/** Serves the page that sets and ends an account's terms for a channel. */
function changePages(portal: Portal, { base }: FeePageParts): void {
  const path = '/accounts/:account/fees/:channel';
  const on = { path, act: 'fees.manage' } as const;
  const home = (visit: ServiceVisit) => visit.at(`/accounts/${visit.params.account}/fees`);
  const done = (visit: ServiceVisit) => ({ to: home(visit) });
  const current = {
    async read(visit: ServiceVisit) {
      const { id } = await openAccountOf(visit, { base });
      return termsFormValues(await readFees(base.sql, [id]), channelIn(visit));
    },
    labels: (lang: Lang) => ({ terms: feesTexts[lang].title }),
  };
  const seenIn = ({ posted }: ServiceVisit) => posted.get('seen') ?? '';
  const today = () => base.clocks.business.today();
  const page = async (visit: ServiceVisit, forms: Partial<Record<Form, ComponentChildren>>) =>
    changePage(visit, {
      account: await openAccountOf(visit, { base }),
      channel: channelIn(visit),
      setting: forms.setting ?? (await setting.form(visit)),
      ending: forms.ending ?? (await ending.form(visit)),
    });

  const setting: OperationForm<'fees.manage'> = operationForm(portal, feeSetting, {
    path,
    on,
    current,
    verbOf: (visit) => ({ verb: setFees(base), seen: seenIn(visit) }),
    async initial(visit) {
      const { id } = await openAccountOf(visit, { base });
      const book = bookOf(await readFees(base.sql, [id]));
      return typedOf(book(channelIn(visit), today()), today());
    },
    back: home,
    page: (visit, form) => page(visit, { setting: form }),
    done,
  });
  const ending: OperationForm<'fees.manage'> = operationForm(portal, feeEnding, {
    path: `${path}/end`,
    on,
    current,
    prefix: 'end-',
    grave: true,
    verbOf: (visit) => ({ verb: endFees(base), seen: seenIn(visit) }),
    initial: async () => ({ from: today().toString() }),
    page: (visit, form) => page(visit, { ending: form }),
    done,
  });
  portal.page({ ...on, read: (visit) => page(visit, {}) });
}

type Form = 'setting' | 'ending';

/** Writes an uploaded file to disk, for the verb that reads a path. */
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
        // A register has hundreds of thousands of lines, too many for the time limit of a request.
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
  changePages(portal, parts);
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
