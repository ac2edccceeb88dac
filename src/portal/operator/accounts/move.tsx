import type { Account, AccountMove } from '../../../accounts/index.ts';
import type { Centavos } from '../../../kernel/money.ts';
import { TextField } from '../../../platform/pages/components/field.tsx';
import {
  type FieldFault,
  Form,
  faultIn,
  statusOf,
} from '../../../platform/pages/components/form.tsx';
import { Figures, Notice } from '../../../platform/pages/components/parts.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { upTo } from './forms.tsx';
import { accountsTexts } from './texts.ts';

export interface MoveDraft {
  move: AccountMove;
  reason: string;
  faults: readonly FieldFault[];
  /** Refusal of the whole form. */
  refusal?: string | undefined;
  balances: { available: Centavos; unavailable: Centavos };
}

/** Asks to confirm a change of an account's state, with its consequences and a reason. */
export function movePage(visit: ServiceVisit, account: Account, draft: MoveDraft): Page {
  const { lang, at, token } = visit;
  const texts = accountsTexts[lang];
  const { move, reason, faults, refusal, balances } = draft;
  const { title, lead, submit } = texts.moves[move];
  const action = at(`/accounts/${account.id}/${move}`);
  const faultOf = faultIn(faults);
  return {
    title,
    status: refusal === undefined ? statusOf(faults) : 409,
    body: (
      <>
        <PageHead title={title} lead={lead} up={upTo(visit, account)} />
        {refusal !== undefined && (
          <Notice tone="bad">
            <p>{refusal}</p>
          </Notice>
        )}
        {move === 'close' && (
          <Figures
            items={[
              { label: texts.available, value: moneyText(lang, balances.available) },
              { label: texts.toCome, value: moneyText(lang, balances.unavailable) },
            ]}
          />
        )}
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          faults={faults}
          submit={submit}
          back={at(`/accounts/${account.id}`)}
          grave={move !== 'reopen'}
        >
          <TextField
            lang={lang}
            name="reason"
            label={texts.reason}
            hint={texts.reasonHint}
            value={reason}
            fault={faultOf('reason')}
            maxLength={255}
          />
          {move === 'close' && (
            <TextField
              lang={lang}
              name="typed"
              label={texts.typed({ id: account.id })}
              fault={faultOf('typed')}
              autocomplete="off"
              short
            />
          )}
        </Form>
      </>
    ),
  };
}
