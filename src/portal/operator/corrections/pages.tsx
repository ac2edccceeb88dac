import type { Centavos } from '../../../kernel/money.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { SelectField, TextField } from '../../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn } from '../../../platform/pages/components/form.tsx';
import { Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import { fourEyesTexts } from '../../four-eyes/texts.ts';
import { Proposals } from '../../four-eyes/views.tsx';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Told } from '../../frame/told.tsx';
import { ListPager, type ProposalLists } from '../four-eyes/pager.tsx';
import { correctionTexts } from './texts.ts';

/** What was typed. */
export interface Draft {
  account: string;
  amount: string;
  reference: string;
  note: string;
  faults: readonly FieldFault[];
  told?: Refusal | undefined;
  status: number;
}

export interface CorrectionsModel extends ProposalLists {
  accounts: readonly { id: string; name: string }[];
  limit: Centavos;
  draft?: Draft | undefined;
  done?: 'posted' | 'known' | undefined;
}

function NewCorrection({ visit, model }: { visit: ServiceVisit; model: CorrectionsModel }) {
  const { lang, at } = visit;
  const texts = correctionTexts[lang];
  const shared = fourEyesTexts[lang];
  const { accounts, draft } = model;
  const action = at('/corrections');
  const faultOf = faultIn(draft?.faults ?? []);
  return (
    <Section title={texts.add} id="new">
      {draft?.told !== undefined && (
        <Notice tone="bad" title={shared.refused}>
          <p>
            <Told lang={lang}>{draft.told}</Told>
          </p>
        </Notice>
      )}
      <Form
        lang={lang}
        action={action}
        token={visit.token(action)}
        submit={texts.submit}
        faults={draft?.faults ?? []}
      >
        <SelectField
          lang={lang}
          name="account"
          label={shared.account}
          value={draft?.account ?? ''}
          fault={faultOf('account')}
          choices={accounts.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
        />
        <TextField
          lang={lang}
          name="amount"
          label={texts.amount}
          hint={texts.amountHint}
          value={draft?.amount ?? ''}
          fault={faultOf('amount')}
          short
        />
        <TextField
          lang={lang}
          name="reference"
          label={shared.reference}
          hint={texts.referenceHint}
          value={draft?.reference ?? ''}
          fault={faultOf('reference')}
        />
        <TextField
          lang={lang}
          name="note"
          label={shared.note}
          hint={texts.noteHint}
          value={draft?.note ?? ''}
          fault={faultOf('note')}
        />
      </Form>
    </Section>
  );
}

/** What waits to be corrected, what was, and where one proposes more. */
export function correctionsPage(visit: ServiceVisit, model: CorrectionsModel): Page {
  const { lang } = visit;
  const texts = correctionTexts[lang];
  const shared = fourEyesTexts[lang];
  const place = { visit, path: '/corrections' };
  return {
    title: texts.title,
    status: model.draft?.status ?? 200,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead({ limit: moneyText(lang, model.limit) })} />
        {model.done && <Notice tone="good" title={texts[model.done]} />}
        <Section title={shared.waiting} id="waiting">
          <Proposals {...place} title={shared.waiting} rows={model.waiting} empty={shared.none} />
        </Section>
        {visit.may('corrections.propose') && <NewCorrection visit={visit} model={model} />}
        <Section title={shared.latest} id="latest">
          <Proposals
            {...place}
            title={shared.latest}
            rows={model.latest.rows}
            empty={shared.noneEver}
          />
          <ListPager {...place} name="behind" id="latest" page={model.latest} />
        </Section>
      </>
    ),
  };
}
