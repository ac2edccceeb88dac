import type { PayoutCbu } from '../../accounts/index.ts';
import { cbuFault } from '../../kernel/cbu.ts';
import type { Actor } from '../../platform/actor.ts';
import { Refusal } from '../../platform/errors.ts';
import type { AccountVisit, Answer, Portal } from '../frame/index.ts';
import { bankNotes, bankPage, bankPath, changeCbuPage } from './bank-account.tsx';
import { bankTexts } from './bank-texts.ts';

interface NamedCbu {
  account: { id: string; name: string };
  cbu: string;
}

export interface BankParts {
  settings: {
    readCbu(accountId: string): Promise<PayoutCbu>;
    askCbu(actor: Actor, change: NamedCbu): Promise<void>;
    cancelCbu(actor: Actor, change: NamedCbu): Promise<boolean>;
  };
}

const isConflict = (error: unknown): boolean =>
  error instanceof Refusal && error.kind === 'conflict';

const faulty = (lang: AccountVisit['lang'], text: string) => [
  { field: 'cbu', label: bankTexts[lang].newCbu, text },
];

async function asks(visit: AccountVisit, { settings }: BankParts): Promise<Answer> {
  const { lang, account, actor, at } = visit;
  const texts = bankTexts[lang];
  // People paste it in groups, or with hyphens.
  const cbu = (visit.posted.get('cbu') ?? '').replace(/[\s-]/g, '');
  const fault = cbuFault(cbu);
  if (fault !== null) {
    return changeCbuPage(visit, { cbu, faults: faulty(lang, texts.faults[fault]) });
  }
  try {
    await settings.askCbu(actor, { account, cbu });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const now = await settings.readCbu(account.id);
    // A form sent twice requests the change that is already pending.
    if (now.next_payout_cbu === cbu) return { to: at(`${bankPath}?note=asked`) };
    const text = now.next_payout_cbu === null ? texts.same : texts.waiting;
    return changeCbuPage(visit, { cbu, faults: faulty(lang, text), status: 409 });
  }
  return { to: at(`${bankPath}?note=asked`) };
}

async function cancels(visit: AccountVisit, { settings }: BankParts): Promise<Answer> {
  const { account, actor, posted, at } = visit;
  try {
    const cbu = posted.get('cbu') ?? '';
    const stopped = await settings.cancelCbu(actor, { account, cbu });
    return { to: at(`${bankPath}?note=${stopped ? 'canceled' : 'gone'}`) };
  } catch (error) {
    if (!isConflict(error)) throw error;
    return bankPage(visit, { cbu: await settings.readCbu(account.id), note: 'late', status: 409 });
  }
}

/** Pages of the payout account and its change. */
export function bankPages(portal: Portal, parts: BankParts): void {
  portal.page({
    act: 'settings.see',
    path: bankPath,
    read: async (visit) =>
      bankPage(visit, {
        cbu: await parts.settings.readCbu(visit.account.id),
        note: bankNotes.find((one) => one === visit.query.get('note')) ?? null,
      }),
  });
  portal.page({
    act: 'bank_account.change',
    path: `${bankPath}/change`,
    read: async (visit) => changeCbuPage(visit, { cbu: '', faults: [] }),
  });
  portal.form({
    act: 'bank_account.change',
    path: `${bankPath}/change`,
    does: (visit) => asks(visit, parts),
  });
  portal.form({
    act: 'bank_account.change',
    path: `${bankPath}/cancel`,
    does: (visit) => cancels(visit, parts),
  });
}
