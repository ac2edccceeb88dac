import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Refusals of the QR service; `errors/codes.ts` maps them to H codes. */
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
      help: 'Items were lost on the way, or counted wrong. Send all of them and their number.',
    },
    'qr.count_out_of_range': {
      kind: 'invalid',
      parameters: { most: 'count' },
      help: 'There are no items, or too many. Split the call, or use a bulk import.',
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
      help: 'All or nothing. Correct what `errors` lists, and send the call again.',
    },
    'qr.ids_taken': {
      kind: 'conflict',
      parameters: { done: 'text' },
      help: 'All or nothing. Send other ids in place of those that `errors` lists.',
    },
    'qr.id_taken': {
      kind: 'conflict',
      parameters: {},
      help: 'A QR of the account has the id, or had it. Choose another one.',
    },
    'qr.batch_refused': {
      kind: 'conflict',
      parameters: { done: 'text' },
      help: 'All or nothing. Leave out what `errors` lists, and send the call again.',
    },
    'qr.not_offered': {
      kind: 'invalid',
      parameters: {},
      help: 'The operator has connected no network of wallets.',
    },
    'qr.paid': {
      kind: 'conflict',
      parameters: { wanted: 'text' },
      help: 'It was paid. Read it.',
    },
    'qr.deleted': {
      kind: 'conflict',
      parameters: { wanted: 'text' },
      help: 'It was deleted. Make another one.',
    },
    'qr.expired': {
      kind: 'conflict',
      parameters: { wanted: 'text' },
      help: 'Its last due day has passed. Make another one.',
    },
    'qr.refunded': {
      kind: 'conflict',
      parameters: { wanted: 'text' },
      help: 'Its payment was refunded. Make another one.',
    },
    'qr.being_paid': {
      kind: 'conflict',
      parameters: {},
      help: 'A wallet is paying. Read the QR, and repeat the call once it is paid or Pending.',
    },
    'qr.nothing_to_pay': {
      kind: 'conflict',
      parameters: {},
      help: 'The last transaction ended, or there was none. Begin one with `PUT /new-transaction`.',
    },
    'qr.amount_missing': {
      kind: 'invalid',
      parameters: {},
      help: 'The payer chooses what to pay. Send it as `first_total`.',
    },
    'qr.amount_fixed': {
      kind: 'invalid',
      parameters: { total: 'money' },
      help: 'The transaction has its amount. Leave `first_total` out.',
    },
    'qr.body_empty': {
      kind: 'malformed',
      parameters: {},
      help: 'The call has no body.',
    },
    'qr.body_malformed': {
      kind: 'malformed',
      parameters: { fault: 'text' },
      help: 'The body is not JSON of the right shape. The sentence says at which byte.',
    },
    'qr.data_not_list': {
      kind: 'malformed',
      parameters: {},
      help: '`data` is a list, also of one item.',
    },
    'qr.body_not_item': {
      kind: 'malformed',
      parameters: {},
      help: 'The body is not an object.',
    },
    'qr.body_not_named': {
      kind: 'malformed',
      parameters: {},
      help: 'The path names the QR: leave the body out.',
    },
    'qr.payload_invalid': {
      kind: 'invalid',
      parameters: { fault: 'text' },
      help: 'The text was cut or changed, often by a missing percent-encoding.',
    },
    'qr.payload_foreign': {
      kind: 'not_found',
      parameters: {},
      help: 'The code is of another account or another acceptor.',
    },
    'qr.payload_dynamic': {
      kind: 'conflict',
      parameters: {},
      help: 'A dynamic QR has its own amount. Use the code of a static one.',
    },
    'qr.payload_open_amount': {
      kind: 'conflict',
      parameters: {},
      help: 'Only static QRs with a closed amount take transactions.',
    },
    'qr.resolve_token_missing': {
      kind: 'forbidden',
      parameters: {},
      help: 'Wallets identify themselves with the token of their scheme (`RESOLVE_TOKENS`).',
    },
    'qr.resolve_token_wrong': {
      kind: 'unauthorized',
      parameters: {},
      help: 'The token is none of `RESOLVE_TOKENS`. Ask the operator.',
    },
    'qr.resolve_data_missing': {
      kind: 'invalid',
      parameters: {},
      help: 'The query has no `data`.',
    },
    'qr.resolve_data_invalid': {
      kind: 'unprocessable',
      parameters: { fault: 'text' },
      help: 'The code is another kind of QR, or was read wrong. Scan it again.',
    },
    'qr.production': {
      kind: 'forbidden',
      parameters: {},
      help: 'Payers are simulated in the sandbox only.',
    },
    'qr.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, of another account, or of another kind of QR.',
    },
    'qr.no_single_request': {
      kind: 'not_found',
      parameters: {},
      help: 'A static QR has one request for each transaction: name the transaction.',
    },
    'qr.image_not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The link was cut or changed. Use `image_url` or `image_svg_url` as they were answered.',
    },
    'qr.id_other_account': {
      kind: 'field',
      parameters: { prefix: 'text' },
      help: 'An id begins with the id of its account, or has no prefix.',
    },
    'qr.id_malformed': {
      kind: 'field',
      parameters: {},
      help: 'The id is empty, too long, or has characters that are not allowed.',
    },
    'qr.id_used': {
      kind: 'field',
      parameters: {},
      help: 'A QR of the account has the id of this item, or had it. Choose another one.',
    },
    'qr.id_repeated': {
      kind: 'field',
      parameters: { index: 'count' },
      help: 'Two items of the call have the same id.',
    },
    'qr.id_not_of_path': {
      kind: 'field',
      parameters: { id: 'text' },
      help: 'Leave the id of the item out, or send that of the path.',
    },
    'qr.item_not_id': {
      kind: 'field',
      parameters: {},
      help: '`data` of a deletion is a list of ids.',
    },
    'qr.nothing_to_change': {
      kind: 'field',
      parameters: { fields: 'text' },
      help: 'The item names no field of a QR: a name may be misspelt.',
    },
    'qr.multiple_payment_stays': {
      kind: 'field',
      parameters: {},
      help: 'Somebody paid already; the QR takes further payments until it is deleted.',
    },
  },
  { en, es },
);
