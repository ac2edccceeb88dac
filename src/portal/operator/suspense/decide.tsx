import { formatDay } from '../../../kernel/dates.ts';
import type { SuspenseRow } from '../../../money/suspense/index.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { TextField } from '../../../platform/pages/components/field.tsx';
import { Form } from '../../../platform/pages/components/form.tsx';
import { Facts, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import type { RequestRow } from '../../../requests/index.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { RequestBadge } from '../../frame/states.tsx';
import { Told } from '../../frame/told.tsx';
import { MoneyFacts } from './one.tsx';
import { suspenseTexts } from './texts.ts';

/** Why a decision was not taken. */
export interface Fault {
  /** The note is no note. */
  note?: boolean;
  /** What the verb said. */
  told?: Refusal;
  status: number;
}

interface DecideModel {
  row: SuspenseRow;
  note: string;
  fault?: Fault | undefined;
}

function Refused({ visit, fault }: { visit: ServiceVisit; fault: Fault | undefined }) {
  if (fault?.told === undefined) return null;
  return (
    <Notice tone="bad" title={suspenseTexts[visit.lang].refused}>
      <p>
        <Told lang={visit.lang}>{fault.told}</Told>
      </p>
    </Notice>
  );
}

interface NoteProps {
  visit: ServiceVisit;
  model: DecideModel;
  texts: { note: string; noteFault: string; submit: string };
  /** What of the address the form is posted to. */
  path: 'assign' | 'return';
  grave?: boolean;
  hidden?: Readonly<Record<string, string>>;
}

function NoteForm({ visit, model, texts, path, grave = false, hidden = {} }: NoteProps) {
  const { lang, at } = visit;
  const { row, note, fault } = model;
  const action = at(`/suspense/${row.id}/${path}`);
  const text = fault?.note ? texts.noteFault : undefined;
  return (
    <Form
      lang={lang}
      action={action}
      token={visit.token(action)}
      submit={texts.submit}
      grave={grave}
      back={at(`/suspense/${row.id}`)}
      faults={text === undefined ? [] : [{ field: 'note', label: texts.note, text }]}
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <TextField
        lang={lang}
        name="note"
        label={texts.note}
        value={note}
        fault={text}
        maxLength={255}
        required
      />
    </Form>
  );
}

/** Asks whether money is to be a payment of a request. */
export function assignPage(
  visit: ServiceVisit,
  { request, ...model }: DecideModel & { request: RequestRow },
): Page {
  const { lang, at } = visit;
  const { row, fault } = model;
  const { assign: texts, search, ...own } = suspenseTexts[lang];
  return {
    title: texts.title(row.id),
    status: fault?.status ?? 200,
    body: (
      <>
        <PageHead
          title={texts.title(row.id)}
          lead={texts.lead}
          up={{ href: at(`/suspense/${row.id}`), label: own.one(row.id) }}
        />
        <Refused visit={visit} fault={fault} />
        {request.state === 'paid' && <Notice tone="bad" title={texts.paid} />}
        {request.total1 !== row.amount && request.total2 !== row.amount && (
          <Notice tone="wait" title={texts.differs} />
        )}
        <Section title={texts.money} id="money">
          <MoneyFacts visit={visit} row={row} />
        </Section>
        <Section title={texts.request} id="request">
          <Facts
            items={[
              [own.number, String(request.id)],
              [search.account_id, request.account_id],
              [own.amount, moneyText(lang, request.total1)],
              [own.state, <RequestBadge lang={lang} state={request.state} />],
              [search.payer, <bdi>{request.payer}</bdi>],
              [search.reference, <bdi>{request.reference ?? '—'}</bdi>],
              [search.due, formatDay(request.due1)],
            ]}
          />
        </Section>
        {row.state === 'open' && (
          <NoteForm
            visit={visit}
            model={model}
            texts={texts}
            path="assign"
            hidden={{ account: request.account_id, request: String(request.id) }}
          />
        )}
      </>
    ),
  };
}

/** Asks whether money went back to who paid it. */
export function returnPage(visit: ServiceVisit, model: DecideModel): Page {
  const { lang, at } = visit;
  const { row, fault } = model;
  const { giveBack: texts, one } = suspenseTexts[lang];
  return {
    title: texts.title(row.id),
    status: fault?.status ?? 200,
    body: (
      <>
        <PageHead
          title={texts.title(row.id)}
          lead={texts.lead}
          up={{ href: at(`/suspense/${row.id}`), label: one(row.id) }}
        />
        <Refused visit={visit} fault={fault} />
        <MoneyFacts visit={visit} row={row} />
        {row.state === 'open' && (
          <NoteForm visit={visit} model={model} texts={texts} path="return" grave />
        )}
      </>
    ),
  };
}
