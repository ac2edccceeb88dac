import type { ComponentChildren } from 'preact';
import {
  mailSetting,
  type PayerMailSettings,
  payerMailKinds,
  type StopCounts,
} from '../../payment-requests/index.ts';
import { Badge, Facts, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { mailTexts } from './texts.ts';

export interface MailsModel {
  settings: PayerMailSettings;
  /** The form, or false for readers. */
  form: ComponentChildren;
  /** Returns true for texts that the account wrote itself. */
  own: (kind: (typeof payerMailKinds)[number], lang: Lang) => boolean;
  stops: StopCounts;
  /** True if emails are delivered. */
  hasServer: boolean;
  saved: boolean;
}

export const mayChange = ({ may }: AccountVisit): boolean => may('settings.change');

export function mailsPage(visit: AccountVisit, model: MailsModel): Page {
  const texts = mailTexts[visit.lang];
  const { form, hasServer, saved, stops } = model;
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        {saved && <Notice tone="good" text={texts.saved} />}
        {!hasServer && <Notice tone="wait" text={texts.noServer} />}
        <Section id="settings" title={texts.settings.title}>
          {form || <SettingsFacts lang={visit.lang} settings={model.settings} />}
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
  const label = (name: string) => mailSetting.text(name, lang) ?? name;
  const state = (on: boolean) => (
    <Badge tone={on ? 'good' : 'calm'}>{on ? words.on : words.off}</Badge>
  );
  return (
    <>
      <Facts
        items={[
          ...payerMailKinds.map((kind) => [kinds[kind], state(settings[kind])] as const),
          [label('days'), String(settings.reminderDays)],
          [label('languages'), languages[settings.languages]],
          [label('coupon'), settings.attachesCoupon ? words.couponFile : words.couponLink],
        ]}
      />
      <p>{onlyManagers}</p>
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
