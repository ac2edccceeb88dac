import { Notice, Section } from '../../platform/pages/components/parts.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import {
  type ProviderFault,
  type ProviderLink,
  providerFaults,
  type UserVerbs,
} from '../../users/index.ts';
import { formTo } from '../frame/form-to.ts';
import type { OwnVisit } from '../frame/index.ts';
import { OwnForm } from './ask.tsx';
import { providerTexts } from './provider-texts.ts';

export interface Ways {
  /** The provider's name. Null if none is configured. */
  provider: string | null;
  passwords: boolean;
}

export const waysOf = ({
  provider,
  passwords,
}: Pick<UserVerbs, 'provider' | 'passwords'>): Ways => ({
  provider: provider?.name ?? null,
  passwords,
});

type OfferProps = {
  lang: Lang;
  ways: Ways;
  purpose: 'signIn' | 'confirm' | 'accept';
  href: string;
};

/**
 * Links to the provider. A form would not work, because our policy's `form-action` also applies to
 * redirects of forms, and the provider is at another origin.
 */
export function OfferProvider({ lang, ways: { provider, passwords }, purpose, href }: OfferProps) {
  if (provider === null) return null;
  const label = providerTexts[lang][purpose]({ name: provider });
  return (
    <p>
      <a class={passwords ? 'button button-quiet' : 'button'} href={href}>
        {label}
      </a>
    </p>
  );
}

/** Offers to end the session at the provider, after ours. */
export function SignOutThere({
  lang,
  ways: { provider },
  href,
}: {
  lang: Lang;
  ways: Ways;
  href: string | null;
}) {
  if (provider === null || href === null) return null;
  const texts = providerTexts[lang];
  return (
    <Notice tone="wait" title={texts.signedOut}>
      <p>
        <a href={href}>{texts.signOutThere({ name: provider })}</a>
      </p>
    </Notice>
  );
}

type LinkProps = {
  visit: OwnVisit;
  ways: Ways;
  link: ProviderLink | null;
};

/**
 * Shows whether the person is linked to the provider, and offers to unlink those who have a
 * password.
 */
export function OwnProvider({ visit, ways, link }: LinkProps) {
  const { provider: name, passwords } = ways;
  if (name === null) return null;
  const { lang } = visit;
  const texts = providerTexts[lang];
  return (
    <Section id="provider" title={name}>
      <p>
        {link === null
          ? texts.notLinked({ name })
          : texts.linked({ name, when: momentText(lang, link.linked_at) })}
      </p>
      {link?.has_password && passwords && (
        <OwnForm {...formTo(visit, '/portal/me/provider/unlink')} submit={texts.unlink}>
          <p>{texts.unlinkLead}</p>
        </OwnForm>
      )}
    </Section>
  );
}

const statusOf: Partial<Record<ProviderFault, number>> = { unreachable: 503, busy: 429 };

/** Returns the page's fault and status for a sign-in that the callback refused. */
export function refusedIn(query: URLSearchParams, lang: Lang): { fault?: string; status?: number } {
  const fault = providerFaults.find((one) => one === query.get('refused'));
  if (fault === undefined) return {};
  return { fault: providerTexts[lang].faults[fault], status: statusOf[fault] ?? 403 };
}
