import type { Acting, Base } from '../../../platform/base.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { ListPage } from '../../../platform/list-page.ts';
import { type Answer, idIn, numberIn, type Portal, type ServiceVisit } from '../../frame/index.ts';
import { reasonIn } from '../forms/read.ts';
import type { LetterView } from './model.ts';
import { listPage, onePage, rowsAtOnce } from './views.tsx';

export interface LetterParts {
  base: Base;
  letters: {
    list(page: ListPage & { all: boolean }): Promise<LetterView[]>;
    read(id: number): Promise<LetterView>;
    replay(acting: Acting, id: number): Promise<void>;
    discard(acting: Acting, id: number, note: string): Promise<void>;
  };
}

/** Unreadable notices of connectors: listed, looked into, replayed or discarded. */
export function letterPages(portal: Portal, parts: LetterParts): void {
  /** Decides, or shows the letter with the reason against it. */
  const decided = async (visit: ServiceVisit, decide: () => Promise<void>): Promise<Answer> => {
    try {
      await decide();
      return { to: visit.at(`/letters/${idIn(visit)}`) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
      const letter = await parts.letters.read(idIn(visit));
      return onePage(visit, { letter, refusal: error });
    }
  };
  const actingOf = ({ actor }: ServiceVisit): Acting => ({ ...parts.base, actor });

  portal.page({
    act: 'alarms.see',
    path: '/letters',
    async read(visit) {
      const all = visit.query.has('all');
      const after = numberIn(visit.query.get('after') ?? '') ?? 0;
      const rows = await parts.letters.list({ all, after, limit: rowsAtOnce + 1 });
      return listPage(visit, { rows, all });
    },
  });
  portal.page({
    act: 'alarms.see',
    path: '/letters/:id',
    read: async (visit) => onePage(visit, { letter: await parts.letters.read(idIn(visit)) }),
  });
  portal.form({
    act: 'alarms.close',
    path: '/letters/:id/replay',
    does: (visit) => decided(visit, () => parts.letters.replay(actingOf(visit), idIn(visit))),
  });
  portal.form({
    act: 'alarms.close',
    path: '/letters/:id/discard',
    async does(visit) {
      const text = visit.posted.get('note');
      const note = reasonIn(text);
      if (note === null) {
        const letter = await parts.letters.read(idIn(visit));
        return onePage(visit, { letter, note: text ?? '' });
      }
      return await decided(visit, () => parts.letters.discard(actingOf(visit), idIn(visit), note));
    },
  });
}
