import type { ComponentChildren } from 'preact';
import type { Account } from '../../accounts/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { AccountAct, AccountRole, Act, ServiceRole, SignedIn } from '../../users/index.ts';
import type { Browser } from './browser.ts';
import type { SentFile } from './upload.ts';

/** Data on the current call, for every page. */
export interface OpenVisit {
  lang: Lang;
  /** Path of the address, without its query. */
  path: string;
  /** Parameters in the path, such as `id` in `/requests/:id`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The posted fields; empty on a page. */
  posted: URLSearchParams;
  /** The address of this page, or of the page of the posted form; null if unknown. */
  page: string | null;
  browser: Browser;
  requestId: string;
}

/** A signed-in user's visit. */
export interface OwnVisit extends OpenVisit, SignedIn {
  /** The uploaded file, if any. */
  file: SentFile | null;
  /** The actor, for verbs. */
  actor: Actor;
  /** The hidden field `token` of a form posted to this address. */
  token(action: string): string;
  /** True for a token of this session for an action. */
  isToken(token: string, action: string): boolean;
}

/** A visit on behalf of an account. */
export interface AccountVisit extends OwnVisit {
  account: Account;
  role: AccountRole;
  /** The account's own address of a page: `at('/requests')`. */
  at(path: string): string;
  /** True if role and account allow an act: pages offer only those. */
  may(act: AccountAct): boolean;
  /**
   * Throws unless the visitor may do this act too, for pages whose subject decides which act they
   * belong to. Not for acts that need a fresh proof.
   */
  need(act: AccountAct): void;
}

/** A visit on behalf of the service. */
export interface ServiceVisit extends OwnVisit {
  role: ServiceRole;
  at(path: string): string;
  may(act: Act): boolean;
}

/** A page; status 200 by default. */
export interface Page {
  title: string;
  body: ComponentChildren;
  status?: number;
  /** Style attributes in the page's srcdoc frame. */
  styles?: readonly string[];
}

/** The result of a visit: a page, a redirect (303), or a file. */
export type Answer =
  | Page
  | { to: string; session?: string | null; device?: string | null }
  | { file: Buffer | NodeJS.ReadableStream; type: string; name: string };
