import type { ComponentChildren } from 'preact';
import {
  letterDiscarding,
  letterList,
  letterReplaying,
  readLetter,
} from '../../../connectors/index.ts';
import type { Acting, Base } from '../../../platform/base.ts';
import { idIn, type Page, type Portal, type ServiceVisit } from '../../frame/index.ts';
import { listPages } from '../../frame/listing.tsx';
import { type OperationForm, operationForm } from '../../frame/operation.tsx';
import { letterTexts } from './texts.ts';
import { columnsOf, onePage } from './views.tsx';

export interface LetterParts {
  base: Base;
  replayLetter(acting: Acting, id: number): Promise<void>;
}

/** Serves the dead letters of connectors, which operators replay or discard. */
export function emailPages(portal: Portal, { base, replayLetter: replay }: LetterParts): void {
  const show = async (
    visit: ServiceVisit,
    forms: { replay?: ComponentChildren; discard?: ComponentChildren } = {},
  ): Promise<Page> =>
    onePage(visit, await readLetter(base.sql, idIn(visit)), {
      replay: forms.replay ?? (await replaying.form(visit)),
      discard: forms.discard ?? (await discarding.form(visit)),
    });
  const shared = {
    on: { path: '/letters/:id', act: 'alarms.see' },
    done: (visit: ServiceVisit) => ({ to: visit.at(`/letters/${idIn(visit)}`) }),
  } as const;

  listPages(portal, letterList, {
    path: '/letters',
    base,
    texts: (lang) => letterTexts[lang],
    columns: columnsOf,
  });
  const replaying: OperationForm<'alarms.close'> = operationForm(portal, letterReplaying, {
    ...shared,
    path: '/letters/:id/replay',
    verbOf: () => ({ base, replay }),
    page: (visit, form) => show(visit, { replay: form }),
  });
  const discarding: OperationForm<'alarms.close'> = operationForm(portal, letterDiscarding, {
    ...shared,
    path: '/letters/:id/discard',
    grave: true,
    verbOf: () => base,
    page: (visit, form) => show(visit, { discard: form }),
  });
  portal.page({ ...shared.on, read: (visit) => show(visit) });
}
