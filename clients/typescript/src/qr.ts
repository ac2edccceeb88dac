import { named, call as plain } from './calls.ts';
import type { CallOptions } from './options.ts';
import { refundsOf } from './refunds.ts';
import type { Call, Transport } from './transport.ts';
import type * as api from './types.ts';

type NewQr = api.SaveQrsBody['data'][number];
type QrEdit = api.EditQrsBody['data'][number];

const call = (...of: Parameters<typeof plain>): Call => ({ ...plain(...of), service: 'qr' });

const batchOf = <T>(data: readonly T[]) => ({ total_count: data.length, data });

/** Static QRs: printed once, paid many times. */
const statics = (transport: Transport) => ({
  create: (fields: api.CreateStaticQrBody, options?: CallOptions) =>
    transport.json<api.StaticQr>(call('POST', '/create-qr', 'keyed', fields), options),
  /** Returns a static QR, or one of its transactions by its id. */
  get: (id: string, options?: CallOptions) =>
    transport.json<api.GetStaticQrStatusAnswer>(
      call('GET', `/status-static/${named(id)}`, 'safe'),
      options,
    ),
  /** Requests an amount on a closed-amount QR, identified by its `qr_string`. */
  newTransaction: (
    qrString: string,
    fields: api.CreateStaticQrTransactionBody,
    options?: CallOptions,
  ) =>
    transport.json<api.CreateStaticQrTransactionAnswer>(
      { ...call('PUT', '/new-transaction', 'keyed', fields), query: { data: qrString } },
      options,
    ),
  /** Pays a QR as a wallet does; sandbox only. */
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

/** Imports of up to 100000 QRs in one document, processed in the background. */
const imports = (transport: Transport) => ({
  /**
   * Uploads the items. The result's id identifies the import; `webhook_secret` verifies its
   * webhook.
   */
  async upload(
    items: readonly NewQr[],
    { webhook_url, ...options }: CallOptions & { webhook_url?: string | undefined } = {},
  ): Promise<api.QrUpload> {
    const upload = await transport.json<api.QrUpload>(call('GET', '/bucket-url', 'safe'), options);
    await transport.upload(upload.url, { ...batchOf(items), webhook_url }, options);
    return upload;
  },
  /** Returns the state of an import with one page of its rows, counted from 1. */
  result: (id: string, page = 1, options?: CallOptions) =>
    transport.json<api.QrBatchResult>(resultPage(id, page), options),
  /** Yields all rows of an import that have been processed so far. */
  async *rows(id: string, options?: CallOptions): AsyncGenerator<api.QrBatchItem, void, undefined> {
    for (let page = 1; ; page += 1) {
      const result = await transport.json<api.QrBatchResult>(resultPage(id, page), options);
      yield* result.data;
      if (!(page < result.pages)) return;
    }
  },
});

export const qr = (transport: Transport) => ({
  /** Saves up to 10000 dynamic QRs atomically. */
  save: (items: readonly NewQr[], options?: CallOptions) =>
    transport.json<api.QrBatch>(call('POST', '/save-qr-data', 'keyed', batchOf(items)), options),
  get: (id: string, options?: CallOptions) =>
    transport.json<api.Qr>(call('GET', `/status/${named(id)}`, 'safe'), options),
  /** Edits a Pending QR. Omitted fields keep their values. */
  edit: (id: string, fields: Omit<QrEdit, 'id'>, options?: CallOptions) =>
    transport.json<api.QrBatch>(call('POST', `/edit-qr/${named(id)}`, 'keyed', fields), options),
  /** Edits up to 10000 Pending QRs atomically. */
  editMany: (items: readonly QrEdit[], options?: CallOptions) =>
    transport.json<api.QrBatch>(call('POST', '/batch-edit-qr', 'keyed', batchOf(items)), options),
  delete: (id: string, options?: CallOptions) =>
    transport.json<api.QrBatch>(call('DELETE', `/delete-qr/${named(id)}`, 'once'), options),
  /** Deletes up to 10000 Pending QRs atomically. */
  deleteMany: (ids: readonly string[], options?: CallOptions) =>
    transport.json<api.QrBatch>(call('DELETE', '/batch-delete-qr', 'once', batchOf(ids)), options),
  /** Pays a QR as a wallet does; sandbox only. */
  pay: (id: string, options?: CallOptions) =>
    transport.json<api.QrPayment>(call('POST', `/pay-qr/${named(id)}`, 'keyed'), options),
  ...refundsOf(transport, (id: string) => `/refund-qr/${named(id)}`, { service: 'qr' }),
  static: statics(transport),
  imports: imports(transport),
});
