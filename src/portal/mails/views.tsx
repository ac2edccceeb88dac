import {
  type PayerMailSettings,
  payerMailKinds,
  type StopCounts,
} from '../../payment-requests/index.ts';
import { ChoicesField, SelectField, TextField } from '../../platform/pages/components/field.tsx';
import { Form, faultIn } from '../../platform/pages/components/form.tsx';
import { Badge, Facts, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { OvertakenNotice, statusOfAgain } from '../frame/overtaken.tsx';
import type { SettingsDraft } from './model.ts';
import { mailTexts } from './texts.ts';

export interface MailsModel {
  settings: PayerMailSettings;
  draft: SettingsDraft;
  /** Texts that the account wrote itself. */
  own: (kind: (typeof payerMailKinds)[number], lang: Lang) => boolean;
  stops: StopCounts;
  /** True if mails are delivered. */
  hasServer: boolean;
  saved: boolean;
}

/** True if the viewer can edit. */
export const mayChange = ({ may, account }: AccountVisit): boolean =>
  may('settings.change') && account.state !== 'closed';

export function mailsPage(visit: AccountVisit, model: MailsModel): Page {
  const texts = mailTexts[visit.lang];
  const { draft, hasServer, saved, stops } = model;
  return {
    title: texts.title,
    status: statusOfAgain(draft, draft.faults),
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        {saved && (
          <Notice tone="good">
            <p>{texts.saved}</p>
          </Notice>
        )}
        {!hasServer && (
          <Notice tone="wait">
            <p>{texts.noServer}</p>
          </Notice>
        )}
        <Section id="settings" title={texts.settings.title}>
          {mayChange(visit) ? (
            <SettingsForm visit={visit} draft={draft} />
          ) : (
            <SettingsFacts lang={visit.lang} settings={model.settings} />
          )}
        </Section>
        <Texts visit={visit} own={model.own} />
        <Section id="stops" title={texts.stops.title}>
          <p>{texts.stops.lead}</p>
          <Facts
            items={[
              [texts.stops.unsubscribed, String(stops.unsubscribed)],
              [texts.stops.bounced, String(stops.bounced)],
            ]}
          />
        </Section>
      </>
    ),
  };
}

function SettingsFacts({ lang, settings }: { lang: Lang; settings: PayerMailSettings }) {
  const { settings: words, kinds, languages, onlyManagers } = mailTexts[lang];
  const state = (on: boolean) => (
    <Badge tone={on ? 'good' : 'calm'}>{on ? words.on : words.off}</Badge>
  );
  return (
    <>
      <Facts
        items={[
          ...payerMailKinds.map((kind) => [kinds[kind], state(settings[kind])] as const),
          [words.days, String(settings.reminderDays)],
          [words.languages, languages[settings.languages]],
          [words.coupon, settings.attachesCoupon ? words.couponFile : words.couponLink],
        ]}
      />
      <p>{onlyManagers}</p>
    </>
  );
}

function SettingsForm({ visit, draft }: { visit: AccountVisit; draft: SettingsDraft }) {
  const { lang, at, token } = visit;
  const { settings: words, kinds, kindHints, languages } = mailTexts[lang];
  const action = at('/settings/mails');
  const faultOf = faultIn(draft.faults);
  const kindNames = (text: string) =>
    payerMailKinds.filter((kind) => text.split(' ').includes(kind)).map((kind) => kinds[kind]);
  return (
    <>
      <OvertakenNotice
        lang={lang}
        changed={draft.overtaken}
        labels={words}
        shows={{
          kinds: (text) => kindNames(text).join(', '),
          languages: (text) => languages[text as keyof typeof languages],
          coupon: (text) => (text === 'file' ? words.couponFile : words.couponLink),
        }}
      />
      <Form
        lang={lang}
        action={action}
        token={token(action)}
        seen={draft.seen}
        faults={draft.faults}
        submit={words.save}
      >
        <ChoicesField
          lang={lang}
          name="kinds"
          label={words.kinds}
          hint={words.since}
          kind="checkbox"
          values={draft.kinds}
          choices={payerMailKinds.map((value) => ({
            value,
            label: kinds[value],
            hint: kindHints[value],
          }))}
        />
        <TextField
          lang={lang}
          name="days"
          label={words.days}
          hint={words.daysHint}
          value={draft.days}
          fault={faultOf('days')}
          inputMode="numeric"
          maxLength={2}
          short
        />
        <SelectField
          lang={lang}
          name="languages"
          label={words.languages}
          value={draft.languages}
          fault={faultOf('languages')}
          choices={(['es', 'en', 'both'] as const).map((value) => ({
            value,
            label: languages[value],
          }))}
        />
        <ChoicesField
          lang={lang}
          name="coupon"
          label={words.coupon}
          kind="radio"
          values={[draft.coupon]}
          fault={faultOf('coupon')}
          choices={[
            { value: 'link', label: words.couponLink },
            { value: 'file', label: words.couponFile },
          ]}
        />
      </Form>
    </>
  );
}

function Texts({ visit, own }: { visit: AccountVisit; own: MailsModel['own'] }) {
  const { lang, at } = visit;
  const { texts: words, kinds, languages } = mailTexts[lang];
  const rows = payerMailKinds.flatMap((kind) =>
    (['es', 'en'] as const).map((of) => ({ kind, of })),
  );
  const verb = mayChange(visit) ? words.edit : words.see;
  return (
    <Section id="texts" title={words.title}>
      <Table
        lang={lang}
        caption={words.title}
        captionUnseen
        rows={rows}
        empty={null}
        columns={[
          { key: 'mail', title: words.mail, heads: true, cell: ({ kind }) => kinds[kind] },
          { key: 'language', title: words.language, cell: ({ of }) => languages[of] },
          {
            key: 'state',
            title: words.state,
            cell: ({ kind, of }) => (own(kind, of) ? words.own : words.usual),
          },
          {
            key: 'edit',
            title: verb,
            cell: ({ kind, of }) => (
              <a href={at(`/settings/mails/${kind}/${of}`)}>
                {verb}
                <span class="unseen">
                  {' '}
                  {kinds[kind]}, {languages[of]}
                </span>
              </a>
            ),
          },
        ]}
      />
    </Section>
  );
}
