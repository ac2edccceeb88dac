import type { PayoutCbu } from '../../accounts/index.ts';
import { bankOf } from '../../kernel/banks.ts';
import { TextField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn, statusOf } from '../../platform/pages/components/form.tsx';
import { Facts, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { grouped, momentText } from '../../platform/pages/format.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { bankTexts } from './bank-texts.ts';
import { settingTexts } from './setting-texts.ts';

export const bankPath = '/settings/bank-account';

/** The last four digits tell accounts apart. */
const endOf = (cbu: string): string => cbu.slice(-4);
const masked = (cbu: string): string => `···· ${endOf(cbu)} · ${bankOf(cbu)}`;

/**
 * Shows the whole CBU only to members who may change it, so that they can compare; the others see
 * its last digits.
 */
const shownTo = ({ may }: AccountVisit, cbu: string): string =>
  may('bank_account.change') ? `${grouped(cbu)} · ${bankOf(cbu)}` : masked(cbu);

/** The bank account's section of the settings page. */
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
      {cbu.next_payout_cbu !== null && (
        <Notice tone="wait">
          <p>{texts.waits}</p>
        </Notice>
      )}
    </Section>
  );
}

export const bankNotes = ['asked', 'canceled', 'gone', 'late'] as const;
export type BankNote = (typeof bankNotes)[number];

const tones = { asked: 'good', canceled: 'good', gone: 'wait', late: 'bad' } as const;

interface BankModel {
  cbu: PayoutCbu;
  note: BankNote | null;
  status?: number;
}

export function bankPage(visit: AccountVisit, { cbu, note, status = 200 }: BankModel): Page {
  const { lang, at, account } = visit;
  const texts = bankTexts[lang];
  const changes = visit.may('bank_account.change') && account.state !== 'closed';
  const { payout_cbu: present, next_payout_cbu: next } = cbu;
  return {
    title: texts.title,
    status,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/settings'), label: settingTexts[lang].title }}
        />
        {note !== null && (
          <Notice tone={tones[note]}>
            <p>{texts[note]}</p>
          </Notice>
        )}
        <Facts items={[[texts.present, present === null ? texts.none : shownTo(visit, present)]]} />
        <Waiting visit={visit} cbu={cbu} />
        {!visit.may('bank_account.change') && <p class="hint">{texts.onlyOwners}</p>}
        {changes && next === null && (
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

/** A pending change, with a button to cancel it. */
function Waiting({ visit, cbu }: { visit: AccountVisit; cbu: PayoutCbu }) {
  const { lang, at, token } = visit;
  const texts = bankTexts[lang];
  const { payout_cbu: present, next_payout_cbu: next, next_payout_cbu_at: moment } = cbu;
  if (next === null || moment === null) return null;
  const action = at(`${bankPath}/cancel`);
  return (
    <Section id="waiting" title={texts.waits}>
      <Facts items={[[texts.newCbu, shownTo(visit, next)]]} />
      <p>
        {texts.from({ moment: momentText(lang, moment) })}{' '}
        {texts.until({ present: present === null ? 'none' : endOf(present) })}
      </p>
      {visit.may('bank_account.change') && (
        <Form lang={lang} action={action} token={token(action)} submit={texts.cancel} grave>
          <input type="hidden" name="back" value={at(bankPath)} />
          <input type="hidden" name="cbu" value={next} />
        </Form>
      )}
    </Section>
  );
}

export interface CbuDraft {
  cbu: string;
  faults: readonly FieldFault[];
  status?: number;
}

export function changeCbuPage(visit: AccountVisit, { cbu, faults, status }: CbuDraft): Page {
  const { lang, at, token } = visit;
  const texts = bankTexts[lang];
  const action = at(`${bankPath}/change`);
  return {
    title: texts.change,
    status: status ?? statusOf(faults),
    body: (
      <>
        <PageHead
          title={texts.change}
          lead={texts.changeLead}
          up={{ href: at(bankPath), label: texts.title }}
        />
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          faults={faults}
          submit={texts.ask}
          back={at(bankPath)}
        >
          <input type="hidden" name="back" value={action} />
          <TextField
            lang={lang}
            name="cbu"
            label={texts.newCbu}
            hint={texts.cbuHint}
            value={cbu}
            fault={faultIn(faults)('cbu')}
            inputMode="numeric"
            autocomplete="off"
            maxLength={40}
          />
        </Form>
      </>
    ),
  };
}
