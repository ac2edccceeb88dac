import type { FastifyReply } from 'fastify';
import { isolated } from '../kernel/text.ts';
import type { ResultRow } from '../money/collections/index.ts';
import { loadBars, loadReceipts, type ReceiptDocument } from '../payment-requests/http.ts';
import { allows, qrPayload } from '../payment-requests/index.ts';
import { cuitText, moneyText } from '../platform/pages/format.ts';
import { frameWords } from '../platform/pages/words.ts';
import { drawQr } from '../qr/http.ts';
import { amountDue, stateOn } from '../requests/index.ts';
import { receiptModel } from './outcome-models.ts';
import { type CheckoutParts, requestModel, type Visit } from './page.ts';
import type { BarcodeModel } from './views/model.ts';
import { receiptRows } from './views/outcome.tsx';
import { texts } from './views/texts.ts';

/** Units of a bar's height; the page stretches them. */
const barHeight = 100;

/** The barcode for a whole screen. */
export async function barcodeModel(visit: Visit, sandbox: boolean): Promise<BarcodeModel> {
  const barcodeShape = await loadBars();
  return {
    ...requestModel(visit, sandbox),
    amount: amountDue(visit.row, visit.today),
    barcode: visit.row.details.barcode,
    drawing: barcodeShape(visit.row.details.barcode, barHeight),
  };
}

const sendFile = (reply: FastifyReply, type: string, name: string, content: Buffer) =>
  reply
    .type(type)
    .header('cache-control', 'private, no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(content);

/** The QR as a picture to open in a wallet; null where it is not offered. */
export function sendQr(visit: Visit, { offer }: CheckoutParts, reply: FastifyReply) {
  const { row, account, today } = visit;
  if (!offer.qr || !allows(row, 'qr') || stateOn(row, today) !== 'pending') return null;
  const payload = qrPayload(offer.qr, account, row);
  return sendFile(reply, 'image/png', `qr-${row.id}.png`, drawQr.png(payload));
}

/** The receipt as a PDF, in the language that is read. */
export async function sendReceipt(
  visit: Visit,
  paid: ResultRow,
  parts: CheckoutParts,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { account, lang, row } = visit;
  const model = receiptModel(visit, paid, parts.sandbox);
  const words = texts[lang].receipt;
  const frame = frameWords[lang];
  const { logo, accent } = account.look;
  const document: ReceiptDocument = {
    lang: lang === 'es' ? 'es-AR' : 'en',
    issuer: account.name,
    logo,
    accent,
    issuerLine: `${frame.cuit} ${cuitText(account.cuit)}`,
    title: words.title,
    lead: words.lead(isolated(account.name)),
    amount: moneyText(lang, model.amount),
    rows: receiptRows(model),
    foot: [
      frame.processedBy(isolated(account.name)),
      ...(parts.sandbox ? [frame.sandboxNotice] : []),
    ],
    at: paid.paid_at,
  };
  const renderReceipt = await loadReceipts();
  const content = await renderReceipt(document, await parts.coupons.logoOf(account));
  const name = lang === 'es' ? 'comprobante' : 'receipt';
  return sendFile(reply, 'application/pdf', `${name}-${row.id}.pdf`, content);
}
