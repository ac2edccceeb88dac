import type { Account } from '../../accounts/index.ts';
import { Notice } from '../../platform/pages/components/parts.tsx';
import type { AccountRole } from '../../users/index.ts';
import type { OpenVisit, OwnVisit, Page } from '../frame/index.ts';
import { Field, PostForm } from './forms.tsx';
import { peopleTexts } from './texts.ts';

interface SignInModel {
  email: string;
  next: string;
  /** A link was used: he may sign in now. */
  done?: boolean;
  fault?: string;
  status?: number;
}

export function signInPage({ lang }: OpenVisit, { email, next, ...rest }: SignInModel): Page {
  const texts = peopleTexts[lang].signIn;
  const { fault, done = false, status = 200 } = rest;
  return {
    title: texts.title,
    status,
    body: (
      <>
        <h1>{texts.title}</h1>
        {done && (
          <Notice tone="good">
            <p>{texts.done}</p>
          </Notice>
        )}
        <PostForm action="/portal/sign-in" fault={fault} hidden={{ next }} submit={texts.submit}>
          <Field
            name="email"
            label={texts.email}
            type="email"
            value={email}
            autocomplete="username"
          />
          <Field
            name="password"
            label={texts.password}
            type="password"
            autocomplete="current-password"
          />
        </PostForm>
        <p>
          <a href="/portal/forgot">{texts.forgot}</a>
        </p>
      </>
    ),
  };
}

interface Retry {
  next: string;
  fault?: string;
  status?: number;
}

export function codePage(visit: OwnVisit, { next, fault, status = 200 }: Retry): Page {
  const { code: texts } = peopleTexts[visit.lang];
  const action = '/portal/sign-in/code';
  return {
    title: texts.title,
    status,
    body: (
      <>
        <h1>{texts.title}</h1>
        <p>{texts.body}</p>
        <PostForm
          action={action}
          token={visit.token(action)}
          fault={fault}
          hidden={{ next }}
          submit={texts.submit}
        >
          <Field name="code" label={texts.label} hint={texts.hint} autocomplete="one-time-code" />
        </PostForm>
      </>
    ),
  };
}

export function confirmPage(visit: OwnVisit, { next, fault, status = 200 }: Retry): Page {
  const { confirm: texts, signIn, code } = peopleTexts[visit.lang];
  const action = '/portal/confirm';
  return {
    title: texts.title,
    status,
    body: (
      <>
        <h1>{texts.title}</h1>
        <p>{texts.body}</p>
        <PostForm
          action={action}
          token={visit.token(action)}
          fault={fault}
          hidden={{ next }}
          submit={texts.submit}
        >
          <Field
            name="password"
            label={signIn.password}
            type="password"
            autocomplete="current-password"
          />
          {visit.user.totp_since !== null && (
            <Field name="code" label={code.label} hint={code.hint} autocomplete="one-time-code" />
          )}
        </PostForm>
      </>
    ),
  };
}

export function accountsPage(
  { lang, user }: OwnVisit,
  accounts: readonly { account: Account; role: AccountRole }[],
): Page {
  const { accounts: texts, roles } = peopleTexts[lang];
  return {
    title: texts.title,
    body: (
      <>
        <h1>{texts.title}</h1>
        {accounts.length === 0 && user.service_role === null && <p>{texts.none}</p>}
        <ul>
          {accounts.map(({ account, role }) => (
            <li key={account.id}>
              <a href={`/portal/${account.id}`}>
                <bdi>{account.name}</bdi>
              </a>{' '}
              {roles[role]}
            </li>
          ))}
          {user.service_role !== null && (
            <li>
              <a href="/portal/operator">{texts.operator}</a> {roles[user.service_role]}
            </li>
          )}
        </ul>
      </>
    ),
  };
}
