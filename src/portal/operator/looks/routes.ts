import type { ComponentChildren } from 'preact';
import {
  type LookDecision,
  listPendingLooks,
  lookApproving,
  lookRejecting,
  readPendingLogo,
  type WaitingLook,
} from '../../../accounts/index.ts';
import type { Actor } from '../../../platform/actor.ts';
import type { Acting, Base } from '../../../platform/base.ts';
import { namesOf } from '../../../users/index.ts';
import type { Page, Portal, ServiceVisit } from '../../frame/index.ts';
import { type OperationForm, operationForm } from '../../frame/operation.tsx';
import { looksPath } from '../accounts/model.ts';
import { openAccountOf } from '../forms/account.ts';
import { looksPage } from './views.tsx';

export interface LookPageParts {
  base: Base;
  looks: {
    approve(acting: Acting, decision: LookDecision): Promise<void>;
    reject(acting: Acting, decision: LookDecision & { reason: string }): Promise<void>;
  };
}

/** Maximum number of changes on the page, which contains their pictures. */
const maxChanges = 20;

async function withPicture({ sql }: Pick<Base, 'sql'>, row: WaitingLook) {
  const { logo } = row.asked.changes;
  const content = logo ? await readPendingLogo(sql, row.account_id, logo) : null;
  const picture =
    logo && content ? `data:image/${logo.kind};base64,${content.toString('base64')}` : null;
  return { ...row, picture };
}

type Answered = 'approve' | 'reject';

/** Serves changes of names and logos that wait for approval. */
export function lookPages(portal: Portal, { base, looks }: LookPageParts): void {
  const shared = {
    on: { path: looksPath, act: 'accounts.see' },
    brought: ['id'],
    done: (visit: ServiceVisit) => ({ to: visit.at(looksPath) }),
  } as const;

  /** Renders the waiting changes. `sent` is a refused form, whose faults appear in its row. */
  async function show(
    visit: ServiceVisit,
    sent?: { act: Answered; form: ComponentChildren },
  ): Promise<Page> {
    const waiting = await listPendingLooks(base.sql, maxChanges);
    const people = waiting.flatMap(({ asked: { by } }) => (by === null ? [] : [by]));
    const names = await namesOf(base.sql, people);
    const rows = await Promise.all(
      waiting.map(async (row) => {
        const typed = { account: row.account_id, id: String(row.asked.id) };
        const isSent = visit.params.account === row.account_id;
        const formOf = async (act: Answered, form: OperationForm<'accounts.manage'>) =>
          isSent && sent?.act === act ? sent.form : await form.form(visit, typed);
        return {
          ...(await withPicture(base, row)),
          approval: await formOf('approve', approval),
          rejection: await formOf('reject', rejection),
        };
      }),
    );
    return looksPage(visit, { rows, names });
  }

  /** Decides on the change of an account that is not closed. */
  const deciding =
    <Decision extends LookDecision>(
      visit: ServiceVisit,
      decide: (acting: Acting, decision: Decision) => Promise<void>,
    ) =>
    async (actor: Actor, decision: Decision) => {
      await openAccountOf(visit, { base });
      await decide({ ...base, actor }, decision);
    };

  const approval: OperationForm<'accounts.manage'> = operationForm(portal, lookApproving, {
    ...shared,
    path: '/accounts/:account/look/approve',
    verbOf: (visit) => deciding(visit, looks.approve),
    page: (visit, form) => show(visit, { act: 'approve', form }),
  });
  const rejection: OperationForm<'accounts.manage'> = operationForm(portal, lookRejecting, {
    ...shared,
    path: '/accounts/:account/look/reject',
    grave: true,
    verbOf: (visit) => deciding(visit, looks.reject),
    page: (visit, form) => show(visit, { act: 'reject', form }),
  });
  portal.page({ ...shared.on, read: (visit) => show(visit) });
}
