import type { Ctx } from '../../platform/base.ts';
import type { AccountVisit } from './visit.ts';

/** Parses a number in an address, or returns null. */
export function numberIn(text = ''): number | null {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}

/** The number that an address names, of what verbs find; 0, which nothing has, where it names none. */
export const idIn = ({ params }: { params: Readonly<Record<string, string>> }): number =>
  numberIn(params.id) ?? 0;

/** The context of a verb, for a member at work for an account. */
export const ctxOf = ({ account, actor }: AccountVisit): Ctx => ({
  accountId: account.id,
  actor,
});
