import type { ComponentChildren } from 'preact';
import type { Account } from '../../accounts/index.ts';
import { Notice } from '../../platform/pages/components/parts.tsx';
import type { AccountRole } from '../../users/index.ts';
import type { OpenVisit, OwnVisit, Page } from '../frame/index.ts';
import { peopleTexts } from './texts.ts';

interface FormProps {
  action: string;
  token?: string;
  /** What is wrong with what was sent. */
  fault?: string | undefined;
  hidden?: Readonly<Record<string, string>>;
  submit: string;
  children?: ComponentChildren;
}

export function PostForm({ action, token, fault, hidden = {}, submit, children }: FormProps) {
  return (
    <form method="post" action={action} class="form">
      {token !== undefined && <input type="hidden" name="token" value={token} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fault !== undefined && (
        <Notice tone="bad">
          <p>{fault}</p>
        </Notice>
      )}
      {children}
      <p>
        <button type="submit" class="button">
          {submit}
        </button>
      </p>
    </form>
  );
}

interface FieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  value?: string;
  autocomplete: string;
}

export function Field({ name, label, type = 'text', value = '', autocomplete }: FieldProps) {
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type as 'text'}
        value={value}
        required
        autocomplete={autocomplete}
      />
    </p>
  );
}

interface SignInModel {
  email: string;
  next: string;
  fault?: string;
  status?: number;
}

export function signInPage({ lang }: OpenVisit, { email, next, ...rest }: SignInModel): Page {
  const texts = peopleTexts[lang].signIn;
  const { fault, status = 200 } = rest;
  return {
    title: texts.title,
    status,
    body: (
      <>
        <h1>{texts.title}</h1>
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
      </>
    ),
  };
}

export function confirmPage(
  visit: OwnVisit,
  { next, fault, status = 200 }: { next: string; fault?: string; status?: number },
): Page {
  const { confirm: texts, signIn } = peopleTexts[visit.lang];
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
