import type { ComponentChildren } from 'preact';
import type { Account } from '../../accounts/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { AccountAct, AccountRole, Act, ServiceRole, SignedIn } from '../../users/index.ts';
import type { Browser } from './browser.ts';
import type { SentFile } from './upload.ts';

/** Data of the current call, for every page. */
export interface OpenVisit {
  lang: Lang;
  /** Path without the query. */
  path: string;
  /** Path parameters, such as `id` in `/requests/:id`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Posted fields. Empty for a page. */
  posted: URLSearchParams;
  /** The address of this page, or of the page of the posted form. Null if unknown. */
  page: string | null;
  browser: Browser;
  /** Sign-ins at the provider that this browser began, by state. */
  flows: ReadonlyMap<string, string>;
  requestId: string;
}

/** A visit of a public page, which may know who is signed in. */
export interface PublicVisit extends OpenVisit {
  signedIn(): Promise<SignedIn | null>;
}

export interface OwnVisit extends OpenVisit, SignedIn {
  file: SentFile | null;
  actor: Actor;
  /** Returns the value of the hidden field `token` for a form posted to this address. */
  token(action: string): string;
  /** Returns true for a token of this session for an action. */
  isToken(token: string, action: string): boolean;
}

export interface AccountVisit extends OwnVisit {
  account: Account;
  role: AccountRole;
  /** Returns a page's address within the account: `at('/requests')`. */
  at(path: string): string;
  /** Returns true if role and account allow an act. Pages offer only those. */
  may(act: AccountAct): boolean;
  /**
   * Throws unless the visitor may also perform this act, for pages whose subject determines the
   * act. Not for acts that need a fresh proof of identity.
   */
  need(act: AccountAct): void;
}

export interface ServiceVisit extends OwnVisit {
  role: ServiceRole;
  at(path: string): string;
  may(act: Act): boolean;
}

/** A page. Its default status is 200. */
export interface Page {
  title: string;
  body: ComponentChildren;
  status?: number;
  /** Seconds after which the same call may succeed. */
  retryAfter?: number | null;
  /** Style attributes in the page's srcdoc frame. */
  styles?: readonly string[];
}

/** Result of a visit: a page, a redirect (303), or a file. */
export type Answer =
  | Page
  | {
      to: string;
      session?: string | null;
      device?: string | null;
      /** Sign-ins at the provider that the browser stores, or removes if the text is null. */
      flows?: readonly { state: string; text: string | null }[];
    }
  | { file: Buffer | NodeJS.ReadableStream; type: string; name: string };
