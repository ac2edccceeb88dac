import { isoDateTime } from '../../../kernel/dates.ts';
import { paymentsIn } from '../../../money/collections/index.ts';
import {
  checkoutUrl,
  type FoundPaymentRequest,
  type PaymentRequestSearch,
  type PaymentRequests,
} from '../../../payment-requests/index.ts';
import type { Ctx } from '../../../platform/base.ts';
import type { Clocks } from '../../../platform/clocks.ts';
import type { Links } from '../../../platform/links.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { SheetColumn } from '../../../platform/spreadsheets/write/table.ts';
import { stateOn } from '../../../requests/index.ts';
import { behindLast, type FindRows } from '../../frame/exports.ts';
import { stateNames } from '../../frame/state-names.ts';
import { exportTexts } from './export-texts.ts';

interface ExportRow extends FoundPaymentRequest {
  payments: ReturnType<typeof paymentsIn>;
}

/** Returns a reader of all matches of a search, with the payments of each request. */
export const foundBy =
  (
    { search }: Pick<PaymentRequests, 'search'>,
    ctx: Ctx,
    asked: PaymentRequestSearch,
  ): FindRows<ExportRow, number> =>
  async (behind, limit) => {
    const found = await search(ctx, { ...asked, before: behind ?? asked.before }, limit);
    const rows = found.map((one) => ({ ...one, payments: paymentsIn(one.results) }));
    return behindLast(rows, limit, ({ row }) => row.id);
  };

interface ColumnParts {
  lang: Lang;
  links: Links;
  clocks: Clocks;
}

export function exportColumns({ lang, links, clocks }: ColumnParts): SheetColumn<ExportRow>[] {
  const texts = exportTexts[lang];
  const today = clocks.business.today();
  const link = ({ row }: ExportRow): string =>
    checkoutUrl(links, links.tokenOf({ accountId: row.account_id, id: row.id }));
  return [
    { title: texts.id, kind: 'integer', of: ({ row }) => row.id },
    {
      title: texts.state,
      kind: 'text',
      of: ({ row }) => stateNames[lang].requests[stateOn(row, today)],
    },
    { title: texts.created, kind: 'moment', of: ({ row }) => isoDateTime(row.created_at) },
    { title: texts.payer, kind: 'text', of: ({ row }) => row.payer },
    { title: texts.email, kind: 'text', of: ({ row }) => row.details.payer_email ?? null },
    { title: texts.description, kind: 'text', of: ({ row }) => row.description },
    { title: texts.reference, kind: 'text', of: ({ row }) => row.reference },
    { title: texts.due, kind: 'day', of: ({ row }) => row.due1 },
    { title: texts.total, kind: 'money', of: ({ row }) => row.total1 },
    { title: texts.secondDue, kind: 'day', of: ({ row }) => row.due2 },
    { title: texts.secondTotal, kind: 'money', of: ({ row }) => row.total2 },
    { title: texts.paidAt, kind: 'moment', of: ({ payments }) => payments?.last.paid_at ?? null },
    {
      title: texts.channel,
      kind: 'text',
      of: ({ payments }) => payments?.last.channel_label ?? null,
    },
    { title: texts.gross, kind: 'money', of: ({ payments }) => payments?.gross ?? null },
    { title: texts.fee, kind: 'money', of: ({ payments }) => payments?.fee ?? null },
    { title: texts.withheld, kind: 'money', of: ({ payments }) => payments?.withheld ?? null },
    { title: texts.net, kind: 'money', of: ({ payments }) => payments?.net ?? null },
    { title: texts.wentBack, kind: 'money', of: ({ payments }) => payments?.wentBack ?? null },
    {
      title: texts.available,
      kind: 'day',
      of: ({ payments }) => payments?.last.available_on ?? null,
    },
    { title: texts.link, kind: 'text', of: link },
  ];
}
