import type { EmailHead } from '../../platform/mail/layout.ts';
import { accentSheet } from '../../platform/pages/accent.ts';
import type { Issuer } from '../../platform/pages/model.ts';
import type { Account } from '../account.ts';
import { withoutAddress } from './look.ts';

const endings = { png: 'png', jpeg: 'jpg' } as const;

/** Returns the path of an account's logo, or null if it has none. */
export function logoPath({ id, look }: Pick<Account, 'id' | 'look'>): string | null {
  const { logo } = look;
  return logo === undefined ? null : `/page-assets/logo/${id}/${logo.hash}.${endings[logo.kind]}`;
}

/** Returns the lines below an account's name: legal name, address and contact. */
export const aboutIssuer = ({ look }: Pick<Account, 'look'>): string[] =>
  [look.legal_name, look.address, look.phone, look.email].filter((one) => one !== undefined);

/** Returns the account's identity for pages and documents. */
export function issuerOf(account: Pick<Account, 'id' | 'name' | 'cuit' | 'look'>): Issuer {
  const { look, name, cuit } = account;
  const path = logoPath(account);
  const about = aboutIssuer(account);
  return {
    name,
    cuit,
    ...(about.length > 0 && { about }),
    ...(look.accent !== undefined && { sheet: accentSheet(look.accent) }),
    ...(look.logo && path && { logo: { path, width: look.logo.width, height: look.logo.height } }),
  };
}

/** Returns head and signature of an account's emails to payers. `picture` is its logo. */
export function emailHeadOf(
  { look, name }: Pick<Account, 'name' | 'look'>,
  picture: Buffer | null,
): EmailHead {
  const { accent, logo, email } = look;
  return {
    // Falls back to the service's name if nothing else is left of the account's name.
    sender: look.sender ?? (withoutAddress(name) || 'Recaudo'),
    replyTo: email ?? null,
    foot: aboutIssuer({ look }),
    accent: accent ?? null,
    logo:
      logo && picture
        ? {
            contentType: logo.kind === 'png' ? 'image/png' : 'image/jpeg',
            content: picture,
            width: logo.width,
            height: logo.height,
          }
        : null,
  };
}
