import type { Account } from '../../accounts/index.ts';
import { TextField } from '../../platform/pages/components/field.tsx';
import { type AccountRole, hasFactor } from '../../users/index.ts';
import type { OpenVisit, OwnVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { askPage, offerPage } from './ask.tsx';
import { OfferPasskey } from './passkey-views.tsx';
import { providerTexts } from './provider-texts.ts';
import { OfferProvider, SignOutThere, type Ways } from './provider-views.tsx';
import { peopleTexts } from './texts.ts';

interface SignInModel {
  email: string;
  next: string;
  ways: Ways;
  /** True if a link was just used and the user may now sign in. */
  done?: boolean;
  /** The address that also ends the session at the provider. */
  signOutAt?: string | null;
  fault?: string;
  status?: number;
}

export function signInPage({ lang }: OpenVisit, { email, next, ways, ...rest }: SignInModel): Page {
  const texts = peopleTexts[lang].signIn;
  const { fault, done = false, signOutAt = null, status } = rest;
  const href = `/portal/provider?next=${encodeURIComponent(next)}`;
  const offer = (
    <>
      <SignOutThere lang={lang} ways={ways} href={signOutAt} />
      <OfferProvider lang={lang} ways={ways} purpose="signIn" href={href} />
    </>
  );
  if (!ways.passwords) {
    return offerPage({
      title: texts.title,
      lead: providerTexts[lang].only({ name: ways.provider ?? '' }),
      ...{ fault, status, offer, done: done ? texts.done : undefined },
    });
  }
  return askPage({
    lang,
    title: texts.title,
    status,
    action: '/portal/sign-in',
    hidden: { next },
    done: done ? texts.done : undefined,
    fault,
    submit: texts.submit,
    children: (
      <>
        <TextField
          lang={lang}
          name="email"
          label={texts.email}
          type="email"
          value={email}
          autocomplete="username"
          required
        />
        <TextField
          lang={lang}
          name="password"
          label={texts.password}
          type="password"
          autocomplete="current-password"
          required
        />
      </>
    ),
    after: (
      <>
        {offer}
        <p>
          <a href="/portal/forgot">{texts.forgot}</a>
        </p>
      </>
    ),
  });
}

interface Retry {
  next: string;
  fault?: string;
  status?: number;
  /** True if the user can use a passkey instead. */
  passkey: boolean;
}

type Confirm = Retry & { ways: Ways };

function CodeField({ lang }: Pick<OwnVisit, 'lang'>) {
  const { code } = peopleTexts[lang];
  return (
    <TextField
      lang={lang}
      name="code"
      label={code.label}
      hint={code.hint}
      autocomplete="one-time-code"
      required
    />
  );
}

export function codePage(visit: OwnVisit, { next, fault, status, passkey }: Retry): Page {
  const { lang } = visit;
  const { code: texts } = peopleTexts[lang];
  const action = '/portal/sign-in/code';
  return askPage({
    lang,
    title: texts.title,
    lead: texts.body,
    status,
    action,
    token: visit.token(action),
    hidden: { next },
    fault,
    submit: texts.submit,
    children: <CodeField lang={lang} />,
    after: passkey && (
      <OfferPasskey visit={visit} begin="/portal/sign-in/passkey/begin" next={next} />
    ),
  });
}

/** Renders the page on which a signed-in user proves their identity again. */
export function confirmPage(
  visit: OwnVisit,
  { next, fault, status, passkey, ways }: Confirm,
): Page {
  const { lang } = visit;
  const { confirm: texts, signIn } = peopleTexts[lang];
  const action = '/portal/confirm';
  const href = `/portal/provider/confirm?next=${encodeURIComponent(next)}`;
  const offer = (
    <>
      <OfferProvider lang={lang} ways={ways} purpose="confirm" href={href} />
      {passkey && <OfferPasskey visit={visit} begin="/portal/confirm/passkey/begin" next={next} />}
    </>
  );
  if (!ways.passwords) {
    return offerPage({ title: texts.title, lead: texts.body, fault, status, offer });
  }
  return askPage({
    lang,
    title: texts.title,
    lead: texts.body,
    status,
    action,
    token: visit.token(action),
    hidden: { next },
    fault,
    submit: texts.submit,
    children: (
      <>
        <TextField
          lang={lang}
          name="password"
          label={signIn.password}
          type="password"
          autocomplete="current-password"
          required
        />
        {hasFactor(visit.user) && <CodeField lang={lang} />}
      </>
    ),
    after: offer,
  });
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
        <PageHead title={texts.title} />
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
