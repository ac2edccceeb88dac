import type { ComponentChildren } from 'preact';
import type { PayoutCbu } from '../../accounts/index.ts';
import { bankOf } from '../../kernel/banks.ts';
import { Facts, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { grouped, momentText } from '../../platform/pages/format.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { bankTexts } from './bank-texts.ts';
import { settingTexts } from './setting-texts.ts';

export const bankPath = '/settings/bank-account';

/** Returns the last four digits, enough to distinguish accounts. */
const endOf = (cbu: string): string => cbu.slice(-4);
const masked = (cbu: string): string => `···· ${endOf(cbu)} · ${bankOf(cbu)}`;

/**
 * Shows the whole CBU only to members who may change it, so that they can compare it. Others see
 * the last digits.
 */
const cbuText = ({ may }: AccountVisit, cbu: string): string =>
  may('bank_account.change') ? `${grouped(cbu)} · ${bankOf(cbu)}` : masked(cbu);

export function BankAccount({ visit, cbu }: { visit: AccountVisit; cbu: PayoutCbu }) {
  const texts = bankTexts[visit.lang];
  return (
    <Section
      id="bank-account"
      title={texts.title}
      actions={
        <a class="button button-quiet" href={visit.at(bankPath)}>
          {texts.see}
          <span class="unseen"> {texts.title}</span>
        </a>
      }
    >
      <Facts
        items={[[texts.present, cbu.payout_cbu === null ? texts.none : masked(cbu.payout_cbu)]]}
      />
      {cbu.next_payout_cbu !== null && <Notice tone="wait" text={texts.waits} />}
    </Section>
  );
}

export const bankNotes = ['asked', 'canceled', 'gone'] as const;
export type BankNote = (typeof bankNotes)[number];

const tones = { asked: 'good', canceled: 'good', gone: 'wait' } as const;

interface BankModel {
  cbu: PayoutCbu;
  note: BankNote | null;
  /** The form that cancels the pending change. */
  cancel: ComponentChildren;
}

export function bankPage(visit: AccountVisit, { cbu, note, cancel }: BankModel): Page {
  const { lang, at, may } = visit;
  const texts = bankTexts[lang];
  const { payout_cbu: present, next_payout_cbu: next } = cbu;
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/settings'), label: settingTexts[lang].title }}
        />
        {note !== null && <Notice tone={tones[note]} text={texts[note]} />}
        <Facts items={[[texts.present, present === null ? texts.none : cbuText(visit, present)]]} />
        <Waiting visit={visit} cbu={cbu} cancel={cancel} />
        {!may('bank_account.change') && <p class="hint">{texts.onlyOwners}</p>}
        {may('bank_account.change') && next === null && (
          <p>
            <a class="button" href={at(`${bankPath}/change`)}>
              {texts.change}
            </a>
          </p>
        )}
      </>
    ),
  };
}

/** Renders a pending change, with a button to cancel it. */
function Waiting({
  visit,
  cbu,
  cancel,
}: { visit: AccountVisit } & Pick<BankModel, 'cbu' | 'cancel'>) {
  const { lang } = visit;
  const texts = bankTexts[lang];
  const { payout_cbu: present, next_payout_cbu: next, next_payout_cbu_at: moment } = cbu;
  if (next === null || moment === null) return null;
  return (
    <Section id="waiting" title={texts.waits}>
      <Facts items={[[texts.newCbu, cbuText(visit, next)]]} />
      <p>
        {texts.from({ moment: momentText(lang, moment) })}{' '}
        {texts.until({ present: present === null ? 'none' : endOf(present) })}
      </p>
      {cancel}
    </Section>
  );
}
