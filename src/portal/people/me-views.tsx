import { Notice } from '../../platform/pages/components/parts.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { Session } from '../../users/index.ts';
import type { OwnVisit, Page } from '../frame/index.ts';
import { Field, PostForm } from './forms.tsx';
import { peopleTexts } from './texts.ts';

interface MeModel {
  sessions: readonly Session[];
  /** The password was changed just now. */
  changed?: boolean;
  fault?: string;
  status?: number;
}

export function mePage(visit: OwnVisit, model: MeModel): Page {
  const { lang, user, token } = visit;
  const { sessions, changed = false, fault, status = 200 } = model;
  const { me: texts, password, link } = peopleTexts[lang];
  return {
    title: texts.title,
    status,
    body: (
      <>
        <h1>{texts.title}</h1>
        {changed && (
          <Notice tone="good">
            <p>{texts.changed}</p>
          </Notice>
        )}
        <p>
          <bdi>{user.name}</bdi> · {texts.email}: <bdi>{user.email}</bdi>
        </p>
        <PostForm
          action="/portal/me/language"
          token={token('/portal/me/language')}
          submit={texts.save}
        >
          <p class="field">
            <label for="lang">{texts.language}</label>
            <select id="lang" name="lang">
              <option value="es" selected={user.lang === 'es'}>
                Español
              </option>
              <option value="en" selected={user.lang === 'en'}>
                English
              </option>
            </select>
          </p>
        </PostForm>
        <h2>{texts.factor}</h2>
        <p>
          {user.totp_since === null ? texts.factorOff : texts.factorOn}{' '}
          <a href="/portal/me/factor">{texts.manage}</a>
        </p>
        <h2>{texts.changePassword}</h2>
        <PostForm
          action="/portal/me/password"
          token={token('/portal/me/password')}
          fault={fault}
          submit={texts.change}
        >
          <Field
            name="password"
            label={texts.newPassword}
            hint={password.rules}
            type="password"
            autocomplete="new-password"
          />
          <Field name="again" label={link.again} type="password" autocomplete="new-password" />
        </PostForm>
        <h2>{texts.sessions}</h2>
        <Sessions visit={visit} sessions={sessions} />
      </>
    ),
  };
}

function Sessions({ visit, sessions }: { visit: OwnVisit; sessions: readonly Session[] }) {
  const { lang, session, token } = visit;
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
              <PostForm action={action} token={token(action)} submit={texts.end} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface FactorModel {
  /** Whether his role asks for it. */
  needed: boolean;
  /** What is to be read by an application; null: nothing was begun. */
  enrolment: { secret: string; image: string } | null;
  fault?: string;
  status?: number;
}

export function factorPage(visit: OwnVisit, model: FactorModel): Page {
  const { factor: texts } = peopleTexts[visit.lang];
  const { status = 200 } = model;
  return {
    title: texts.title,
    status,
    body: (
      <>
        <h1>{texts.title}</h1>
        {visit.user.totp_since === null ? <Enrol visit={visit} {...model} /> : <On visit={visit} />}
      </>
    ),
  };
}

function On({ visit }: { visit: OwnVisit }) {
  const { factor: texts } = peopleTexts[visit.lang];
  const action = '/portal/me/factor/remove';
  return (
    <>
      <p>{texts.on}</p>
      <PostForm action={action} token={visit.token(action)} submit={texts.remove} />
    </>
  );
}

function Enrol({ visit, needed, enrolment, fault }: FactorModel & { visit: OwnVisit }) {
  const { factor: texts } = peopleTexts[visit.lang];
  const begin = '/portal/me/factor/begin';
  const action = '/portal/me/factor';
  return (
    <>
      {needed && (
        <Notice tone="bad">
          <p>{texts.needed}</p>
        </Notice>
      )}
      <p>{texts.why}</p>
      {enrolment === null ? (
        <PostForm action={begin} token={visit.token(begin)} submit={texts.begin} />
      ) : (
        <>
          <p>{texts.scan}</p>
          <p>
            <img src={enrolment.image} alt="QR" width="220" height="220" />
          </p>
          <p>
            {texts.byHand} <code>{enrolment.secret.match(/.{1,4}/g)?.join(' ')}</code>
          </p>
          <PostForm
            action={action}
            token={visit.token(action)}
            fault={fault}
            submit={texts.confirm}
          >
            <Field name="code" label={texts.label} autocomplete="one-time-code" />
          </PostForm>
        </>
      )}
    </>
  );
}

export function codesPage({ lang }: OwnVisit, codes: readonly string[]): Page {
  const { factor: texts } = peopleTexts[lang];
  return {
    title: texts.codes,
    body: (
      <>
        <h1>{texts.codes}</h1>
        <p>{texts.codesBody}</p>
        <ul>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <p>
          <a class="button" href="/portal">
            {texts.goOn}
          </a>
        </p>
      </>
    ),
  };
}
