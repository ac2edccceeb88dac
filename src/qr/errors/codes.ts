import { refusals as platform } from '../../platform/codes.ts';
import { refusalStatuses } from '../../platform/errors.ts';
import type { CodeSpec } from '../../platform/refusals.ts';
import { refusals } from '../codes.ts';
import { refusals as imports } from '../imports/codes.ts';

/** A code for clients to branch on. Codes never change their meaning. */
export interface QrCode {
  code: string;
  /** HTTP status. */
  status: number;
  meaning: string;
  /** The `error_code` values that it covers. */
  errors?: readonly string[];
}

/** A faulty form has the same code as a faulty batch. */
export const itemsInvalid = 'H103';

export const successCodes = {
  saved: { code: 'H001', status: 201, meaning: 'The QRs were saved' },
  uploadOpened: { code: 'H003', status: 200, meaning: 'The address for an upload was made' },
  edited: { code: 'H005', status: 200, meaning: 'The QRs were edited' },
  deleted: { code: 'H006', status: 200, meaning: 'The QRs were deleted' },
  paid: { code: 'H007', status: 200, meaning: 'The wallet paid' },
  refused: {
    code: 'H008',
    status: 200,
    meaning: 'The wallet refused to pay; status has the state',
  },
  unanswered: { code: 'H009', status: 200, meaning: 'The wallet has not answered yet' },
} as const satisfies Record<string, QrCode>;

type ErrorCode =
  | keyof typeof refusals.codes
  | keyof typeof imports.codes
  | keyof typeof platform.codes;

const kinds: Readonly<Record<ErrorCode, CodeSpec>> = {
  ...platform.codes,
  ...refusals.codes,
  ...imports.codes,
};

/** Defines a code. `errors` are the finer error codes that it covers. */
const error = (code: string, meaning: string, ...errors: [ErrorCode, ...ErrorCode[]]) => {
  const { kind } = kinds[errors[0]];
  if (kind === 'field' || kind === 'part') throw new Error(`${errors[0]} has no status`);
  return { code, status: refusalStatuses[kind], meaning, errors };
};

/** Errors with a code of their own. */
const errorCodes: readonly (QrCode & { errors: readonly ErrorCode[] })[] = [
  error(
    'H101',
    'total_count is missing or is not the number of items',
    'qr.count_invalid',
    'qr.count_differs',
  ),
  error(
    'H102',
    'There are no items, or more than the call takes',
    'qr.count_out_of_range',
    'qr.data_missing',
    'qr.only_one',
  ),
  error(
    itemsInvalid,
    'Some items or fields are not valid; errors lists every fault',
    'qr.items_invalid',
  ),
  error('H104', 'Ids are in use already; errors lists them', 'qr.ids_taken', 'qr.id_taken'),
  error(
    'H105',
    'Some QRs do not exist or cannot be changed; errors lists them',
    'qr.batch_refused',
  ),
  error('H106', 'This deployment takes no payments by QR', 'qr.not_offered'),
  error('H201', 'The QR is paid', 'qr.paid'),
  error('H202', 'The QR is deleted', 'qr.deleted'),
  error('H203', 'The QR expired', 'qr.expired'),
  error('H204', 'The QR was refunded', 'qr.refunded'),
  error('H205', 'A payment of the QR is being processed', 'qr.being_paid'),
  error('H206', 'The static QR has no live transaction', 'qr.nothing_to_pay'),
  error('H207', 'An open-amount QR is paid with first_total', 'qr.amount_missing'),
  error('H208', 'The transaction has a fixed amount: leave out first_total', 'qr.amount_fixed'),
  error('H301', 'The upload address was not made here', 'qr_upload.address_unknown'),
  error('H302', 'The upload address expired', 'qr_upload.address_expired'),
  error('H303', 'The upload address was used', 'qr_upload.address_used'),
  error('H304', 'The body is compressed', 'unsupported_encoding'),
  error('H311', 'data is not the text of a QR, or its CRC is wrong', 'qr.payload_invalid'),
  error('H312', 'data is not a static QR of this account', 'qr.payload_foreign'),
  error('H313', 'data is a dynamic QR: it takes no transactions', 'qr.payload_dynamic'),
  error('H314', 'data is an open-amount QR: the payer chooses', 'qr.payload_open_amount'),
  error('H321', 'Resolving needs an access_token', 'qr.resolve_token_missing'),
  error('H322', 'The access_token is not valid', 'qr.resolve_token_wrong'),
  error('H323', 'Resolving needs data, the text of a QR', 'qr.resolve_data_missing'),
  error('H324', 'data is not the text of a QR', 'qr.resolve_data_invalid'),
];

const byError = new Map<string, string>(
  errorCodes.flatMap(({ code, errors }) => errors.map((one) => [one, code] as const)),
);

/** Other errors: `H` and the HTTP status. */
const generalMeanings: Record<number, string> = {
  400: 'The body or a parameter cannot be read',
  401: 'The API key is missing or not valid',
  403: 'The API key, or this environment, does not allow the call',
  404: 'There is no such QR, batch or page',
  405: 'The path does not take the method; the header Allow lists those that it takes',
  409: 'The state does not allow the call',
  413: 'The body is too large',
  415: 'The body is not JSON in UTF-8',
  422: 'The Idempotency-Key was used with another body',
  429: 'Too many calls or uploads: repeat after Retry-After seconds',
  500: 'Something went wrong on our side',
  503: 'The database is away; the message says whether it is safe to repeat',
};

const generalCode = (status: number): string => `H${status}`;

/** Returns the code of a refusal: its own, or its status's. */
export const qrCodeOf = (status: number, errorCode: string | undefined): string =>
  byError.get(errorCode ?? '') ?? generalCode(status);

/** Every code, for the documentation. */
export const allCodes: readonly QrCode[] = [
  ...Object.values(successCodes),
  ...errorCodes,
  ...Object.entries(generalMeanings).map(([status, meaning]) => ({
    code: generalCode(Number(status)),
    status: Number(status),
    meaning,
  })),
];
