import type { Clocks } from '../../platform/clocks.ts';
import type { Endpoints, Reply } from '../../platform/http/endpoint.ts';
import { text } from '../../platform/http/fields.ts';
import { form, required } from '../../platform/http/form.ts';
import type { CreationOutcome } from '../../platform/idempotency.ts';
import { referenceOf } from '../../platform/idempotency.ts';
import type { Links } from '../../platform/links.ts';
import { stateOn } from '../../requests/index.ts';
import { batchSchema, isLargeBatch, largestBatch, largestBatchBytes } from '../batch.ts';
import { refusal } from '../codes.ts';
import { type QrCode, successCodes } from '../errors/codes.ts';
import { qrEditSchema, qrItemSchema } from '../item.ts';
import { paidAnswer, presentPaid } from '../pay-answer.ts';
import { type QrTerms, refuseUnlessOffered } from '../payload/payload.ts';
import { statusNames } from '../state.ts';
import type { DeleteQrs } from './delete.ts';
import type { EditQrs } from './edit.ts';
import type { GetQr } from './get.ts';
import type { PayQr } from './pay.ts';
import { presentQr } from './present.ts';
import {
  pathId,
  readEdits,
  readIds,
  readItems,
  readOneEdit,
  readOneId,
  readSmall,
} from './read.ts';
import type { SaveQrs } from './save.ts';
import { batchAnswer, idSchema, oneEditSchema, qrAnswer } from './schema.ts';

export interface DynamicVerbs {
  save(call: SaveQrs): Promise<CreationOutcome>;
  edit: EditQrs;
  remove: DeleteQrs;
  get: GetQr;
  pay: PayQr;
}

export interface DynamicContext {
  links: Links;
  clocks: Clocks;
  terms: QrTerms;
  /** True if this deployment can simulate payers. */
  sandbox: boolean;
}

const tag = 'QR';
const idParams = form({ qr_id: required(text({ max: 100 })) });
const itemsSchema = batchSchema(qrItemSchema);
const editsSchema = batchSchema(qrEditSchema);
const idsSchema = batchSchema(idSchema);
const many = `1 to ${largestBatch}`;

const changes = 'Fields that an item omits stay unchanged.';

const doneAnswer = { status: 200, schema: batchAnswer };

const done = ({ status, code }: QrCode, ids: (string | null)[]): Reply => ({
  status,
  body: { code, message: 'Ok', total_count: ids.length, data: ids.map((id) => ({ id })) },
});

export function dynamicRoutes(
  endpoints: Endpoints,
  verbs: DynamicVerbs,
  context: DynamicContext,
): void {
  const { links, clocks, terms } = context;

  endpoints.addCreating(
    {
      id: 'saveQrs',
      method: 'POST',
      path: '/save-qr-data',
      permission: 'qr:write',
      tag,
      summary: `Save ${many} dynamic QRs, all or none`,
      body: { schema: itemsSchema, read: (bytes, ctx) => readItems(clocks, bytes, ctx) },
      bodyLimit: largestBatchBytes,
      slow: isLargeBatch,
      answer: { status: successCodes.saved.status, schema: batchAnswer },
    },
    ({ ctx, body, claim }) => {
      refuseUnlessOffered(terms);
      return verbs.save({ ctx, batch: body, claim });
    },
  );

  endpoints.add(
    {
      id: 'getQrStatus',
      method: 'GET',
      path: '/status/:qr_id',
      permission: 'qr:read',
      tag,
      summary: 'Get a dynamic QR with its payments and refunds',
      params: idParams,
      answer: { status: 200, schema: qrAnswer },
    },
    async ({ ctx, params }) => ({
      status: 200,
      body: presentQr(await verbs.get(ctx, params.qr_id), {
        links,
        terms,
        today: clocks.business.today(),
      }),
    }),
  );

  editingRoutes(endpoints, verbs, clocks);
  deletingRoutes(endpoints, verbs);
  payingRoute(endpoints, verbs, context);
}

function editingRoutes(endpoints: Endpoints, { edit }: DynamicVerbs, clocks: Clocks): void {
  endpoints.addChanging(
    {
      id: 'editQr',
      method: 'POST',
      path: '/edit-qr/:qr_id',
      permission: 'qr:write',
      tag,
      summary: 'Change a Pending QR',
      description: changes,
      params: idParams,
      body: { schema: oneEditSchema(batchSchema(qrEditSchema, 1)), read: readSmall },
      answer: doneAnswer,
    },
    async ({ ctx, params, body }) => {
      const id = pathId(params.qr_id, ctx);
      const batch = readOneEdit(clocks, body, id, ctx);
      await edit({ ctx, batch, single: true });
      return done(successCodes.edited, batch.ids);
    },
  );

  endpoints.addChanging(
    {
      id: 'editQrs',
      method: 'POST',
      path: '/batch-edit-qr',
      permission: 'qr:write',
      tag,
      summary: `Change ${many} Pending QRs, all or none`,
      description: changes,
      body: { schema: editsSchema, read: (bytes, ctx) => readEdits(clocks, bytes, ctx) },
      bodyLimit: largestBatchBytes,
      slow: isLargeBatch,
      answer: doneAnswer,
    },
    async ({ ctx, body }) => {
      await edit({ ctx, batch: body, single: false });
      return done(successCodes.edited, body.ids);
    },
  );
}

function deletingRoutes(endpoints: Endpoints, { remove }: DynamicVerbs): void {
  endpoints.add(
    {
      id: 'deleteQr',
      method: 'DELETE',
      path: '/delete-qr/:qr_id',
      permission: 'qr:write',
      tag,
      summary: 'Delete a Pending QR',
      description: 'The body is optional; if sent, it must name the QR in the path.',
      params: idParams,
      body: { schema: batchSchema(idSchema, 1), optional: true, read: readSmall },
      answer: doneAnswer,
    },
    async ({ ctx, params, body }) => {
      const batch = readOneId(body, pathId(params.qr_id, ctx), ctx);
      await remove({ ctx, batch, single: true });
      return done(successCodes.deleted, batch.ids);
    },
  );

  endpoints.add(
    {
      id: 'deleteQrs',
      method: 'DELETE',
      path: '/batch-delete-qr',
      permission: 'qr:write',
      tag,
      summary: `Delete ${many} Pending QRs, all or none`,
      body: { schema: idsSchema, read: readIds },
      bodyLimit: largestBatchBytes,
      slow: isLargeBatch,
      answer: doneAnswer,
    },
    async ({ ctx, body }) => {
      await remove({ ctx, batch: body, single: false });
      return done(successCodes.deleted, body.ids);
    },
  );
}

function payingRoute(
  endpoints: Endpoints,
  { pay }: DynamicVerbs,
  { clocks, sandbox }: DynamicContext,
): void {
  endpoints.addChanging(
    {
      id: 'payQr',
      method: 'POST',
      path: '/pay-qr/:qr_id',
      permission: sandbox ? 'sandbox' : 'any',
      hidden: !sandbox,
      tag,
      summary: 'Pay a dynamic QR as a wallet would (sandbox only)',
      params: idParams,
      answer: { status: 200, schema: paidAnswer },
    },
    async ({ ctx, params, claim }) => {
      if (!sandbox) throw refusal('qr.production', {});
      const { outcome, found } = await pay(ctx, params.qr_id, referenceOf(claim));
      const status = statusNames[stateOn(found.row, clocks.business.today())];
      return { status: 200, body: presentPaid(found.row.code, status, outcome) };
    },
  );
}
