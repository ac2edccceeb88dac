import { Notice } from '../../platform/pages/components/parts.tsx';
import type { OpenVisit, Page } from '../frame/index.ts';
import { Field, PostForm } from './forms.tsx';
import { peopleTexts } from './texts.ts';

export function forgotPage(
  { lang }: OpenVisit,
  { sent = false, fault, status = 200 }: { sent?: boolean; fault?: string; status?: number },
): Page {
  const { forgot: texts, signIn } = peopleTexts[lang];
  return {
    title: texts.title,
    status,
    body: (
      <>
        <h1>{texts.title}</h1>
        {sent ? (
          <Notice tone="good">
            <p>{texts.sent}</p>
          </Notice>
        ) : (
          <>
            <p>{texts.body}</p>
            <PostForm action="/portal/forgot" fault={fault} submit={texts.submit}>
              <Field name="email" label={signIn.email} type="email" autocomplete="username" />
            </PostForm>
          </>
        )}
        <p>
          <a href="/portal/sign-in">{signIn.title}</a>
        </p>
      </>
    ),
  };
}

export function gonePage({ lang }: OpenVisit): Page {
  const { link: texts, signIn, forgot } = peopleTexts[lang];
  return {
    title: texts.gone,
    status: 404,
    body: (
      <>
        <h1>{texts.gone}</h1>
        <p>{texts.goneBody}</p>
        <p>
          <a href="/portal/forgot">{forgot.title}</a> · <a href="/portal/sign-in">{signIn.title}</a>
        </p>
      </>
    ),
  };
}

interface LinkModel {
  kind: 'invitation' | 'reset';
  email: string;
  /** Whether a password is chosen with it. */
  chooses: boolean;
  fault?: string;
  status?: number;
}

export function linkPage({ lang, path }: OpenVisit, model: LinkModel): Page {
  const { kind, email, chooses, fault, status = 200 } = model;
  const { link: texts, password } = peopleTexts[lang];
  const title = kind === 'reset' ? texts.reset : texts.invitation;
  return {
    title,
    status,
    body: (
      <>
        <h1>{title}</h1>
        <p>
          {kind === 'reset' ? texts.resetBody : texts.invitationBody}{' '}
          <strong>
            <bdi>{email}</bdi>
          </strong>
        </p>
        <PostForm action={path} fault={fault} submit={chooses ? texts.choose : texts.accept}>
          {chooses && (
            <>
              <Field
                name="password"
                label={texts.password}
                hint={password.rules}
                type="password"
                autocomplete="new-password"
              />
              <Field name="again" label={texts.again} type="password" autocomplete="new-password" />
            </>
          )}
        </PostForm>
      </>
    ),
  };
}
