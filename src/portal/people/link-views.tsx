import { TextField } from '../../platform/pages/components/field.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import type { OpenVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { askPage, offerPage } from './ask.tsx';
import { OfferProvider, type Ways } from './provider-views.tsx';
import { peopleTexts } from './texts.ts';

export function forgotPage(
  { lang }: OpenVisit,
  { sent = false, fault, status }: { sent?: boolean; fault?: string; status?: number },
): Page {
  const { forgot: texts, signIn } = peopleTexts[lang];
  const back = (
    <p>
      <a href="/portal/sign-in">{signIn.title}</a>
    </p>
  );
  if (sent) {
    return {
      title: texts.title,
      body: (
        <>
          <PageHead title={texts.title} />
          <Notice tone="good" text={texts.sent} />
          {back}
        </>
      ),
    };
  }
  return askPage({
    lang,
    title: texts.title,
    lead: texts.body,
    status,
    action: '/portal/forgot',
    fault,
    submit: texts.submit,
    children: (
      <TextField
        lang={lang}
        name="email"
        label={signIn.email}
        type="email"
        autocomplete="username"
        required
      />
    ),
    after: back,
  });
}

export function gonePage({ lang }: OpenVisit): Page {
  const { link: texts, signIn, forgot } = peopleTexts[lang];
  return {
    title: texts.gone,
    status: 404,
    body: (
      <>
        <PageHead title={texts.gone} lead={texts.goneBody} />
        <p>
          <a href="/portal/forgot">{forgot.title}</a> · <a href="/portal/sign-in">{signIn.title}</a>
        </p>
      </>
    ),
  };
}

/** Renders the page for a suspended user's link. Another link would not help them. */
export function suspendedPage({ lang }: OpenVisit): Page {
  const { link: texts } = peopleTexts[lang];
  return {
    title: texts.suspended,
    status: 403,
    body: <PageHead title={texts.suspended} lead={texts.suspendedBody} />,
  };
}

/** Renders an expired invitation. A new link goes to the original address. */
export function lapsedPage({ lang, path }: OpenVisit, { sent }: { sent: boolean }): Page {
  const { link: texts } = peopleTexts[lang];
  if (sent) {
    return {
      title: texts.gone,
      body: (
        <>
          <PageHead title={texts.gone} />
          <Notice tone="good" text={texts.renewed} />
        </>
      ),
    };
  }
  return askPage({
    lang,
    title: texts.gone,
    lead: texts.lapsedBody,
    status: 404,
    action: path,
    submit: texts.renew,
    children: null,
  });
}

interface LinkModel {
  kind: 'invitation' | 'reset';
  email: string;
  /** True if the user also chooses a password. */
  chooses: boolean;
  ways: Ways;
  fault?: string;
  status?: number;
}

/** Renders the fields for a new password and its repetition. */
export function PasswordFields({ lang, label }: { lang: Lang; label: string }) {
  const { link: texts, password } = peopleTexts[lang];
  return (
    <>
      <TextField
        lang={lang}
        name="password"
        label={label}
        hint={password.rules}
        type="password"
        autocomplete="new-password"
        required
      />
      <TextField
        lang={lang}
        name="again"
        label={texts.again}
        type="password"
        autocomplete="new-password"
        required
      />
    </>
  );
}

export function linkPage({ lang, path, params }: OpenVisit, model: LinkModel): Page {
  const { kind, email, chooses, ways, fault, status } = model;
  const { link: texts } = peopleTexts[lang];
  const title = kind === 'reset' ? texts.reset : texts.invitation;
  const lead = (
    <>
      {kind === 'reset' ? texts.resetBody : texts.invitationBody}{' '}
      <strong>
        <bdi>{email}</bdi>
      </strong>
    </>
  );
  const href = `/portal/provider/invitations/${encodeURIComponent(params.token ?? '')}`;
  const offer = kind === 'invitation' && chooses && (
    <OfferProvider lang={lang} ways={ways} purpose="accept" href={href} />
  );
  if (chooses && !ways.passwords) return offerPage({ title, lead, fault, status, offer });
  return askPage({
    lang,
    title,
    lead,
    status,
    action: path,
    fault,
    after: offer,
    submit: chooses ? texts.choose : texts.accept,
    children: chooses && <PasswordFields lang={lang} label={texts.password} />,
  });
}
