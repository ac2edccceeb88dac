import { Refusal } from '../../../platform/errors.ts';
import type { FilterPlace, UserVerbs } from '../../../users/index.ts';
import type { AccountVisit, Answer, Portal } from '../../frame/index.ts';
import { queryOf, valuesIn } from './query.ts';
import { filtersPage, nameIn } from './saved.tsx';

export interface FilterParts {
  users: Pick<UserVerbs, 'savedFilters' | 'saveFilter' | 'forgetFilter'>;
}

/** Returns the user and account that saved filters belong to. */
export const placeOf = ({ account, user }: AccountVisit): FilterPlace => ({
  accountId: account.id,
  userId: user.id,
  list: 'requests',
});

const queryIn = (posted: URLSearchParams): string => {
  const sent = posted.get('query') ?? '';
  return sent.startsWith('?') ? queryOf(valuesIn(new URLSearchParams(sent))) : '';
};

export function filterPages(portal: Portal, { users }: FilterParts): void {
  portal.page({
    act: 'requests.see',
    path: '/requests/filters',
    read: async (visit) => filtersPage(visit, { saved: await users.savedFilters(placeOf(visit)) }),
  });
  portal.form({
    act: 'requests.see',
    path: '/requests/filters',
    async does(visit): Promise<Answer> {
      const { posted, actor } = visit;
      const place = placeOf(visit);
      const [name, query] = [nameIn(posted), queryIn(posted)];
      const refuse = async (why: 'name' | 'query' | Refusal): Promise<Answer> =>
        filtersPage(visit, {
          saved: await users.savedFilters(place),
          refused: { query, name: posted.get('name') ?? '', why },
        });
      if (query === '') return await refuse('query');
      if (name === null) return await refuse('name');
      try {
        await users.saveFilter(actor, place, { name, query });
        return { to: visit.at('/requests') + query };
      } catch (error) {
        if (!(error instanceof Refusal && error.kind === 'conflict')) throw error;
        return await refuse(error);
      }
    },
  });
  portal.form({
    act: 'requests.see',
    path: '/requests/filters/forget',
    async does(visit): Promise<Answer> {
      const { posted, actor } = visit;
      await users.forgetFilter(actor, placeOf(visit), (posted.get('name') ?? '').trim());
      return { to: visit.at('/requests/filters') };
    },
  });
}
