import type { Ctx } from '../platform/base.ts';
import { accountId, text } from '../platform/http/fields.ts';
import { required } from '../platform/http/form.ts';
import { operation } from '../platform/operations.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Removes a QR, so that it cannot be paid any more. */
export const qrRemoving = operation({
  name: 'qr.remove',
  act: 'qr.edit',
  texts: { en, es },
  takes: { account: required(accountId()), id: required(text({ max: 255 })) },
  repeat: 'natural',
  run: (remove: (ctx: Ctx, id: string) => Promise<void>, { account, id }, actor) =>
    remove({ accountId: account, actor }, id),
});
