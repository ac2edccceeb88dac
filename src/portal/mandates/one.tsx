import type { ComponentChildren } from 'preact';
import { bankOf } from '../../kernel/banks.ts';
import {
  bankMandateCanceling,
  cardMandateCanceling,
  type Evidence,
  lastDayToSign,
  type MandateRow,
  mandateReminding,
} from '../../mandates/index.ts';
import { Facts, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { cuitText, dayText, grouped, momentText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { OperationLink } from '../frame/declared.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { MandateBadge } from '../frame/states.tsx';
import { instrumentText } from './list.tsx';
import { mandatePath } from './places.ts';
import { commentText, mandateTexts } from './texts.ts';

export interface OneModel {
  row: MandateRow;
  evidence: Evidence | null;
  /** The mandate's debits, if the reader may see them. */
  debits: ComponentChildren;
}

export function onePage(visit: AccountVisit, { row, evidence, debits }: OneModel): Page {
  const { lang, at, query } = visit;
  const texts = mandateTexts[lang];
  const message = query.has('made') ? texts.made : query.has('sent') ? texts.sent : null;
  return {
    title: row.holder,
    body: (
      <>
        <PageHead
          title={row.holder}
          lead={
            <>
              <MandateBadge lang={lang} state={row.state} /> {texts.kinds[row.kind]} · {row.id}
            </>
          }
          up={{ href: at('/mandates'), label: texts.title }}
          actions={<Actions visit={visit} row={row} />}
        />
        {message !== null && row.state === 'pending_to_sign' && (
          <Notice tone="good" text={message({ email: row.email })} />
        )}
        {row.kind === 'card_adhesion' &&
          row.state === 'signed' &&
          row.details.closed !== undefined && (
            <Notice tone="bad" title={texts.closed.title} text={texts.closed.lead} />
          )}
        <Facts items={factsOf(lang, row)} />
        <Section title={texts.evidence.title} id="evidence">
          {evidence === null ? (
            <p class="lead">{texts.evidence.none}</p>
          ) : (
            <Signed lang={lang} row={row} evidence={evidence} />
          )}
        </Section>
        {debits}
      </>
    ),
  };
}

/** Operations that cancel mandates, by kind. */
export const mandateCancelings = {
  adhesion: bankMandateCanceling,
  card_adhesion: cardMandateCanceling,
};

function Actions({ visit, row }: { visit: AccountVisit; row: MandateRow }) {
  const path = mandatePath(row);
  return (
    <>
      {row.state === 'pending_to_sign' && (
        <OperationLink visit={visit} of={mandateReminding} path={`${path}/remind`} />
      )}
      {row.state !== 'canceled' && (
        <OperationLink visit={visit} of={mandateCancelings[row.kind]} path={`${path}/cancel`} />
      )}
    </>
  );
}

/** Formats 2028-04 as on a card: 04/28. */
const monthText = (expires: string): string => `${expires.slice(5)}/${expires.slice(2, 4)}`;

/** Formats a CUIT. A DNI stays unchanged. */
const idText = (digits: string): string => (digits.length === 11 ? cuitText(digits) : digits);

function instrumentFacts(lang: Lang, row: MandateRow): (readonly [string, string])[] {
  const { facts } = mandateTexts[lang];
  if (row.kind === 'card_adhesion') {
    const { expires, closed } = row.details;
    return [
      [facts.instrument, instrumentText(lang, row)],
      ...(expires === undefined ? [] : [[facts.expires, monthText(expires)] as const]),
      ...(closed === undefined ? [] : [[facts.closed, closed] as const]),
      [facts.payer, row.payer],
    ];
  }
  return [
    [facts.instrument, `${bankOf(row.cbu)}, CBU ${grouped(row.cbu)}`],
    [facts.payer, row.payer],
    [facts.idNumber, idText(row.details.holder_id_number)],
    [facts.shortDescription, row.details.short_description],
  ];
}

function factsOf(lang: Lang, row: MandateRow) {
  const { facts } = mandateTexts[lang];
  const moments = [
    [facts.created, momentText(lang, row.created_at)],
    row.state === 'pending_to_sign' && [facts.signBefore, dayText(lang, lastDayToSign(row))],
    row.signed_at !== null && [facts.signed, momentText(lang, row.signed_at)],
    row.canceled_at !== null && [facts.canceled, momentText(lang, row.canceled_at)],
    row.state_comment !== null && [facts.why, commentText(lang, row.state_comment)],
  ];
  const said = [
    [facts.email, row.email],
    [facts.description, row.description],
    row.reference !== null && [facts.reference, row.reference],
  ];
  const all = [...instrumentFacts(lang, row), ...said, ...moments];
  return all
    .filter((one) => one !== false)
    .map(([name = '', value = '']) => [name, <bdi key={name}>{value}</bdi>] as const);
}

type SignedProps = { lang: Lang; row: MandateRow; evidence: Evidence };

/** Renders the evidence of the holder's signature and of its revocation. */
function Signed({ lang, row, evidence }: SignedProps) {
  const { evidence: texts } = mandateTexts[lang];
  return (
    <>
      {row.signed_at === null && <p>{texts.declined}</p>}
      <Moment lang={lang} evidence={evidence} />
      {evidence.revoked !== undefined && (
        <>
          <p>{texts.revoked}</p>
          <Moment lang={lang} evidence={evidence.revoked} />
        </>
      )}
    </>
  );
}

function Moment({ lang, evidence }: { lang: Lang; evidence: Omit<Evidence, 'revoked'> }) {
  const { evidence: texts } = mandateTexts[lang];
  return (
    <>
      <Facts
        items={[
          [texts.at, momentText(lang, Temporal.Instant.from(evidence.at))],
          [texts.address, <bdi class="code">{evidence.address}</bdi>],
          [texts.browser, <bdi>{evidence.user_agent || '—'}</bdi>],
        ]}
      />
      <details>
        <summary>{texts.shown}</summary>
        {evidence.text.split('\n').map((line, index) => (
          <p key={index}>
            <bdi>{line}</bdi>
          </p>
        ))}
      </details>
    </>
  );
}
