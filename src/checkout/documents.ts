import type { FastifyReply } from 'fastify';
import type { Account } from '../accounts/index.ts';
import { isolated } from '../kernel/text.ts';
import { isLive, type ResultRow } from '../money/collections/index.ts';
import { drawApart, loadBars, type ReceiptDocument } from '../payment-requests/http.ts';
import { allows, type FoundPaymentRequest, qrPayload } from '../payment-requests/index.ts';
import { addressOf, networkOf } from '../platform/http/callers.ts';
import { cuitText, moneyText } from '../platform/pages/format.ts';
import type { Lang } from '../platform/pages/model.ts';
import { frameTexts } from '../platform/pages/texts.ts';
import { drawQrApart } from '../qr/http.ts';
import { amountDue, stateOn } from '../requests/index.ts';
import { receiptModel } from './outcome-models.ts';
import { type CheckoutParts, requestModel, type Visit } from './page.ts';
import type { BarcodeModel } from './views/model.ts';
import { receiptRows } from './views/outcome.tsx';
import { texts } from './views/texts.ts';

/** Height of a bar in units that the page stretches. */
const barHeight = 100;

export async function barcodeModel(visit: Visit, sandbox: boolean): Promise<BarcodeModel> {
  const barcodeShape = await loadBars();
  return {
    ...requestModel(visit, sandbox),
    amount: amountDue(visit.row, visit.today),
    barcode: visit.row.details.barcode,
    drawing: barcodeShape(visit.row.details.barcode, barHeight),
  };
}

const sendFile = (reply: FastifyReply, type: string, name: string, content: string | Buffer) =>
  reply
    .type(type)
    .header('cache-control', 'private, no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(content);

/** Sends the QR as an image to open in a wallet. Returns null if a QR cannot be paid now. */
export async function sendQr(visit: Visit, parts: CheckoutParts, reply: FastifyReply) {
  const { row, account, today } = visit;
  const network = networkOf(addressOf(reply.request));
  const { offer, drawn } = parts;
  if (!offer.qr || !allows(row, 'qr') || stateOn(row, today) !== 'pending') return null;
  const payload = qrPayload(offer.qr, account, row);
  const picture = await drawn.get('qr/png', payload, () =>
    drawQrApart({ account: account.id, network }, 'png', payload),
  );
  return sendFile(reply, 'image/png', `qr-${row.id}.png`, picture);
}

/** Lays out the receipt of a payment, in the language of the visit. */
function receiptDocument(visit: Visit, paid: ResultRow, sandbox: boolean): ReceiptDocument {
  const { account, lang } = visit;
  const model = receiptModel(visit, paid, sandbox);
  const words = texts[lang].receipt;
  const frame = frameTexts[lang];
  const { logo, accent } = account.look;
  return {
    lang: lang === 'es' ? 'es-AR' : 'en',
    issuer: account.name,
    logo,
    accent,
    issuerLine: `${frame.cuit} ${cuitText(account.cuit)}`,
    title: words.title,
    lead: words.lead({ issuer: isolated(account.name) }),
    amount: moneyText(lang, model.amount),
    rows: receiptRows(model),
    foot: [
      frame.processedBy({ issuer: isolated(account.name) }),
      ...(sandbox ? [frame.sandboxNotice] : []),
    ],
    at: paid.paid_at,
  };
}

type ReceiptParts = Pick<CheckoutParts, 'sandbox' | 'drawn' | 'coupons'>;

const drawReceipt = async (
  visit: Visit,
  paid: ResultRow,
  { sandbox, drawn, coupons }: ReceiptParts,
  network?: string,
): Promise<Buffer> => {
  const { account } = visit;
  const document = receiptDocument(visit, paid, sandbox);
  const content = await drawn.get('receipt/pdf', document, async () =>
    drawApart(
      { account: account.id, network },
      'receipt',
      JSON.stringify(document),
      await coupons.logoOf(account),
    ),
  );
  return Buffer.from(content);
};

export interface MailedReceipt extends FoundPaymentRequest {
  account: Account;
  resultId: number;
  lang: Lang;
}

/**
 * Draws a receipt for an email. Returns null if its payment was charged back or refunded in full.
 */
export async function mailedReceipt(
  { account, row, results, resultId, lang }: MailedReceipt,
  parts: ReceiptParts & Pick<CheckoutParts, 'links' | 'business'>,
): Promise<Buffer | null> {
  const paid = results.find(({ id }) => id === resultId);
  if (!paid || !isLive(paid)) return null;
  const token = parts.links.tokenOf({ accountId: account.id, id: row.id });
  const today = parts.business.today();
  const visit: Visit = { attempt: null, row, results, account, token, lang, today };
  return await drawReceipt(visit, paid, parts);
}

export async function sendReceipt(
  visit: Visit,
  paid: ResultRow,
  parts: CheckoutParts,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const network = networkOf(addressOf(reply.request));
  const content = await drawReceipt(visit, paid, parts, network);
  const name = `${texts[visit.lang].receipt.file}-${visit.row.id}.pdf`;
  return sendFile(reply, 'application/pdf', name, content);
}
