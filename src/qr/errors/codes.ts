import { type RefusalKind, refusalStatuses } from '../../platform/errors.ts';

/** A code of the QR service's answers: what a client branches on. Codes never change their meaning. */
export interface QrCode {
  code: string;
  /** HTTP status. */
  status: number;
  meaning: string;
}

export const successCodes = {
  saved: { code: 'H001', status: 201, meaning: 'The QRs were saved' },
  uploadOpened: { code: 'H003', status: 200, meaning: 'The address for an upload was made' },
  edited: { code: 'H005', status: 200, meaning: 'The QRs were edited' },
  deleted: { code: 'H006', status: 200, meaning: 'The QRs were deleted' },
  paid: { code: 'H007', status: 200, meaning: 'The wallet paid' },
  refused: {
    code: 'H008',
    status: 200,
    meaning: 'The wallet refused to pay; status tells the state',
  },
  unanswered: { code: 'H009', status: 200, meaning: 'The wallet has not answered yet' },
} as const satisfies Record<string, QrCode>;

const error = <K extends RefusalKind>(code: string, kind: K, meaning: string) => ({
  code,
  kind,
  status: refusalStatuses[kind],
  meaning,
});

/** Errors that say more than their HTTP status. */
export const errorCodes = {
  countWrong: error('H101', 'invalid', 'total_count is missing or is not the number of items'),
  countOutOfRange: error('H102', 'invalid', 'There are no items, or more than the call takes'),
  itemsInvalid: error(
    'H103',
    'invalid',
    'Some items or fields are not valid; errors lists every fault',
  ),
  idTaken: error('H104', 'conflict', 'Ids are in use already; errors lists them'),
  batchRefused: error(
    'H105',
    'conflict',
    'Some QRs do not exist or may not be changed; errors lists them',
  ),
  notOffered: error('H106', 'invalid', 'This deployment takes no payments by QR'),
  qrPaid: error('H201', 'conflict', 'The QR is paid'),
  qrDeleted: error('H202', 'conflict', 'The QR is deleted'),
  qrExpired: error('H203', 'conflict', 'The QR expired'),
  qrRefunded: error('H204', 'conflict', 'The QR was refunded'),
  paymentOpen: error('H205', 'conflict', 'A payment of the QR is being processed'),
  nothingToPay: error('H206', 'conflict', 'The static QR has no live transaction'),
  amountMissing: error('H207', 'invalid', 'An open-amount QR is paid with first_total'),
  amountFixed: error('H208', 'invalid', 'first_total is not what is asked for'),
  uploadUrlInvalid: error('H301', 'forbidden', 'The upload address was not made here'),
  uploadUrlExpired: error('H302', 'forbidden', 'The upload address expired'),
  uploadUrlUsed: error('H303', 'conflict', 'The upload address was used'),
  compressed: error('H304', 'unsupported_type', 'The body is compressed'),
  payloadInvalid: error('H311', 'invalid', 'data is not the text of a QR, or its CRC is wrong'),
  payloadForeign: error('H312', 'not_found', 'data is not a static QR of this account'),
  payloadDynamic: error('H313', 'conflict', 'data is a dynamic QR: it takes no transactions'),
  payloadOpenAmount: error('H314', 'conflict', 'data is an open-amount QR: the payer chooses'),
  resolveTokenMissing: error('H321', 'forbidden', 'Resolving needs an access_token'),
  resolveTokenWrong: error('H322', 'unauthorized', 'The access_token is not valid'),
  resolveDataMissing: error('H323', 'invalid', 'Resolving needs data, the text of a QR'),
  resolveDataInvalid: error('H324', 'unprocessable', 'data is not the text of a QR'),
} as const satisfies Record<string, QrCode & { kind: RefusalKind }>;

/** Errors without a code of their own: `H` and the HTTP status. */
const generalMeanings: Record<number, string> = {
  400: 'The body or a parameter cannot be read',
  401: 'The API key is missing or not valid',
  403: 'The API key, or this environment, does not allow the call',
  404: 'There is no such QR, batch or page',
  409: 'The state does not allow the call',
  413: 'The body is too large',
  415: 'The body is not JSON in UTF-8',
  422: 'The Idempotency-Key was used with another body',
  429: 'Too many calls or uploads: repeat after Retry-After seconds',
  500: 'Something went wrong on our side',
  503: 'The database is away; the message says whether it is safe to repeat',
};

export type QrErrorName = keyof typeof errorCodes;

export const generalCode = (status: number): string => `H${status}`;

/** Every code, for the documentation. */
export const allCodes: readonly QrCode[] = [
  ...Object.values(successCodes),
  ...Object.values(errorCodes),
  ...Object.entries(generalMeanings).map(([status, meaning]) => ({
    code: generalCode(Number(status)),
    status: Number(status),
    meaning,
  })),
];
