import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Refusals of the QR service. `errors/codes.ts` maps them to H codes. */
export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'qr.count_invalid': {
      kind: 'invalid',
      parameters: { count: 'count' },
      help: '`total_count` is missing or not a number. Send the number of items.',
    },
    'qr.count_differs': {
      kind: 'invalid',
      parameters: { sent: 'count', count: 'count' },
      help: 'Items were lost on the way, or their number is wrong. Send all of them and the right number.',
    },
    'qr.count_out_of_range': {
      kind: 'invalid',
      parameters: { most: 'count' },
      help: 'The list is empty or too long. Split the call, or use a bulk import.',
    },
    'qr.data_missing': {
      kind: 'invalid',
      parameters: {},
      help: 'The body has no `data`. Put the items there.',
    },
    'qr.only_one': {
      kind: 'invalid',
      parameters: { count: 'count' },
      help: 'The path names one QR. Use the call for batches.',
    },
    'qr.items_invalid': {
      kind: 'invalid',
      parameters: { done: 'text' },
      help: 'The batch is all or nothing. Correct the items in `errors` and repeat the call.',
    },
    'qr.ids_taken': {
      kind: 'conflict',
      parameters: { done: 'text' },
      help: 'The batch is all or nothing. Replace the ids in `errors` and repeat the call.',
    },
    'qr.id_taken': {
      kind: 'conflict',
      parameters: {},
      help: 'A QR of the account has or had the id. Choose another one.',
    },
    'qr.batch_refused': {
      kind: 'conflict',
      parameters: { done: 'text' },
      help: 'The batch is all or nothing. Leave out the items in `errors` and repeat the call.',
    },
    'qr.not_offered': {
      kind: 'invalid',
      parameters: {},
      help: 'QRs need a connector for `qr`, `QR_ACCEPTOR` and `CVU_PSP`. The operator must configure them.',
    },
    'qr.paid': {
      kind: 'conflict',
      parameters: { wanted: 'text' },
      help: 'The QR was paid. Create another one, or refund its payment.',
    },
    'qr.deleted': {
      kind: 'conflict',
      parameters: { wanted: 'text' },
      help: 'Someone deleted the QR. Create another one.',
    },
    'qr.expired': {
      kind: 'conflict',
      parameters: { wanted: 'text' },
      help: 'Its last due date has passed, or a transaction ran out of time or was replaced by a newer one. Create another one.',
    },
    'qr.refunded': {
      kind: 'conflict',
      parameters: { wanted: 'text' },
      help: 'Its payment was refunded or charged back. Create another one.',
    },
    'qr.being_paid': {
      kind: 'conflict',
      parameters: {},
      help: 'A wallet is paying it. Read the QR, and retry once it is Paid or Pending.',
    },
    'qr.nothing_to_pay': {
      kind: 'conflict',
      parameters: {},
      help: 'The last transaction has ended, or there was none. Start one with `PUT /new-transaction`.',
    },
    'qr.amount_missing': {
      kind: 'invalid',
      parameters: {},
      help: 'The payer chooses what to pay. Send that amount as `first_total`.',
    },
    'qr.amount_fixed': {
      kind: 'invalid',
      parameters: { total: 'money' },
      help: 'The transaction already has its amount. Leave out `first_total`.',
    },
    'qr.body_empty': {
      kind: 'malformed',
      parameters: {},
      help: 'The call has no body.',
    },
    'qr.body_malformed': {
      kind: 'malformed',
      parameters: { fault: 'nested' },
      help: 'The body is not valid JSON, has the wrong shape, or exceeds a limit. Correct it as the message says.',
    },
    'qr.data_not_list': {
      kind: 'malformed',
      parameters: {},
      help: '`data` must be a list, even with one item.',
    },
    'qr.body_not_item': {
      kind: 'malformed',
      parameters: {},
      help: 'The body is not an object.',
    },
    'qr.body_not_named': {
      kind: 'malformed',
      parameters: {},
      help: 'The path identifies the QR. Leave out the body.',
    },
    'qr.payload_invalid': {
      kind: 'invalid',
      parameters: { fault: 'text' },
      help: 'The text was cut or changed, often because of a missing percent-encoding.',
    },
    'qr.payload_foreign': {
      kind: 'not_found',
      parameters: {},
      help: 'The code belongs to another account or another acceptor, or no static QR has its id.',
    },
    'qr.payload_dynamic': {
      kind: 'conflict',
      parameters: {},
      help: 'A dynamic QR has its own amount. Use the code of a static one.',
    },
    'qr.payload_open_amount': {
      kind: 'conflict',
      parameters: {},
      help: 'The payers of an open-amount QR choose what to pay. Use the code of a static QR with a closed amount.',
    },
    'qr.resolve_token_missing': {
      kind: 'forbidden',
      parameters: {},
      help: 'Wallets identify themselves with the token of their scheme (`RESOLVE_TOKENS`).',
    },
    'qr.resolve_token_wrong': {
      kind: 'unauthorized',
      parameters: {},
      help: '`RESOLVE_TOKENS` does not contain this token. Ask the operator.',
    },
    'qr.resolve_data_missing': {
      kind: 'invalid',
      parameters: {},
      help: 'The query has no `data`.',
    },
    'qr.resolve_data_invalid': {
      kind: 'unprocessable',
      parameters: { fault: 'text' },
      help: 'The code is another kind of QR, or the scan went wrong. Scan it again.',
    },
    'qr.production': {
      kind: 'forbidden',
      parameters: {},
      help: 'Only a sandbox simulates payers.',
    },
    'qr.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or belongs to another account or another kind of QR.',
    },
    'qr.no_single_request': {
      kind: 'not_found',
      parameters: {},
      help: 'A static QR has one request for each transaction. Send the id of the transaction.',
    },
    'qr.image_not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The link was cut or changed, or the operator retired the key that made it. Read the QR, and use its `image_url` or `image_svg_url` unchanged.',
    },
    'qr.id_other_account': {
      kind: 'field',
      parameters: { prefix: 'text' },
      help: 'The id belongs to another account, or is your own and only looks like that, as in `20261128-1`. In that case, put the prefix of your account before it.',
    },
    'qr.id_malformed': {
      kind: 'field',
      parameters: {},
      help: 'The id is empty, too long, or contains other characters.',
    },
    'qr.id_used': {
      kind: 'field',
      parameters: {},
      help: 'A QR of the account has or had the id of this item. Choose another one.',
    },
    'qr.id_repeated': {
      kind: 'field',
      parameters: { index: 'count' },
      help: 'Two items of the call have the same id. Give each item its own.',
    },
    'qr.id_not_of_path': {
      kind: 'field',
      parameters: { id: 'text' },
      help: 'Leave out the id of the item, or send the one in the path.',
    },
    'qr.item_not_id': {
      kind: 'field',
      parameters: {},
      help: 'In a deletion, `data` is a list of ids.',
    },
    'qr.nothing_to_change': {
      kind: 'field',
      parameters: { fields: 'text' },
      help: 'The item has no field of a QR; a name may be misspelled.',
    },
    'qr.multiple_payment_stays': {
      kind: 'field',
      parameters: {},
      help: 'The QR has a payment, and accepts more until you delete it.',
    },
  },
  { en, es },
);
