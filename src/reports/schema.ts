import { type TObject, type TProperties, Type } from 'typebox';
import { compareDays } from '../kernel/dates.ts';
import { day } from '../platform/http/fields.ts';
import { form, required } from '../platform/http/form.ts';
import { dateTime } from '../platform/http/shapes.ts';
import { fault } from './codes.ts';
import type { ReportName } from './names.ts';

export { type ReportName, reportNames } from './names.ts';

const money = Type.Number({ description: 'Pesos, at most two decimals' });
const count = Type.Integer();

const request = {
  request_id: Type.Integer(),
  external_reference: Type.Optional(Type.String()),
};

const informed = { informed_date: dateTime, ...request };

const reversed = {
  reversed_result_id: Type.Integer({ description: 'The reversed payment in `request_result`' }),
};

const payment = { payer_name: Type.String(), description: Type.String() };

/** Builds the shape of a whole report. `data` and totals come from one snapshot. */
const answer = (title: string, totals: TProperties, item: TProperties): TObject =>
  Type.Object(
    {
      account_id: Type.String(),
      report_date: dateTime,
      ...totals,
      data: Type.Array(Type.Object(item)),
    },
    { title },
  );

/** Responses of GET /report/{name}/{date} (interface 2.9). */
export const reportAnswers: Record<ReportName, TObject> = {
  collection: answer(
    'CollectionReport',
    { total_collected: money, total_gross_fee: money, total_net_amount: money },
    {
      ...informed,
      ...payment,
      payment_date: dateTime,
      channel: Type.String(),
      amount_paid: money,
      net_fee: money,
      iva_fee: money,
      net_amount: money,
      available_at: dateTime,
    },
  ),
  chargeback: answer(
    'ChargebackReport',
    { total_chargeback: money },
    { ...informed, ...payment, channel: Type.String(), reverted_amount: money, ...reversed },
  ),
  refund: answer(
    'RefundReport',
    { total_refunded: money },
    { ...informed, ...payment, channel: Type.String(), refunded_amount: money, ...reversed },
  ),
  settlement: answer(
    'SettlementReport',
    {
      total_credits: count,
      credit_amount: money,
      total_debits: count,
      debit_amount: money,
      settlement_amount: money,
    },
    { ...request, request_id: Type.Optional(request.request_id), credit: money, debit: money },
  ),
  retentions: answer(
    'RetentionsReport',
    { total_amount: money },
    {
      created_at: dateTime,
      ...request,
      regime: Type.String(),
      jurisdiction: Type.String(),
      base: money,
      rate: Type.Number({ description: 'Percent' }),
      amount: money,
    },
  ),
};

/** Builds the form with a report's day, today or earlier. */
export const reportDay = (today: () => Temporal.PlainDate) =>
  form({ date: required(day({ iso: true })) }, ({ date }) => ({
    date:
      date && compareDays(date, today()) > 0
        ? fault('report.future', { today: today() })
        : undefined,
  }));
