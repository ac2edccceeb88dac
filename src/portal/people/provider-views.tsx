import type { Lang } from '../../platform/pages/model.ts';
import { type ProviderFault, providerFaults, type UserVerbs } from '../../users/index.ts';
import { providerTexts } from './provider-texts.ts';

/** The ways by which people sign in here. */
export interface Ways {
  /** The provider's name; null if none is configured. */
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

const statusOf: Partial<Record<ProviderFault, number>> = { unreachable: 503, busy: 429 };

/** Returns what the page says of a sign-in that the callback refused. */
export function refusedIn(query: URLSearchParams, lang: Lang): { fault?: string; status?: number } {
  const fault = providerFaults.find((one) => one === query.get('refused'));
  if (fault === undefined) return {};
  return { fault: providerTexts[lang].faults[fault], status: statusOf[fault] ?? 403 };
}
