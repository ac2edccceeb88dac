import type { Actor } from '../platform/actor.ts';
import type { Ctx } from '../platform/base.ts';
import { accountId, recordId } from '../platform/http/fields.ts';
import { required } from '../platform/http/form.ts';
import { operation } from '../platform/operations.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Cancels a debit before it is submitted to the bank. */
export const debitCanceling = operation({
  name: 'debit.cancel',
  repeat: 'natural',
  act: 'debits.cancel',
  texts: { en, es },
  takes: { account: required(accountId()), id: required(recordId()) },
  run: (cancel: (ctx: Ctx, id: number) => Promise<unknown>, { account, id }, actor) =>
    cancel({ accountId: account, actor }, id),
});

type Erase = (
  key: { accountId: string; kind: 'card_adhesion'; id: number },
  actor: Actor,
) => Promise<boolean>;

/** Erases the card number of a canceled mandate before its retention ends. */
export const cardErasing = operation({
  name: 'card.erase',
  repeat: 'natural',
  act: 'files.manage',
  texts: { en, es },
  takes: { adhesion: required(recordId()), account: required(accountId()) },
  run: async (erase: Erase, { adhesion: id, account }, actor) =>
    (await erase({ accountId: account, kind: 'card_adhesion', id }, actor)) ? 'erased' : 'known',
  command: {
    arguments: ['adhesion'],
    shows: ({ adhesion: id, account }) => ({ id, account }),
  },
});
