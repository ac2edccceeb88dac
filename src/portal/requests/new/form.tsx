import { textAt } from '../../../language/catalog.ts';
import type { PayerChannel } from '../../../money/channels/index.ts';
import {
  ChoicesField,
  LongTextField,
  TextField,
} from '../../../platform/pages/components/field.tsx';
import { type FieldFault, faultIn } from '../../../platform/pages/components/form.tsx';
import type { Lang } from '../../../platform/pages/model.ts';
import { channelNames } from '../../frame/channels.ts';
import { CreatingForm } from '../../frame/creating.tsx';
import type { AccountVisit, Page } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Message } from '../../frame/message.tsx';
import { brandChoices, type Draft, type ItemDraft, itemId } from './draft.ts';
import { type FieldName, newTexts } from './texts.ts';

interface FormModel {
  draft: Draft;
  offered: readonly PayerChannel[];
  faults: readonly FieldFault[];
  /** Reason of a refusal that belongs to no field. */
  refusal?: { message: string; status: number };
}

/** Empty lines below the filled ones. */
const blankItems = 3;

export function formPage(visit: AccountVisit, model: FormModel): Page {
  const { lang, at } = visit;
  const texts = newTexts[lang];
  const { draft, faults, refusal } = model;
  const status = refusal?.status ?? (faults.length > 0 ? 400 : 200);
  return {
    title: texts.title,
    status,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/requests'), label: texts.list }}
        />
        <CreatingForm
          visit={visit}
          path="/requests/new"
          submit={texts.preview.submit}
          back={at('/requests')}
          once={draft.key}
          refused={{
            faults,
            status,
            message: refusal && <Message lang={lang}>{refusal.message}</Message>,
          }}
        >
          <Fields lang={lang} model={model} />
        </CreatingForm>
      </>
    ),
  };
}

type FieldsProps = { lang: Lang; model: FormModel };

function Fields({ lang, model }: FieldsProps) {
  const texts = newTexts[lang];
  const { draft, offered, faults } = model;
  const faultOf = faultIn(faults);
  const hintOf = (name: FieldName): { hint?: string } => {
    const hint = textAt(texts.hints, name);
    return hint === undefined ? {} : { hint };
  };
  const shared = (name: keyof Draft['values']) => ({
    lang,
    name,
    label: texts.fields[name],
    value: draft.values[name],
    ...hintOf(name),
    fault: faultOf(name),
  });
  const { values } = draft;
  const seconds = ['second_due_date', 'second_total'] as const;
  const backs = ['back_url_success', 'back_url_pending', 'back_url_rejected'] as const;
  const others = ['excluded_installments', ...backs, 'metadata'] as const;
  const hasBrands = draft.noBrands.length > 0 || faultOf('excluded_card_brands') !== undefined;
  const stands = (names: readonly (keyof Draft['values'])[]): boolean =>
    names.some((name) => values[name] !== '' || faultOf(name) !== undefined);
  return (
    <>
      <TextField {...shared('payer_name')} maxLength={255} />
      <TextField {...shared('payer_email')} type="email" maxLength={255} optional />
      <LongTextField {...shared('description')} rows={3} />
      <TextField {...shared('first_due_date')} type="date" />
      <TextField {...shared('first_total')} inputMode="decimal" short />
      <details class="group" open={stands(seconds)}>
        <summary>{texts.second}</summary>
        <div class="fields">
          <TextField {...shared('second_due_date')} type="date" optional />
          <TextField {...shared('second_total')} inputMode="decimal" short optional />
        </div>
      </details>
      <TextField {...shared('external_reference')} maxLength={255} optional />
      <Items lang={lang} items={draft.items} faultOf={faultOf} />
      <ChoicesField
        lang={lang}
        id="excluded_channels"
        name="channels"
        kind="checkbox"
        label={texts.fields.excluded_channels}
        values={draft.channels}
        choices={offered.map((code) => ({ value: code, label: channelNames[lang][code] }))}
        fault={faultOf('excluded_channels')}
      />
      <details class="group" open={stands(others) || hasBrands}>
        <summary>{texts.more}</summary>
        <div class="fields">
          <ChoicesField
            lang={lang}
            name="excluded_card_brands"
            kind="checkbox"
            label={texts.fields.excluded_card_brands}
            {...hintOf('excluded_card_brands')}
            values={draft.noBrands}
            choices={brandChoices}
            fault={faultOf('excluded_card_brands')}
          />
          <TextField {...shared('excluded_installments')} inputMode="text" short optional />
          {backs.map((name) => (
            <TextField key={name} {...shared(name)} type="url" maxLength={255} optional />
          ))}
          <LongTextField {...shared('metadata')} rows={4} optional />
        </div>
      </details>
    </>
  );
}

type ItemsProps = {
  lang: Lang;
  items: readonly ItemDraft[];
  faultOf: (id: string) => string | undefined;
};

const noItem: ItemDraft = { description: '', quantity: '', amount: '' };

/** Renders the line items, and some empty ones. */
function Items({ lang, items, faultOf }: ItemsProps) {
  const { items: texts, itemFault } = newTexts[lang];
  const rows = [...items, ...Array.from({ length: blankItems }, () => noItem)];
  const field = (name: keyof ItemDraft, row: ItemDraft, no: number) => {
    const id = itemId(name, no);
    const label = itemFault({ no: no + 1, what: texts[name] });
    return { lang, id, name: `item_${name}`, label, value: row[name], fault: faultOf(id) };
  };
  return (
    <details class="group" open={items.length > 0}>
      <summary>{texts.title}</summary>
      <p class="hint">{texts.hint}</p>
      {rows.map((row, no) => (
        <div key={no} class="fields fields-row">
          <TextField {...field('description', row, no)} maxLength={255} />
          <TextField {...field('quantity', row, no)} inputMode="numeric" short />
          <TextField {...field('amount', row, no)} inputMode="decimal" short />
        </div>
      ))}
    </details>
  );
}
