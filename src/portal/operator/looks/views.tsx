import type { WaitingLook } from '../../../accounts/index.ts';
import { TextField } from '../../../platform/pages/components/field.tsx';
import { Form } from '../../../platform/pages/components/form.tsx';
import { EmptyState, Facts, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { momentText } from '../../../platform/pages/format.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Told as Refused } from '../../frame/told.tsx';
import { askedFacts } from '../../settings/waiting.tsx';
import { looksPath } from '../accounts/model.ts';
import { accountsTexts } from '../accounts/texts.ts';
import { lookTexts } from './texts.ts';

export interface ShownLook extends WaitingLook {
  /** The picture as a data URI; null if the change has none. */
  picture: string | null;
}

export interface LooksModel {
  rows: readonly ShownLook[];
  names: ReadonlyMap<number, string>;
  /** The refused decision on one account's look. */
  fault?: { account: string; text: string; inReason: boolean; status: number };
}

type RowProps = { visit: ServiceVisit; row: ShownLook; model: LooksModel };

function Decide({ visit, row: { account_id: id, asked }, model }: RowProps) {
  const { lang, at, token } = visit;
  const texts = lookTexts[lang];
  const [approve, reject] = ['approve', 'reject'].map((act) => at(`/accounts/${id}/look/${act}`));
  const fault = model.fault?.account === id ? model.fault : undefined;
  const text = fault?.inReason ? fault.text : undefined;
  const hidden = (
    <>
      <input type="hidden" name="back" value={at(looksPath)} />
      <input type="hidden" name="id" value={asked.id} />
    </>
  );
  if (approve === undefined || reject === undefined) return null;
  return (
    <>
      {asked.by === visit.user.id ? (
        <p>{texts.own}</p>
      ) : (
        <Form lang={lang} action={approve} token={token(approve)} submit={texts.approve}>
          {hidden}
        </Form>
      )}
      <Form
        lang={lang}
        action={reject}
        token={token(reject)}
        submit={texts.reject}
        grave
        faults={text === undefined ? [] : [{ field: 'reason', label: texts.reason, text }]}
      >
        {hidden}
        <TextField
          lang={lang}
          name="reason"
          label={texts.reason}
          fault={text}
          maxLength={255}
          required
        />
      </Form>
    </>
  );
}

function Row({ visit, row, model }: RowProps) {
  const { lang, at, may } = visit;
  const texts = lookTexts[lang];
  const { asked, account_id: id, name, picture } = row;
  const { width = 1, height = 1 } = asked.changes.logo ?? {};
  const share = Math.min(1, 160 / width, 60 / height);
  const logo = picture !== null && (
    <img
      src={picture}
      alt={accountsTexts[lang].name}
      width={Math.max(1, Math.round(width * share))}
      height={Math.max(1, Math.round(height * share))}
    />
  );
  const by = asked.by === null ? texts.nobody : (model.names.get(asked.by) ?? String(asked.by));
  return (
    <Section id={`look-${id}`} title={name}>
      <Facts
        items={[
          [accountsTexts[lang].id, <a href={at(`/accounts/${id}`)}>{id}</a>],
          [texts.now, <bdi>{name}</bdi>],
          ...askedFacts(lang, asked, logo || undefined).map(
            ([label, value]) => [`${texts.asked}: ${label}`, value] as const,
          ),
          [texts.askedBy, <bdi>{by}</bdi>],
          [texts.askedAt, momentText(lang, Temporal.Instant.from(asked.at))],
        ]}
      />
      {may('accounts.manage') && <Decide visit={visit} row={row} model={model} />}
    </Section>
  );
}

/** Names and logos of accounts that payers see once an operator approves them. */
export function looksPage(visit: ServiceVisit, model: LooksModel): Page {
  const { lang, at } = visit;
  const texts = lookTexts[lang];
  const { rows, fault } = model;
  return {
    title: texts.title,
    status: fault?.status ?? 200,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/accounts'), label: accountsTexts[lang].title }}
        />
        {fault !== undefined && !fault.inReason && (
          <Notice tone="bad" title={texts.refused}>
            <p>
              <Refused lang={lang}>{fault.text}</Refused>
            </p>
          </Notice>
        )}
        {rows.length === 0 && <EmptyState title={texts.none} />}
        {rows.map((row) => (
          <Row key={row.account_id} visit={visit} row={row} model={model} />
        ))}
      </>
    ),
  };
}
