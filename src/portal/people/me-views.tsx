import { SelectField, TextField } from '../../platform/pages/components/field.tsx';
import { CopyButton, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { momentText } from '../../platform/pages/format.ts';
import { hasFactor, type Passkey, type ProviderLink, type Session } from '../../users/index.ts';
import { formTo } from '../frame/form-to.ts';
import type { OwnVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { OwnForm } from './ask.tsx';
import { PasswordFields } from './link-views.tsx';
import { passkeyTexts } from './passkey-texts.ts';
import { Passkeys } from './passkey-views.tsx';
import { OwnProvider, type Ways } from './provider-views.tsx';
import { peopleTexts } from './texts.ts';

interface MeModel {
  ways: Ways;
  /** Null if the person is not linked to the provider. */
  link: ProviderLink | null;
  sessions: readonly Session[];
  /** True if the password was changed just now. */
  changed?: boolean;
  fault?: string;
  status?: number;
}

export function mePage(visit: OwnVisit, model: MeModel): Page {
  const { lang, user, token } = visit;
  const { sessions, ways, link, changed = false, fault, status = 200 } = model;
  const { me: texts } = peopleTexts[lang];
  return {
    title: texts.title,
    status,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={
            <>
              <bdi>{user.name}</bdi> · {texts.email}: <bdi>{user.email}</bdi>
            </>
          }
        />
        {changed && <Notice tone="good" text={texts.changed} />}
        <OwnForm
          lang={lang}
          action="/portal/me/language"
          token={token('/portal/me/language')}
          submit={texts.save}
        >
          <SelectField
            lang={lang}
            name="lang"
            label={texts.language}
            value={user.lang}
            choices={[
              { value: 'es', label: 'Español' },
              { value: 'en', label: 'English' },
            ]}
          />
        </OwnForm>
        <Section id="factor" title={texts.factor}>
          <p>
            {hasFactor(user) ? texts.factorOn : texts.factorOff}{' '}
            <a href="/portal/me/factor">{texts.manage}</a>
          </p>
        </Section>
        <OwnProvider visit={visit} ways={ways} link={link} />
        {ways.passwords && (
          <Section id="password-change" title={texts.changePassword}>
            <OwnForm
              lang={lang}
              action="/portal/me/password"
              token={token('/portal/me/password')}
              fault={fault}
              submit={texts.change}
            >
              <TextField
                lang={lang}
                name="current"
                label={texts.currentPassword}
                type="password"
                autocomplete="current-password"
                required
              />
              <PasswordFields lang={lang} label={texts.newPassword} />
            </OwnForm>
          </Section>
        )}
        <Section id="sessions" title={texts.sessions}>
          <Sessions visit={visit} sessions={sessions} />
        </Section>
      </>
    ),
  };
}

function Sessions({ visit, sessions }: { visit: OwnVisit; sessions: readonly Session[] }) {
  const { lang, session } = visit;
  const { me: texts } = peopleTexts[lang];
  return (
    <ul>
      {sessions.map(({ id, address, user_agent: agent, created_at, seen_at }) => {
        const action = `/portal/me/sessions/${id}/end`;
        return (
          <li key={id}>
            <bdi>{agent}</bdi> · {address} · {texts.since} {momentText(lang, created_at)} ·{' '}
            {texts.seen} {momentText(lang, seen_at)}{' '}
            {id === session.id ? (
              <strong>({texts.thisOne})</strong>
            ) : (
              <OwnForm {...formTo(visit, action)} submit={texts.end} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface FactorModel {
  /** True if the user needs a second factor: in production, every role requires one. */
  needed: boolean;
  /** Data for an authenticator app. Null before enrollment begins. */
  enrolment: { secret: string; image: string } | null;
  passkeys: readonly Passkey[];
  /** True if this deployment supports passkeys. */
  offered: boolean;
  fault?: string;
  nameFault?: string;
  status?: number;
}

export function factorPage(visit: OwnVisit, model: FactorModel): Page {
  const { lang, user } = visit;
  const { factor: texts } = peopleTexts[lang];
  const { needed, passkeys, offered, nameFault, status = 200 } = model;
  return {
    title: texts.title,
    status,
    body: (
      <>
        <PageHead
          title={texts.title}
          up={{ href: '/portal/me', label: peopleTexts[lang].me.title }}
        />
        {needed && !hasFactor(user) && <Notice tone="bad" text={texts.needed} />}
        <Section id="codes" title={passkeyTexts[lang].codes}>
          {user.totp_since === null ? <Enrol visit={visit} {...model} /> : <On visit={visit} />}
        </Section>
        <Passkeys visit={visit} passkeys={passkeys} offered={offered} nameFault={nameFault} />
      </>
    ),
  };
}

function On({ visit }: { visit: OwnVisit }) {
  const { lang } = visit;
  const { factor: texts } = peopleTexts[lang];
  return (
    <>
      <p>{texts.on}</p>
      <OwnForm {...formTo(visit, '/portal/me/factor/remove')} submit={texts.remove} />
    </>
  );
}

function Enrol({ visit, enrolment, fault }: FactorModel & { visit: OwnVisit }) {
  const { lang } = visit;
  const { factor: texts } = peopleTexts[lang];
  const begin = '/portal/me/factor/begin';
  if (enrolment === null) {
    return (
      <>
        <p>{texts.why}</p>
        <OwnForm {...formTo(visit, begin)} submit={texts.begin} />
      </>
    );
  }
  return (
    <>
      <p>{texts.why}</p>
      <p>{texts.scan}</p>
      <p>
        <img src={enrolment.image} alt="QR" width="220" height="220" />
      </p>
      <p>
        {texts.byHand} <code>{enrolment.secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <OwnForm {...formTo(visit, '/portal/me/factor')} fault={fault} submit={texts.confirm}>
        <TextField lang={lang} name="code" label={texts.label} autocomplete="one-time-code" />
      </OwnForm>
    </>
  );
}

export function codesPage({ lang }: OwnVisit, codes: readonly string[]): Page {
  const { factor: texts } = peopleTexts[lang];
  return {
    title: texts.codes,
    body: (
      <>
        <PageHead title={texts.codes} lead={texts.codesBody} />
        <ul>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <p class="actions">
          <CopyButton lang={lang} label={texts.codes} value={codes.join('\n')} />
          <a class="button" href="/portal">
            {texts.goOn}
          </a>
        </p>
      </>
    ),
  };
}
