import { ChoicesField } from '../../platform/pages/components/field.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import { Notice, Section } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { type Topic, topicsFor } from '../../users/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { type Again, OvertakenNotice } from '../frame/overtaken.tsx';
import { settingTexts } from './setting-texts.ts';

export const noticesPath = '/settings/notifications';

type Texts = Record<
  'title' | 'lead' | 'choose' | 'chosen' | 'none' | 'save' | 'saved' | 'always' | 'how' | 'see',
  string
> & {
  topics: Record<Topic, { label: string; hint: string }>;
  security: { own: string; owner: string };
};

const noticeTexts: Readonly<Record<Lang, Texts>> = {
  es: {
    title: 'Avisos',
    lead: 'Qué te contamos por correo de esta cuenta. Cada persona elige lo suyo.',
    choose: 'Quiero que me avisen de',
    chosen: 'Te avisamos de',
    none: 'Solo de lo que hace a la seguridad.',
    save: 'Guardar',
    saved: 'Tu elección quedó guardada.',
    always: 'Lo que te avisamos siempre',
    how: 'Llega como mucho un correo cada 15 minutos, con todo lo que pasó mientras tanto.',
    see: 'Elegir',
    topics: {
      rejected_debits: { label: 'Débitos rechazados', hint: 'Cuántos, en cuenta y en tarjeta.' },
      disputes: { label: 'Contracargos', hint: 'Pagos que sus titulares desconocieron.' },
      payouts: { label: 'Pagos a tu cuenta bancaria', hint: 'Cada uno, con su importe.' },
      webhooks: { label: 'Webhooks que fallan', hint: 'Cuando uno deja de responder.' },
      summary: { label: 'Resumen del día', hint: 'Lo cobrado el día anterior, una vez por día.' },
    },
    security: {
      own: 'Cambios en tu contraseña y tu segundo factor.',
      owner: 'Usuarios, claves de API y cambios de la CBU de cobro.',
    },
  },
  en: {
    title: 'Notifications',
    lead: 'What we tell you of this account by mail. Everybody chooses for himself.',
    choose: 'Tell me of',
    chosen: 'You are told of',
    none: 'Of what touches security alone.',
    save: 'Save',
    saved: 'Your choice was saved.',
    always: 'What you are told in any case',
    how: 'At most one letter comes in 15 minutes, with all that happened meanwhile.',
    see: 'Choose',
    topics: {
      rejected_debits: { label: 'Rejected debits', hint: 'How many, on accounts and on cards.' },
      disputes: { label: 'Chargebacks', hint: 'Payments that their holders took back.' },
      payouts: { label: 'Payouts to your bank account', hint: 'Each of them, with its amount.' },
      webhooks: { label: 'Webhooks that fail', hint: 'When one does not answer any more.' },
      summary: {
        label: 'Summary of the day',
        hint: 'What was collected the day before, once a day.',
      },
    },
    security: {
      own: 'Changes of your password and second factor.',
      owner: 'Users, API keys and changes of the CBU for payouts.',
    },
  },
};

/** The part of the first page of settings. */
export function Notices({ visit, wishes }: { visit: AccountVisit; wishes: readonly Topic[] }) {
  const texts = noticeTexts[visit.lang];
  const chosen = topicsFor(visit.role).filter((topic) => wishes.includes(topic));
  return (
    <Section
      id="notices"
      title={texts.title}
      actions={
        <a class="button button-quiet" href={visit.at(noticesPath)}>
          {texts.see}
          <span class="unseen"> {texts.title}</span>
        </a>
      }
    >
      <p>
        {chosen.length === 0
          ? texts.none
          : `${texts.chosen}: ${chosen.map((topic) => texts.topics[topic].label.toLowerCase()).join(', ')}.`}
      </p>
    </Section>
  );
}

const topicNames = (lang: Lang, text: string): string =>
  text
    .split(' ')
    .map((topic) => noticeTexts[lang].topics[topic as Topic]?.label ?? topic)
    .join(', ');

interface NoticesModel extends Again {
  wishes: readonly Topic[];
  saved: boolean;
}

export function noticesPage(visit: AccountVisit, model: NoticesModel): Page {
  const { wishes, saved, seen, overtaken } = model;
  const { lang, at, token, role } = visit;
  const texts = noticeTexts[lang];
  const action = at(noticesPath);
  const up = { href: at('/settings'), label: settingTexts[lang].title };
  return {
    title: texts.title,
    status: overtaken === null ? 200 : 409,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          {...(visit.may('settings.see') && { up })}
        />
        {saved && (
          <Notice tone="good">
            <p>{texts.saved}</p>
          </Notice>
        )}
        <OvertakenNotice
          lang={lang}
          changed={overtaken}
          labels={{ topics: texts.chosen }}
          shows={{ topics: (text) => topicNames(lang, text) }}
        />
        <Form lang={lang} action={action} token={token(action)} seen={seen} submit={texts.save}>
          <ChoicesField
            lang={lang}
            name="topics"
            label={texts.choose}
            hint={texts.how}
            kind="checkbox"
            choices={topicsFor(role).map((value) => ({ value, ...texts.topics[value] }))}
            values={wishes}
          />
        </Form>
        <Section id="always" title={texts.always}>
          <ul>
            <li>{texts.security.own}</li>
            {role === 'owner' && <li>{texts.security.owner}</li>}
          </ul>
        </Section>
      </>
    ),
  };
}
