import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Account, issuerOf } from '../../accounts/index.ts';
import type { Offer } from '../../money/channels/index.ts';
import type { DrawingCache } from '../../platform/drawing/cache.ts';
import { addressOf, networkOf } from '../../platform/http/callers.ts';
import { fileAnswers } from '../../platform/http/named-answers.ts';
import type { App } from '../../platform/http/server.ts';
import type { Links } from '../../platform/links.ts';
import type { TransferAccounts } from '../cvu/open.ts';
import { allows, type PaymentRequestRow } from '../details.ts';
import type { FindPaymentRequest } from '../get.ts';
import { drawApart } from './apart.ts';
import { refusal } from './codes.ts';
import type { Coupons } from './coupons.ts';

/** Version of the drawing code in the ETag. Raise it when a drawing changes, to bypass caches. */
const generation = '3';

const fileParams = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', description: 'Token and extension, as in barcode_url and pdf_url' },
  },
};

interface DocumentParts {
  find: FindPaymentRequest;
  readAccount(id: string): Promise<Account | null>;
  links: Links;
  offer: Offer;
  transferAccounts: TransferAccounts;
  drawn: DrawingCache;
  coupons: Pick<Coupons, 'draw'>;
}

type AccountOf = (row: PaymentRequestRow) => Promise<Account>;

interface DocumentKind {
  type: string;
  /** File name prefix before the request's number. */
  name: string;
  /** True if it prints the transfer account. */
  showsCvu?: true;
  render(row: PaymentRequestRow, cvu: string | null, network: string): Promise<Buffer | string>;
}

/** Returns the documents by folder and file extension. */
function documentKinds({
  drawn,
  coupons,
  accountOf,
}: Pick<DocumentParts, 'drawn' | 'coupons'> & { accountOf: AccountOf }): Record<
  string,
  DocumentKind
> {
  const barcodeAs =
    (kind: string, as: 'barcodePng' | 'barcodeSvg') =>
    async (
      { account_id: account, details: { barcode } }: PaymentRequestRow,
      _cvu: unknown,
      network: string,
    ) =>
      await drawn.get(kind, barcode, () => drawApart({ account, network }, as, barcode));
  return {
    'barcode/png': {
      type: 'image/png',
      name: 'codigo-de-barras',
      render: barcodeAs('barcode/png', 'barcodePng'),
    },
    'barcode/svg': {
      type: 'image/svg+xml; charset=utf-8',
      name: 'codigo-de-barras',
      render: barcodeAs('barcode/svg', 'barcodeSvg'),
    },
    'coupon/pdf': {
      type: 'application/pdf',
      name: 'cupon',
      showsCvu: true,
      render: async (row, cvu, network) =>
        await coupons.draw(row, await accountOf(row), cvu, network),
    },
  };
}

/** Serves a request's documents by public link (interface 2.2: barcode_url, pdf_url). */
export function documentRoutes(
  app: App,
  { find, readAccount, links, offer, transferAccounts, drawn, coupons }: DocumentParts,
): void {
  const accountOf: AccountOf = async (row) => {
    const account = await readAccount(row.account_id);
    if (!account) throw refusal('document.not_found', {});
    return account;
  };
  const kinds = documentKinds({ drawn, coupons, accountOf });

  // A print depends on the immutable request, the offered channels and, for a coupon, the account's
  // appearance.
  const printed = `${generation} ${JSON.stringify(offer)}`;
  const etagOf = (content: string): string =>
    `"${createHash('sha256').update(`${printed} ${content}`).digest('base64url').slice(0, 22)}"`;

  /**
   * Throws for a pending request of a suspended or closed account, because the document would ask
   * for its payment. Documents of requests in other states stay available.
   */
  const refuseToAsk = async (row: PaymentRequestRow): Promise<void> => {
    if (row.state !== 'pending') return;
    const account = await readAccount(row.account_id);
    if (account?.state !== 'active') throw refusal('document.account_not_active', {});
  };

  const send = async (folder: string, request: FastifyRequest, reply: FastifyReply) => {
    const { file } = request.params as { file: string };
    const [, token = '', ending = ''] = /^(.+)\.([a-z]+)$/.exec(file) ?? [];
    const kind = kinds[`${folder}/${ending}`];
    const key = links.keyOf(token);
    if (!kind || !key) throw refusal('document.not_found', {});
    const isCoupon = kind.showsCvu === true;
    // A coupon expires soon, because the account's appearance may change and revalidation is cheap.
    const cacheControl = isCoupon ? 'private, max-age=300' : 'private, max-age=86400, immutable';
    const keep = (etag: string) => reply.header('etag', etag).header('cache-control', cacheControl);
    const isCurrent = (etag: string) => request.headers['if-none-match'] === etag;
    const etag = etagOf(file);
    if (!isCoupon && isCurrent(etag)) return keep(etag).code(304).send();
    const found = await find(key);
    if (!found) throw refusal('document.not_found', {});
    const { row } = found;
    await refuseToAsk(row);
    const account = isCoupon ? await accountOf(row) : null;
    const cvu = account ? await transferAccounts.cvuOf(row, account) : null;
    const own = account ? etagOf(`${file} ${cvu} ${JSON.stringify(issuerOf(account))}`) : etag;
    if (account && isCurrent(own)) return keep(own).code(304).send();
    // Do not cache a document whose transfer account may be opened in a moment.
    const mayCome = account !== null && transferAccounts.areOpened() && cvu === null;
    if (mayCome && allows(row, 'wire_transfer')) reply.header('cache-control', 'no-store');
    else keep(own);
    // Named by the request's number, because the token in the address is a secret that must not
    // appear among a person's files.
    reply.header('content-disposition', `inline; filename="${kind.name}-${key.id}.${ending}"`);
    return reply.type(kind.type).send(await kind.render(row, cvu, networkOf(addressOf(request))));
  };

  const refuses = 'The request is pending, and its account is suspended or closed';
  const publicLink = (operationId: string, summary: string, types: readonly string[]) => ({
    schema: {
      operationId,
      tags: ['Documents'],
      summary,
      security: [],
      params: fileParams,
      response: fileAnswers(types, { refuses }),
    },
  });
  const images = ['image/png', 'image/svg+xml'];
  app.get(
    '/barcode/:file',
    publicLink('getBarcode', 'Image of the barcode, .png or .svg', images),
    (request, reply) => send('barcode', request, reply),
  );
  app.get(
    '/coupon/:file',
    publicLink('getCoupon', 'Coupon as .pdf', ['application/pdf']),
    (request, reply) => send('coupon', request, reply),
  );
}
