import { cbuAsking, cbuCanceling, type PayoutCbu } from '../../accounts/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { AccountVisit, Page, Portal } from '../frame/index.ts';
import { type OperationForm, operationForm, operationPages } from '../frame/operation.tsx';
import { bankNotes, bankPage, bankPath } from './bank-account.tsx';

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

/** Serves the payout account and its change. */
export function bankPages(portal: Portal, { settings }: BankParts): void {
  const back = ({ at }: AccountVisit) => at(bankPath);
  async function show(visit: AccountVisit): Promise<Page> {
    const cbu = await settings.readCbu(visit.account.id);
    const note = bankNotes.find((one) => one === visit.query.get('note')) ?? null;
    const waiting = { cbu: cbu.next_payout_cbu ?? '' };
    return bankPage(visit, { cbu, note, cancel: await canceling.form(visit, waiting) });
  }
  portal.page({ act: 'settings.see', path: bankPath, read: show });
  const canceling: OperationForm<'bank_account.change'> = operationForm(portal, cbuCanceling, {
    path: `${bankPath}/cancel`,
    on: { path: bankPath, act: 'settings.see' },
    verbOf:
      ({ account }) =>
      (actor, cbu) =>
        settings.cancelCbu(actor, { account, cbu }),
    brought: ['cbu'],
    grave: true,
    page: show,
    done: (visit, stopped) => ({ to: `${back(visit)}?note=${stopped ? 'canceled' : 'gone'}` }),
  });
  operationPages(portal, cbuAsking, {
    path: `${bankPath}/change`,
    verbOf:
      ({ account }) =>
      (actor, cbu) =>
        settings.askCbu(actor, { account, cbu }),
    back,
    done: (visit) => ({ to: `${back(visit)}?note=asked` }),
  });
}
