import { named } from './calls.ts';
import type { CallOptions } from './options.ts';
import { refundsOf } from './refunds.ts';
import type { Call, Transport } from './transport.ts';
import type * as api from './types.ts';

type NewQr = api.SaveQrsBody['data'][number];
type QrEdit = api.EditQrsBody['data'][number];

const call = (method: Call['method'], path: string, repeat: Call['repeat'], body?: unknown) =>
  ({ method, path, repeat, body, service: 'qr' }) as const;

const batchOf = <T>(data: readonly T[]) => ({ total_count: data.length, data });

/** Static QRs: printed once, paid many times. */
const statics = (transport: Transport) => ({
  create: (fields: api.CreateStaticQrBody, options?: CallOptions) =>
    transport.json<api.StaticQr>(call('POST', '/create-qr', 'keyed', fields), options),
  /** A static QR, or one of its transactions by its id. */
  get: (id: string, options?: CallOptions) =>
    transport.json<api.GetStaticQrStatusAnswer>(
      call('GET', `/status-static/${named(id)}`, 'safe'),
      options,
    ),
  /** Asks for an amount with a closed-amount QR, named by its `qr_string`. */
  newTransaction: (
    qrString: string,
    fields: api.CreateStaticQrTransactionBody,
    options?: CallOptions,
  ) =>
    transport.json<api.CreateStaticQrTransactionAnswer>(
      { ...call('PUT', '/new-transaction', 'keyed', fields), query: { data: qrString } },
      options,
    ),
  /** Pays it as a wallet would; sandbox only. */
  pay: (id: string, fields: api.PayStaticQrBody = {}, options?: CallOptions) =>
    transport.json<api.QrPayment>(
      call('POST', `/pay-qr-static/${named(id)}`, 'keyed', fields),
      options,
    ),
});

const resultPage = (id: string, page: number): Call => ({
  ...call('GET', `/batch-result/${named(id)}/${page}`, 'safe'),
  shape: 'page',
});

/** Up to 100000 QRs in one document, which is read in the background. */
const imports = (transport: Transport) => ({
  /** Uploads the items. The answer's id names the import; `webhook_secret` signs its notice. */
  async upload(
    items: readonly NewQr[],
    { webhook_url, ...options }: CallOptions & { webhook_url?: string | undefined } = {},
  ): Promise<api.QrUpload> {
    const upload = await transport.json<api.QrUpload>(call('GET', '/bucket-url', 'safe'), options);
    await transport.upload(upload.url, { ...batchOf(items), webhook_url }, options);
    return upload;
  },
  /** How an import stands, with a page of its rows; pages begin at 1. */
  result: (id: string, page = 1, options?: CallOptions) =>
    transport.json<api.QrBatchResult>(resultPage(id, page), options),
  /** All rows of an import, as far as it has come. */
  async *rows(id: string, options?: CallOptions): AsyncGenerator<api.QrBatchItem, void, undefined> {
    for (let page = 1; ; page += 1) {
      const result = await transport.json<api.QrBatchResult>(resultPage(id, page), options);
      yield* result.data;
      if (!(page < result.pages)) return;
    }
  },
});

export const qr = (transport: Transport) => ({
  /** Saves up to 10000 dynamic QRs, all or none. */
  save: (items: readonly NewQr[], options?: CallOptions) =>
    transport.json<api.QrBatch>(call('POST', '/save-qr-data', 'keyed', batchOf(items)), options),
  get: (id: string, options?: CallOptions) =>
    transport.json<api.Qr>(call('GET', `/status/${named(id)}`, 'safe'), options),
  /** Changes a Pending QR; what is not sent stays. */
  edit: (id: string, fields: Omit<QrEdit, 'id'>, options?: CallOptions) =>
    transport.json<api.QrBatch>(call('POST', `/edit-qr/${named(id)}`, 'keyed', fields), options),
  /** Changes up to 10000 Pending QRs, all or none. */
  editMany: (items: readonly QrEdit[], options?: CallOptions) =>
    transport.json<api.QrBatch>(call('POST', '/batch-edit-qr', 'keyed', batchOf(items)), options),
  delete: (id: string, options?: CallOptions) =>
    transport.json<api.QrBatch>(call('DELETE', `/delete-qr/${named(id)}`, 'once'), options),
  /** Deletes up to 10000 Pending QRs, all or none. */
  deleteMany: (ids: readonly string[], options?: CallOptions) =>
    transport.json<api.QrBatch>(call('DELETE', '/batch-delete-qr', 'once', batchOf(ids)), options),
  /** Pays it as a wallet would; sandbox only. */
  pay: (id: string, options?: CallOptions) =>
    transport.json<api.QrPayment>(call('POST', `/pay-qr/${named(id)}`, 'keyed'), options),
  ...refundsOf(transport, (id: string) => `/refund-qr/${named(id)}`, { service: 'qr' }),
  static: statics(transport),
  imports: imports(transport),
});
