import type { Centavos } from '../../../kernel/money.ts';
import type { Refundable } from '../../../money/refunds/index.ts';
import { ChoicesField, TextField } from '../../../platform/pages/components/field.tsx';
import { type FieldFault, faultIn } from '../../../platform/pages/components/form.tsx';
import { moneyText, paidText } from '../../../platform/pages/format.ts';
import { CreatingForm } from '../../frame/creating.tsx';
import type { AccountVisit, Page } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { refundTexts } from '../../refunds/texts.ts';
import { actTexts } from './act-texts.ts';
import { oneTexts } from './texts.ts';

export interface RefundDraft {
  /** Idempotency key of the form, so that sending it twice orders one refund. */
  key: string;
  amount: string;
  cbu: string;
  resultId: string;
  faults: readonly FieldFault[];
  /** Reason of a refusal that belongs to no field. */
  refusal: { message: string; status: number } | null;
}

interface RefundModel {
  id: number;
  refundable: readonly [Refundable, ...Refundable[]];
  draft: RefundDraft;
  /** Amount above which a refund needs another person. Null disables dual approval. */
  above: Centavos | null;
}

/** Renders the form that refunds a payment in full or in part. */
export function refundPage(visit: AccountVisit, model: RefundModel): Page {
  const { id, refundable, draft, above } = model;
  const { lang, at } = visit;
  const { refund: texts, left } = actTexts[lang];
  const [last] = refundable;
  const chosen = refundable.find(({ result }) => String(result.id) === draft.resultId) ?? last;
  const faultOf = faultIn(draft.faults);
  const status = draft.refusal?.status ?? (draft.faults.length > 0 ? 400 : 200);
  return {
    title: texts.title,
    status,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={
            above === null
              ? texts.lead
              : `${texts.lead} ${refundTexts[lang].limit.on(moneyText(lang, above))}`
          }
          up={{ href: at(`/requests/${id}`), label: oneTexts[lang].title({ id }) }}
        />
        <CreatingForm
          visit={visit}
          path={`/requests/${id}/refund`}
          submit={texts.submit}
          grave
          back={at(`/requests/${id}`)}
          once={draft.key}
          refused={{
            faults: draft.faults,
            status,
            message: draft.refusal && <bdi>{draft.refusal.message}</bdi>,
          }}
        >
          <Payments visit={visit} refundable={refundable} chosen={chosen} />
          <TextField
            lang={lang}
            name="amount"
            label={texts.amount}
            hint={left({ amount: moneyText(lang, chosen.left) })}
            value={draft.amount}
            inputMode="decimal"
            short
            optional
            fault={faultOf('amount')}
          />
          {refundable.some(({ way }) => way === 'transfer') && (
            <TextField
              lang={lang}
              name="cbu"
              label={texts.cbu}
              hint={texts.cbuHint}
              value={draft.cbu}
              inputMode="numeric"
              maxLength={30}
              fault={faultOf('cbu')}
            />
          )}
        </CreatingForm>
      </>
    ),
  };
}

type PaymentsProps = {
  visit: AccountVisit;
  refundable: readonly Refundable[];
  chosen: Refundable;
};

/** Renders the choice of the payment to refund. A single payment needs none. */
function Payments({ visit: { lang }, refundable, chosen }: PaymentsProps) {
  const { refund: texts, payment, left } = actTexts[lang];
  const nameOf = ({ result }: Refundable): string =>
    `${payment({ channel: result.channel_label, when: paidText(lang, result.paid_at) })}: ${moneyText(lang, result.amount)}`;
  if (refundable.length === 1) {
    return (
      <>
        <input type="hidden" name="result_id" value={chosen.result.id} />
        <p>
          {texts.payment}: {nameOf(chosen)}
        </p>
      </>
    );
  }
  return (
    <ChoicesField
      lang={lang}
      name="result_id"
      kind="radio"
      label={texts.payment}
      values={[String(chosen.result.id)]}
      choices={refundable.map((one) => ({
        value: String(one.result.id),
        label: nameOf(one),
        hint: left({ amount: moneyText(lang, one.left) }),
      }))}
    />
  );
}
