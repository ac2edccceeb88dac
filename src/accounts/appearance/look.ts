import { isEmail } from '../../kernel/email.ts';
import { isLine } from '../../kernel/text.ts';
import { accentFault } from '../../platform/pages/accent.ts';
import type { LogoKind } from './picture.ts';

export interface CurrentLogo {
  hash: string;
  kind: LogoKind;
  width: number;
  height: number;
}

/** An account's description of itself. Absent fields are not displayed. */
export interface Profile {
  /** The registered name, if it differs. */
  legal_name?: string;
  address?: string;
  /** Contact address for payers, and Reply-To of emails. */
  email?: string;
  phone?: string;
  /** Sender's name in emails to payers, if not the account's name. */
  sender?: string;
}

/** An account's appearance besides its name and CUIT. */
export interface Look extends Profile {
  /** Hexadecimal color, such as `#0b6b5d`. */
  accent?: string;
  logo?: CurrentLogo;
}

export const profileFields = ['legal_name', 'address', 'email', 'phone', 'sender'] as const;
export type ProfileField = (typeof profileFields)[number];

/** Maximum length of each field. */
export const longest = {
  name: 100,
  legal_name: 100,
  address: 150,
  email: 255,
  phone: 30,
  sender: 60,
};

/**
 * Replaces the characters of addresses with spaces, because an address in a sender's name would
 * look like the email's sender.
 */
export const withoutAddress = (text: string): string =>
  /[@\uff20\ufe6b<>"\\:,;]/.test(text)
    ? text
        .replace(/[@\uff20\ufe6b<>"\\:,;]/g, ' ')
        .replace(/ +/g, ' ')
        .trim()
    : text;

const shapes: Readonly<Record<ProfileField, (text: string) => boolean>> = {
  legal_name: (text) => isLine(text, longest.legal_name),
  address: (text) => isLine(text, longest.address),
  email: isEmail,
  phone: (text) => /^\+?[0-9][0-9 ().-]{4,28}$/.test(text),
  sender: (text) => isLine(text, longest.sender) && withoutAddress(text) === text,
};

/** Returns a profile's invalid fields. */
export const profileFaults = (profile: Profile): ProfileField[] =>
  profileFields.filter((field) => {
    const text = profile[field];
    return text !== undefined && !shapes[field](text);
  });

export const isName = (name: string): boolean => isLine(name, longest.name);

export const profileFormValues = (
  name: string,
  look: Look,
): Record<'name' | ProfileField, string> => ({
  name,
  legal_name: look.legal_name ?? '',
  address: look.address ?? '',
  email: look.email ?? '',
  phone: look.phone ?? '',
  sender: look.sender ?? '',
});

/** Returns the values of the appearance form, with a logo's digest. */
export const appearanceFormValues = ({
  accent,
  logo,
}: Look): Record<'accent' | 'logo', string> => ({
  accent: accent ?? '',
  logo: logo?.hash ?? '',
});

export const isAccent = (text: string): boolean => accentFault(text) === null;
