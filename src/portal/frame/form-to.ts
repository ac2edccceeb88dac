import type { OwnVisit } from './visit.ts';

/** Returns the properties of a form that is posted to an address: its language and token. */
export const formTo = ({ lang, token }: Pick<OwnVisit, 'lang' | 'token'>, action: string) => ({
  lang,
  action,
  token: token(action),
});
