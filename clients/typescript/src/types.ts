// Written by `npm run docs` from the OpenAPI document. Do not edit.

export interface QrError {
  /** What to branch on: see the table of codes */
  code: string;
  /** A sentence: what was wrong and what is allowed */
  message: string;
  /** Everything that is wrong with the fields of a form or the items of a batch; of any other error its sentence */
  errors: ({
    /** Place of the item in data, from 0 */
    index?: number | undefined;
    /** Id of the item, if it could be read */
    id?: string | undefined;
    /** The member that is wrong */
    field?: string | undefined;
    /** The fault, and what is allowed */
    message: string;
    /** Of the fault, where it has one */
    error_code?: string | undefined;
  } | string)[];
  /** Finer than code, for programs: docs/reference/errors.md */
  error_code: string;
}

export interface ApiErrorField {
  /** The faults of the field, one sentence each */
  errors?: (string)[] | undefined;
  /** Stable, for programs: the codes of `errors`, such as field.required */
  codes?: (string)[] | undefined;
  /** Members of the field, or items of a list by their place */
  children?: { [name: string]: ApiErrorField } | undefined;
}

export interface ApiError {
  /** The HTTP status */
  code: number;
  /** A sentence: what was wrong and what is allowed */
  message: string;
  /** Its sentences, those of fields with their path */
  errors: (string)[];
  /** Stable, for programs: one meaning and one status; invalid_fields where fields have codes of their own. docs/reference/errors.md lists them; more may be added */
  error_code: string;
  /** For invalid fields: every field of the form; a valid one is an empty object */
  children?: { [name: string]: ApiErrorField } | undefined;
}

export interface CreatePaymentRequestBody {
  /** The payment request */
  payment_request: {
    /** Concept, as the payer reads it */
    description: string;
    /** A day of the calendar, dd-mm-yyyy */
    first_due_date: string;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    first_total: number | string;
    /** Name of the payer */
    payer_name: string;
    /** Your own reference */
    external_reference?: string | undefined;
    /** A day of the calendar, dd-mm-yyyy */
    second_due_date?: string | undefined;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    second_total?: number | string | undefined;
    /** E-mail address of the payer */
    payer_email?: string | undefined;
    /** The address the payer goes to after a successful payment */
    back_url_success?: string | undefined;
    /** The address the payer goes to after a payment that is still pending */
    back_url_pending?: string | undefined;
    /** The address the payer goes to after a rejected payment */
    back_url_rejected?: string | undefined;
    /** Channels that may not pay */
    excluded_channels?: ("credit_card" | "debit_card" | "banelco_pmc" | "link_pagos" | "DEBIN" | "wire_transfer" | "non_banking" | "qr" | "credit_card_agro")[] | undefined;
    /** Codes of card brands that may not pay */
    excluded_card_brands?: (string | number)[] | undefined;
    /** Numbers of installments that may not be chosen */
    excluded_installments?: (number)[] | undefined;
    /** Any JSON object; it comes back as it was sent */
    metadata?: { [name: string]: unknown } | undefined;
    /** Lines of detail */
    items?: ({
      /** How many */
      quantity?: number | undefined;
      /** Concept, as the payer reads it */
      description: string;
      /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
      amount: number | string;
    })[] | undefined;
  };
}

export interface PaymentRequestItem {
  /** How many */
  quantity?: number | undefined;
  /** Concept, as the payer reads it */
  description: string;
  /** Pesos, at most 2 decimals */
  amount: number | string;
}

export interface CreatedPaymentRequest {
  /** Id by which later calls name it */
  id: number;
  /** Kind */
  type: "payment_request";
  /** State; docs/reference/states.md draws how they follow each other */
  state: "pending" | "paid" | "expired" | "reverted" | "refunded";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** Name of the payer */
  payer_name: string;
  /** E-mail address of the payer */
  payer_email?: string | undefined;
  /** Concept, as the payer reads it */
  description: string;
  /** ISO 8601 with the Argentine offset */
  first_due_date: string;
  /** Pesos, at most 2 decimals */
  first_total: number;
  /** ISO 8601 with the Argentine offset */
  second_due_date?: string | undefined;
  /** Pesos, at most 2 decimals */
  second_total?: number | undefined;
  /** Digits of the barcode for cash networks */
  barcode: string;
  /** Page on which the payer pays */
  checkout_url: string;
  /** Picture of the barcode, as SVG; .png too */
  barcode_url: string;
  /** The coupon, as PDF */
  pdf_url: string;
  /** The address the payer goes to after a successful payment */
  back_url_success?: string | undefined;
  /** The address the payer goes to after a payment that is still pending */
  back_url_pending?: string | undefined;
  /** The address the payer goes to after a rejected payment */
  back_url_rejected?: string | undefined;
  /** Channels that may not pay */
  excluded_channels?: (string)[] | undefined;
  /** Numbers of installments that may not be chosen */
  excluded_installments?: (number)[] | undefined;
  /** Codes of card brands that may not pay */
  excluded_card_brands?: (string | number)[] | undefined;
  /** Any JSON object; it comes back as it was sent */
  metadata?: { [name: string]: unknown } | undefined;
  /** Lines of detail */
  items?: (PaymentRequestItem)[] | undefined;
}

export interface RequestResult {
  /** Id by which later calls name it */
  id: number;
  /** `collected_`, `rejected_`, `chargeback_` or `refund_`, the type of the request, `_result`: `collected_payment_request_result` */
  type: string;
  /** Channel of the payment */
  channel: string;
  /** The payment that a chargeback or refund takes back */
  reversed_result_id?: number | undefined;
  /** ISO 8601 with the Argentine offset */
  paid_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  rejected_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  reverted_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** ISO 8601 with the Argentine offset */
  available_at?: string | undefined;
  /** True once the money can be paid out */
  is_available?: boolean | undefined;
  /** Pesos, at most 2 decimals */
  amount: number;
  /** Pesos, at most 2 decimals */
  net_fee?: number | undefined;
  /** Pesos, at most 2 decimals */
  fee_iva?: number | undefined;
  /** Pesos, at most 2 decimals */
  gross_fee?: number | undefined;
  /** Pesos, at most 2 decimals */
  net_amount?: number | undefined;
  /** Details of a card payment */
  payment_metadata?: {
    /** Name of who paid */
    holder_name?: string | undefined;
    /** E-mail address of who paid */
    holder_email?: string | undefined;
    /** Code of the card issuer */
    authorization_code?: string | undefined;
    /** Brand of the card */
    card_brand?: string | undefined;
    /** Last four digits of the card */
    card_last_four_digits?: string | undefined;
    /** Pesos, at most 2 decimals */
    amount?: number | undefined;
    /** Number of installments that the payer chose */
    installments?: number | undefined;
    /** Pesos, at most 2 decimals */
    installment_amount?: number | undefined;
    /** The acquirer's id of the charge */
    reference?: string | undefined;
    /** Number of its ticket */
    ticket?: string | undefined;
    /** Ties sale, settlement and chargeback together */
    tid?: string | undefined;
    /** The result of 3-D Secure */
    three_ds?: {
      /** The outcome of 3-D Secure */
      result: "authenticated" | "attempted" | "not_enrolled" | "failed" | "unavailable";
      /** The party that bears the loss of a fraud */
      liability: "issuer" | "merchant";
      /** Of 3-D Secure */
      version?: string | undefined;
    } | undefined;
    /** The network's id of it, which later debits of the card name */
    network_transaction_id?: string | undefined;
  } | undefined;
  /** Why it is in this state */
  state_comment?: string | undefined;
}

export interface Retention {
  /** Tax regime of the retention */
  regime: string;
  /** Province or nation that withholds */
  jurisdiction: string;
  /** Pesos, at most 2 decimals */
  base: number;
  /** Percent */
  rate: number;
  /** Pesos, at most 2 decimals */
  amount: number;
  /** Number of the certificate of the retention */
  certificate: string;
}

export interface PaymentRequest {
  /** Id by which later calls name it */
  id: number;
  /** Kind */
  type: "payment_request";
  /** State; docs/reference/states.md draws how they follow each other */
  state: "pending" | "paid" | "expired" | "reverted" | "refunded";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** Name of the payer */
  payer_name: string;
  /** E-mail address of the payer */
  payer_email?: string | undefined;
  /** Concept, as the payer reads it */
  description: string;
  /** ISO 8601 with the Argentine offset */
  first_due_date: string;
  /** Pesos, at most 2 decimals */
  first_total: number;
  /** ISO 8601 with the Argentine offset */
  second_due_date?: string | undefined;
  /** Pesos, at most 2 decimals */
  second_total?: number | undefined;
  /** Digits of the barcode for cash networks */
  barcode: string;
  /** Page on which the payer pays */
  checkout_url: string;
  /** Picture of the barcode, as SVG; .png too */
  barcode_url: string;
  /** The coupon, as PDF */
  pdf_url: string;
  /** The address the payer goes to after a successful payment */
  back_url_success?: string | undefined;
  /** The address the payer goes to after a payment that is still pending */
  back_url_pending?: string | undefined;
  /** The address the payer goes to after a rejected payment */
  back_url_rejected?: string | undefined;
  /** Channels that may not pay */
  excluded_channels?: (string)[] | undefined;
  /** Numbers of installments that may not be chosen */
  excluded_installments?: (number)[] | undefined;
  /** Codes of card brands that may not pay */
  excluded_card_brands?: (string | number)[] | undefined;
  /** Any JSON object; it comes back as it was sent */
  metadata?: { [name: string]: unknown } | undefined;
  /** Lines of detail */
  items?: (PaymentRequestItem)[] | undefined;
  /** ISO 8601 with the Argentine offset */
  paid_at?: string | undefined;
  /** The last payment that was not taken back whole */
  request_result_id?: number | undefined;
  /** Each payment, rejection, refund and chargeback, the oldest first */
  request_result: (RequestResult)[];
  /** Older rejections that are not shown: `request_result` has the last 50 */
  rejected_results_left_out?: number | undefined;
  /** The payer; empty texts where the channel does not say */
  holder_data?: {
    /** Name of who paid */
    holder_name: string;
    /** E-mail address of who paid */
    holder_email: string;
  } | undefined;
  /** Taxes withheld from the payments */
  retentions?: (Retention)[] | undefined;
}

export interface PaymentRequestList {
  /** The page; absent when `after` was sent */
  current_page?: number | undefined;
  /** Most items of a page */
  items_per_page: number;
  /** How many there are; absent where no index counts them in time */
  total_count?: number | undefined;
  /** The items */
  data: (PaymentRequest)[];
}

export interface CreateAdhesionBody {
  /** The CBU adhesion */
  adhesion: {
    /** The person who signs the mandate */
    adhesion_holder_name: string;
    /** Your own reference */
    external_reference?: string | undefined;
    /** The address that gets the link to sign */
    email: string;
    /** Concept, as the payer reads it */
    description: string;
    /** Concept on the bank statement */
    short_description: string;
    /** CBU: 22 digits, check digits verified */
    cbu_number: string;
    /** Holder of the bank account */
    cbu_holder_name: string;
    /** DNI, CUIT or CUIL */
    cbu_holder_id_number: number | string;
    /** Any JSON object; it comes back as it was sent */
    metadata?: { [name: string]: unknown } | undefined;
  };
}

export interface Adhesion {
  /** Id by which later calls name it */
  id: number;
  /** State; docs/reference/states.md draws how they follow each other */
  state: "pending_to_sign" | "signed" | "canceled";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The person who signs the mandate */
  adhesion_holder_name: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** The address that gets the link to sign */
  email: string;
  /** CBU of 22 digits */
  cbu_number: string;
  /** Holder of the bank account */
  cbu_holder_name: string;
  /** DNI, CUIT or CUIL of that holder */
  cbu_holder_id_number: number;
  /** Of the CBU; `Entidad 999` where the code is not known */
  bank: string;
  /** Concept on the bank statement */
  short_description: string;
  /** Concept, as the payer reads it */
  description: string;
  /** Any JSON object; it comes back as it was sent */
  metadata?: { [name: string]: unknown } | undefined;
  /** ISO 8601 with the Argentine offset */
  signed_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  canceled_at?: string | undefined;
  /** Why it is in this state */
  state_comment?: string | undefined;
}

export interface AdhesionList {
  /** The page; absent when `after` was sent */
  current_page?: number | undefined;
  /** Most items of a page */
  items_per_page: number;
  /** How many there are; absent where no index counts them in time */
  total_count?: number | undefined;
  /** The items */
  data: (Adhesion)[];
}

export interface PublicKey {
  /** How to encrypt a card number with the key */
  algorithm: "RSA-OAEP-256";
  /** SubjectPublicKeyInfo, PEM */
  public_key: string;
  /** From when on there is another one */
  renew_at: string;
  /** Until when numbers that are encrypted for this one are taken */
  expires_at: string;
}

export interface CreateCardAdhesionBody {
  /** The card adhesion */
  card_adhesion: {
    /** The person who signs the mandate */
    adhesion_holder_name: string;
    /** Your own reference */
    external_reference?: string | undefined;
    /** The address that gets the link to sign */
    email: string;
    /** Name on the card */
    card_holder_name: string;
    /** 12 to 19 digits, spaces and dashes ignored; or base64 of its RSA-OAEP-256 ciphertext for the key of GET /card-adhesion/public-key; left out, the holder is asked for the card when they sign, where a connector keeps cards on file */
    card_number?: string | undefined;
    /** Concept, as the payer reads it */
    description: string;
    /** Why the card is debited, for its issuer */
    debit_reason?: "recurring" | "instalments" | "unscheduled" | undefined;
    /** Any JSON object; it comes back as it was sent */
    metadata?: { [name: string]: unknown } | undefined;
  };
}

export interface CardAdhesion {
  /** Id by which later calls name it */
  id: number;
  /** State; docs/reference/states.md draws how they follow each other */
  state: "pending_to_sign" | "signed" | "canceled";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The person who signs the mandate */
  adhesion_holder_name: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** The address that gets the link to sign */
  email: string;
  /** Name on the card */
  card_holder_name: string;
  /** The brand; missing while its holder has not named the card */
  card?: string | undefined;
  /** Last four digits of the card */
  last_four_digits?: string | undefined;
  /** Of a card on file: the last month in which it is good, mm-yyyy */
  card_expires?: string | undefined;
  /** Of a card on file: why its issuer closed it. Debits on it are rejected. */
  card_closed?: string | undefined;
  /** Why the card is debited, for its issuer */
  debit_reason?: "recurring" | "instalments" | "unscheduled" | undefined;
  /** Concept, as the payer reads it */
  description: string;
  /** Any JSON object; it comes back as it was sent */
  metadata?: { [name: string]: unknown } | undefined;
  /** ISO 8601 with the Argentine offset */
  signed_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  canceled_at?: string | undefined;
  /** Why it is in this state */
  state_comment?: string | undefined;
}

export interface CardAdhesionList {
  /** The page; absent when `after` was sent */
  current_page?: number | undefined;
  /** Most items of a page */
  items_per_page: number;
  /** How many there are; absent where no index counts them in time */
  total_count?: number | undefined;
  /** The items */
  data: (CardAdhesion)[];
}

export interface CreateDebitRequestBody {
  /** The debit on a bank account */
  debit_request: {
    /** A signed CBU adhesion */
    adhesion_id: number;
    /** Concept, as the payer reads it */
    description?: string | undefined;
    /** A day of the calendar, dd-mm-yyyy */
    first_due_date: string;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    first_total: number | string;
    /** A day of the calendar, dd-mm-yyyy */
    second_due_date?: string | undefined;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    second_total?: number | string | undefined;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Any JSON object; it comes back as it was sent */
    metadata?: { [name: string]: unknown } | undefined;
  };
}

export interface CreatedDebitRequest {
  /** Id by which later calls name it */
  id: number;
  /** Kind */
  type: "debit_request";
  /** State; docs/reference/states.md draws how they follow each other */
  state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A signed CBU adhesion */
  adhesion_id: number;
  /** Concept, as the payer reads it */
  description: string;
  /** ISO 8601 with the Argentine offset */
  first_due_date: string;
  /** Pesos, at most 2 decimals */
  first_total: number;
  /** ISO 8601 with the Argentine offset */
  second_due_date?: string | undefined;
  /** Pesos, at most 2 decimals */
  second_total?: number | undefined;
  /** Any JSON object; it comes back as it was sent */
  metadata?: { [name: string]: unknown } | undefined;
  /** Why it is in this state */
  state_comment?: string | undefined;
  /** The CBU adhesion */
  adhesion: Adhesion;
}

export interface DebitRequest {
  /** Id by which later calls name it */
  id: number;
  /** Kind */
  type: "debit_request";
  /** State; docs/reference/states.md draws how they follow each other */
  state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A signed CBU adhesion */
  adhesion_id: number;
  /** Concept, as the payer reads it */
  description: string;
  /** ISO 8601 with the Argentine offset */
  first_due_date: string;
  /** Pesos, at most 2 decimals */
  first_total: number;
  /** ISO 8601 with the Argentine offset */
  second_due_date?: string | undefined;
  /** Pesos, at most 2 decimals */
  second_total?: number | undefined;
  /** Any JSON object; it comes back as it was sent */
  metadata?: { [name: string]: unknown } | undefined;
  /** Why it is in this state */
  state_comment?: string | undefined;
  /** The CBU adhesion */
  adhesion: Adhesion;
  /** Each payment, rejection, refund and chargeback, the oldest first */
  request_result: (RequestResult)[];
  /** Older rejections that are not shown: `request_result` has the last 50 */
  rejected_results_left_out?: number | undefined;
  /** Taxes withheld from the payments */
  retentions?: (Retention)[] | undefined;
}

export interface DebitRequestList {
  /** The page; absent when `after` was sent */
  current_page?: number | undefined;
  /** Most items of a page */
  items_per_page: number;
  /** How many there are; absent where no index counts them in time */
  total_count?: number | undefined;
  /** The items */
  data: (DebitRequest)[];
}

export interface CreateCardDebitRequestBody {
  /** The debit on a card */
  card_debit_request: {
    /** A signed card adhesion */
    card_adhesion_id: number;
    /** Month of the period, 1 to 12 */
    month: number;
    /** Year of the period, four digits */
    year: number;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    amount: number | string;
    /** Concept, as the payer reads it */
    description?: string | undefined;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Any JSON object; it comes back as it was sent */
    metadata?: { [name: string]: unknown } | undefined;
  };
}

export interface CreatedCardDebitRequest {
  /** Id by which later calls name it */
  id: number;
  /** Kind */
  type: "card_debit_request";
  /** State; docs/reference/states.md draws how they follow each other */
  state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A signed card adhesion */
  card_adhesion_id: number;
  /** Month of the period, 1 to 12 */
  month: number;
  /** Year of the period, four digits */
  year: number;
  /** Pesos, at most 2 decimals */
  amount: number;
  /** Concept, as the payer reads it */
  description: string;
  /** Any JSON object; it comes back as it was sent */
  metadata?: { [name: string]: unknown } | undefined;
  /** Why it is in this state */
  state_comment?: string | undefined;
  /** The card adhesion */
  card_adhesion: CardAdhesion;
}

export interface CardDebitRequest {
  /** Id by which later calls name it */
  id: number;
  /** Kind */
  type: "card_debit_request";
  /** State; docs/reference/states.md draws how they follow each other */
  state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A signed card adhesion */
  card_adhesion_id: number;
  /** Month of the period, 1 to 12 */
  month: number;
  /** Year of the period, four digits */
  year: number;
  /** Pesos, at most 2 decimals */
  amount: number;
  /** Concept, as the payer reads it */
  description: string;
  /** Any JSON object; it comes back as it was sent */
  metadata?: { [name: string]: unknown } | undefined;
  /** Why it is in this state */
  state_comment?: string | undefined;
  /** The card adhesion */
  card_adhesion: CardAdhesion;
  /** Each payment, rejection, refund and chargeback, the oldest first */
  request_result: (RequestResult)[];
  /** Older rejections that are not shown: `request_result` has the last 50 */
  rejected_results_left_out?: number | undefined;
  /** Taxes withheld from the payments */
  retentions?: (Retention)[] | undefined;
}

export interface CardDebitRequestList {
  /** The page; absent when `after` was sent */
  current_page?: number | undefined;
  /** Most items of a page */
  items_per_page: number;
  /** How many there are; absent where no index counts them in time */
  total_count?: number | undefined;
  /** The items */
  data: (CardDebitRequest)[];
}

export interface RefundPaymentRequestBody {
  /** The refund; an empty object refunds all that is left */
  refund: {
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    amount?: number | string | undefined;
    /** The payment, by its id in `request_result`; needed if there are several */
    result_id?: number | undefined;
    /** Account that takes the refund where the channel cannot give money back */
    cbu?: string | undefined;
  };
}

export interface Refund {
  /** Id by which later calls name it */
  id: number;
  /** requested: whoever gives the money back has not said yet that it is there */
  state: "requested" | "done" | "failed";
  /** Pesos, at most 2 decimals */
  amount: number;
  /** The payment, as `request_result` names it */
  result_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** ISO 8601 with the Argentine offset */
  ended_at?: string | undefined;
  /** The account that the operator transfers it to */
  cbu?: string | undefined;
  /** Why it failed, or the reference */
  state_comment?: string | undefined;
}

export interface RefundList {
  /** The items */
  data: (Refund)[];
}

export interface RefundDebitRequestBody {
  /** The refund; an empty object refunds all that is left */
  refund: {
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    amount?: number | string | undefined;
    /** The payment, by its id in `request_result`; needed if there are several */
    result_id?: number | undefined;
    /** Account that takes the refund where the channel cannot give money back */
    cbu?: string | undefined;
  };
}

export interface RefundCardDebitRequestBody {
  /** The refund; an empty object refunds all that is left */
  refund: {
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    amount?: number | string | undefined;
    /** The payment, by its id in `request_result`; needed if there are several */
    result_id?: number | undefined;
    /** Account that takes the refund where the channel cannot give money back */
    cbu?: string | undefined;
  };
}

export type GetChannelInstallmentsAnswer = ({
  /** Card brand */
  name: string;
  /** Usable in excluded_card_brands */
  code: string;
  /** Its plans */
  installments: ({
    /** Its plans */
    installments: number;
    /** Concept, as the payer reads it */
    description: string;
    /** Pesos of all installments together */
    total_amount: number;
  })[];
})[];

export interface GetNextBusinessDayBody {
  /** The computation */
  next_business_day: {
    /** A day of the calendar, dd-mm-yyyy or yyyy-mm-dd */
    date: string;
    /** Business days to count after the date */
    days: number;
  };
}

export type GetNextBusinessDayAnswer = string;

export interface AccountBalances {
  /** The account: 8 upper-case hexadecimal characters */
  user_account_id: string;
  /** Pesos that can be paid out */
  available_balance: number;
  /** Pesos collected but not yet available */
  unavailable_balance: number;
}

export interface Account {
  /** Id by which later calls name it */
  id: string;
  /** Name of the account */
  name: string;
  /** CUIT of the account holder */
  cuit: string;
  /** The account: 8 upper-case hexadecimal characters */
  user_account_id: string;
  /** Pesos that can be paid out */
  available_balance: number;
  /** Pesos collected but not yet available */
  unavailable_balance: number;
}

export interface CollectionReport {
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** ISO 8601 with the Argentine offset */
  report_date: string;
  /** Pesos, at most two decimals */
  total_collected: number;
  /** Pesos, at most two decimals */
  total_gross_fee: number;
  /** Pesos, at most two decimals */
  total_net_amount: number;
  /** The items */
  data: ({
    /** ISO 8601 with the Argentine offset */
    informed_date: string;
    /** Id of the request: payment request, debit or paid QR */
    request_id: number;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Name of the payer */
    payer_name: string;
    /** Concept, as the payer reads it */
    description: string;
    /** ISO 8601 with the Argentine offset */
    payment_date: string;
    /** Channel of the payment */
    channel: string;
    /** Pesos, at most two decimals */
    amount_paid: number;
    /** Pesos, at most two decimals */
    net_fee: number;
    /** Pesos, at most two decimals */
    iva_fee: number;
    /** Pesos, at most two decimals */
    net_amount: number;
    /** ISO 8601 with the Argentine offset */
    available_at: string;
  })[];
}

export interface ChargebackReport {
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** ISO 8601 with the Argentine offset */
  report_date: string;
  /** Pesos, at most two decimals */
  total_chargeback: number;
  /** The items */
  data: ({
    /** ISO 8601 with the Argentine offset */
    informed_date: string;
    /** Id of the request: payment request, debit or paid QR */
    request_id: number;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Name of the payer */
    payer_name: string;
    /** Concept, as the payer reads it */
    description: string;
    /** Channel of the payment */
    channel: string;
    /** Pesos, at most two decimals */
    reverted_amount: number;
    /** The payment of `request_result` taken back */
    reversed_result_id: number;
  })[];
}

export interface RefundReport {
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** ISO 8601 with the Argentine offset */
  report_date: string;
  /** Pesos, at most two decimals */
  total_refunded: number;
  /** The items */
  data: ({
    /** ISO 8601 with the Argentine offset */
    informed_date: string;
    /** Id of the request: payment request, debit or paid QR */
    request_id: number;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Name of the payer */
    payer_name: string;
    /** Concept, as the payer reads it */
    description: string;
    /** Channel of the payment */
    channel: string;
    /** Pesos, at most two decimals */
    refunded_amount: number;
    /** The payment of `request_result` taken back */
    reversed_result_id: number;
  })[];
}

export interface SettlementReport {
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** ISO 8601 with the Argentine offset */
  report_date: string;
  /** How many credits there are */
  total_credits: number;
  /** Pesos, at most two decimals */
  credit_amount: number;
  /** How many debits there are */
  total_debits: number;
  /** Pesos, at most two decimals */
  debit_amount: number;
  /** Pesos, at most two decimals */
  settlement_amount: number;
  /** The items */
  data: ({
    /** Id of the request: payment request, debit or paid QR */
    request_id?: number | undefined;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Pesos, at most two decimals */
    credit: number;
    /** Pesos, at most two decimals */
    debit: number;
  })[];
}

export interface RetentionsReport {
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** ISO 8601 with the Argentine offset */
  report_date: string;
  /** Pesos, at most two decimals */
  total_amount: number;
  /** The items */
  data: ({
    /** ISO 8601 with the Argentine offset */
    created_at: string;
    /** Id of the request: payment request, debit or paid QR */
    request_id: number;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Tax regime of the retention */
    regime: string;
    /** Province or nation that withholds */
    jurisdiction: string;
    /** Pesos, at most two decimals */
    base: number;
    /** Percent */
    rate: number;
    /** Pesos, at most two decimals */
    amount: number;
  })[];
}

export interface EventType {
  /** Id by which later calls name it */
  id: number;
  /** Whole name, such as payment_request.paid */
  name: string;
}

export interface EventTypeList {
  /** The items */
  data: (EventType)[];
}

export interface CreateWebhookBody {
  /** The webhook */
  webhook: {
    /** Address that receives the events */
    url: string;
    /** Names or ids of event types */
    event_types: ("payment_request.paid" | "payment_request.rejected" | "payment_request.expired" | "payment_request.reverted" | "payment_request.refunded" | "payment_request.refund_requested" | "payment_request.refund_failed" | "payment_request.disputed" | "qr.paid" | "qr.refunded" | "qr.deleted" | "qr.expired" | "qr.refund_requested" | "qr.refund_failed" | "qr.disputed" | "qr_batch.completed" | "qr_batch.failed" | "adhesion.signed" | "adhesion.canceled" | "card_adhesion.signed" | "card_adhesion.canceled" | "card_adhesion.card_updated" | "card_adhesion.card_closed" | "card_adhesion.card_expiring" | "debit_request.paid" | "debit_request.rejected" | "debit_request.canceled" | "debit_request.reverted" | "debit_request.refunded" | "debit_request.refund_requested" | "debit_request.refund_failed" | "card_debit_request.paid" | "card_debit_request.rejected" | "card_debit_request.canceled" | "card_debit_request.reverted" | "card_debit_request.refunded" | "card_debit_request.refund_requested" | "card_debit_request.refund_failed" | "card_debit_request.disputed" | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 21 | 22 | 31 | 32 | 33 | 34 | 35 | 36 | 37 | 41 | 42 | 43 | 44 | 45 | 46 | 47 | 51 | 52 | 53 | 54 | 55 | 56 | 57 | 58)[];
  };
}

export interface CreatedWebhook {
  /** Id by which later calls name it */
  id: number;
  /** Address that receives the events */
  url: string;
  /** The event types that it gets */
  events: (EventType)[];
  /** Signs the deliveries (Standard Webhooks) */
  secret: string;
}

export interface Webhook {
  /** Id by which later calls name it */
  id: number;
  /** Address that receives the events */
  url: string;
  /** The event types that it gets */
  events: (EventType)[];
}

export interface WebhookList {
  /** The items */
  data: (Webhook)[];
}

export interface RotateWebhookSecretBody {
  /** True ends the old secret at once; otherwise both sign for a day */
  revoke_now?: boolean | undefined;
}

export interface RotatedWebhook {
  /** Id by which later calls name it */
  id: number;
  /** Address that receives the events */
  url: string;
  /** The event types that it gets */
  events: (EventType)[];
  /** Signs the deliveries (Standard Webhooks) */
  secret: string;
  /** ISO 8601 with the Argentine offset */
  previous_secret_expires_at?: string | undefined;
}

export interface Event {
  /** Id by which later calls name it */
  id: number;
  /** Place in the feed; increases */
  position: number;
  /** Kind of entity */
  entity_name: string;
  /** The whole name, as in `event_type` */
  type: string;
  /** Whole name of the event type */
  event_type: string;
  /** Id of the entity, as its GET takes it */
  entity_id: number | string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** By event type: the `webhooks` section of the OpenAPI document */
  payload: { [name: string]: unknown };
}

export interface EventList {
  /** The items */
  data: (Event)[];
  /** What to send as `after` to go on */
  next: number;
}

export interface DeliveryAttempt {
  /** Number of the attempt, from 1 */
  no: number;
  /** ISO 8601 with the Argentine offset */
  at: string;
  /** HTTP status of the answer, if one came */
  status?: number | undefined;
  /** The fault */
  error?: string | undefined;
  /** How long the attempt took */
  ms: number;
}

export interface Delivery {
  /** The webhook that receives it */
  webhook_id: number;
  /** Address that receives the events */
  url: string;
  /** How far the delivery has come */
  state: "pending" | "delivered" | "failed";
  /** Each attempt, the first one first */
  attempts: (DeliveryAttempt)[];
  /** ISO 8601 with the Argentine offset */
  next_at?: string | undefined;
}

export interface DeliveryList {
  /** The items */
  data: (Delivery)[];
}

export interface ResendEventBody {
  /** The webhook that receives it */
  webhook_id?: number | undefined;
}

export interface PayInSandboxBody {
  /** Channel of the payment */
  channel?: "credit_card" | "debit_card" | "banelco_pmc" | "link_pagos" | "DEBIN" | "wire_transfer" | "non_banking" | "qr" | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  amount?: number | string | undefined;
  /** Number of installments */
  installments?: number | undefined;
  /** The card that pays; one of the test cards decides the outcome */
  card_number?: string | undefined;
  /** CBU of 22 digits */
  cbu_number?: string | undefined;
}

export interface Qr {
  /** Id by which later calls name it */
  id: string;
  /** Once paid: the reports' key */
  request_id?: number | undefined;
  /** CUIT of the account holder */
  cuit: string;
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** Concept, as the payer reads it */
  description: string;
  /** dd-mm-yyyy */
  first_due_date: string;
  /** Pesos, at most 2 decimals */
  first_total: number;
  /** dd-mm-yyyy */
  second_due_date?: string | undefined;
  /** Pesos, at most 2 decimals */
  second_total?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** Name of the payer */
  payer_name: string;
  /** City that the QR shows */
  city: string;
  /** Kind of QR */
  qr_type?: string | undefined;
  /** Name that wallets show */
  qr_name?: string | undefined;
  /** Postal code */
  postal_code?: string | undefined;
  /** E-mail address of the payer */
  payer_email?: string | undefined;
  /** True if it can be paid more than once */
  multiple_payment: boolean;
  /** With multiple_payment: how many so far */
  payments?: number | undefined;
  /** State of the QR */
  status: "Pending" | "Paid" | "Expired" | "Deleted" | "Refunded";
  /** dd-mm-yyyy */
  created_at: string;
  /** ISO 8601 with the Argentine offset */
  created_at_time: string;
  /** dd-mm-yyyy */
  updated_at: string;
  /** ISO 8601 with the Argentine offset */
  updated_at_time: string;
  /** dd-mm-yyyy */
  paid_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  paid_at_time?: string | undefined;
  /** dd-mm-yyyy */
  refunded_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  refunded_at_time?: string | undefined;
  /** dd-mm-yyyy */
  deleted_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  deleted_at_time?: string | undefined;
  /** What the code says (EMV QRCPS, merchant-presented) */
  qr_string?: string | undefined;
  /** PNG */
  image_url?: string | undefined;
  /** Picture of the QR, as SVG */
  image_svg_url?: string | undefined;
}

export interface StaticQrTransaction {
  /** Id by which later calls name it */
  id: string;
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** CUIT of the account holder */
  cuit: string;
  /** Concept, as the payer reads it */
  description: string;
  /** Name of the payer */
  payer_name: string;
  /** The text in the image */
  qr_string: string;
  /** PNG */
  image_url: string;
  /** Picture of the QR, as SVG */
  image_svg_url: string;
  /** The static QR of the transaction */
  static_id: string;
  /** What reports call it by */
  request_id: number;
  /** Pesos, at most 2 decimals */
  first_total: number;
  /** Your own reference */
  external_reference?: string | undefined;
  /** State of the QR */
  status: "Pending" | "Paid" | "Expired" | "Refunded";
  /** dd-mm-yyyy */
  created_at: string;
  /** ISO 8601 with the Argentine offset */
  created_at_time: string;
  /** ISO 8601 with the Argentine offset */
  expires_at: string;
  /** dd-mm-yyyy */
  paid_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  paid_at_time?: string | undefined;
  /** dd-mm-yyyy */
  refunded_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  refunded_at_time?: string | undefined;
}

/** The request, as its GET answers; {id, state} to a key without `read` */
export type SandboxRequest = PaymentRequest | DebitRequest | CardDebitRequest | Qr | StaticQrTransaction | {
  /** Id by which later calls name it */
  id: number;
  /** State; docs/reference/states.md draws how they follow each other */
  state: string;
};

export interface ChargeBackInSandboxBody {
  /** The payment, by its id in `request_result`; needed if there are several */
  result_id?: number | undefined;
}

export interface RefundInSandboxBody {
  /** The payment, by its id in `request_result`; needed if there are several */
  result_id?: number | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  amount?: number | string | undefined;
}

export interface MoveSandboxClockBody {
  /** The moment to move to; never back */
  advance_to?: string | undefined;
  /** Days to move by */
  days?: number | undefined;
  /** Hours to move by */
  hours?: number | undefined;
  /** Minutes to move by */
  minutes?: number | undefined;
}

export interface SandboxClock {
  /** ISO 8601 with the Argentine offset */
  now: string;
  /** Everything that fell due on the way */
  happened?: ({
    /** Kind of work that fell due */
    what: string;
    /** How many */
    count: number;
  })[] | undefined;
}

export interface SaveQrsBody {
  /** Number of items in `data` */
  total_count: number;
  /** The items */
  data: ({
    /** Unique in the account for ever; without the prefix it is put in front */
    id: string;
    /** City that the QR shows */
    city: string;
    /** True if it can be paid more than once */
    multiple_payment: boolean | "true" | "false";
    /** Your own reference */
    external_reference?: string | undefined;
    /** Concept, as the payer reads it */
    description: string;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    first_total: number | string;
    /** A day of the calendar, dd-mm-yyyy */
    first_due_date: string;
    /** Name of the payer */
    payer_name: string;
    /** Kind of QR */
    qr_type?: string | undefined;
    /** Name that wallets show */
    qr_name?: string | undefined;
    /** Postal code */
    postal_code?: string | undefined;
    /** E-mail address of the payer */
    payer_email?: string | undefined;
    /** A day of the calendar, dd-mm-yyyy */
    second_due_date?: string | undefined;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    second_total?: number | string | undefined;
  })[];
}

export interface QrBatch {
  /** `H001`, or another code of the table in docs/how-to/qr.md */
  code: string;
  /** A sentence for people */
  message: string;
  /** Number of items in `data` */
  total_count: number;
  /** The items */
  data: ({
    /** Id by which later calls name it */
    id: string;
  })[];
}

export type EditQrBody = {
  /** Number of items in `data` */
  total_count: number;
  /** The items */
  data: ({
    /** Unique in the account for ever; without the prefix it is put in front */
    id: string;
    /** City that the QR shows */
    city?: string | undefined;
    /** True if it can be paid more than once */
    multiple_payment?: boolean | "true" | "false" | undefined;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Concept, as the payer reads it */
    description?: string | undefined;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    first_total?: number | string | undefined;
    /** A day of the calendar, dd-mm-yyyy */
    first_due_date?: string | undefined;
    /** Name of the payer */
    payer_name?: string | undefined;
    /** Kind of QR */
    qr_type?: string | undefined;
    /** Name that wallets show */
    qr_name?: string | undefined;
    /** Postal code */
    postal_code?: string | undefined;
    /** E-mail address of the payer */
    payer_email?: string | undefined;
    /** A day of the calendar, dd-mm-yyyy */
    second_due_date?: string | undefined;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    second_total?: number | string | undefined;
  })[];
} | {
  /** Unique in the account for ever; without the prefix it is put in front */
  id?: string | undefined;
  /** City that the QR shows */
  city?: string | undefined;
  /** True if it can be paid more than once */
  multiple_payment?: boolean | "true" | "false" | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** Concept, as the payer reads it */
  description?: string | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  first_total?: number | string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  first_due_date?: string | undefined;
  /** Name of the payer */
  payer_name?: string | undefined;
  /** Kind of QR */
  qr_type?: string | undefined;
  /** Name that wallets show */
  qr_name?: string | undefined;
  /** Postal code */
  postal_code?: string | undefined;
  /** E-mail address of the payer */
  payer_email?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  second_due_date?: string | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  second_total?: number | string | undefined;
};

export interface EditQrsBody {
  /** Number of items in `data` */
  total_count: number;
  /** The items */
  data: ({
    /** Unique in the account for ever; without the prefix it is put in front */
    id: string;
    /** City that the QR shows */
    city?: string | undefined;
    /** True if it can be paid more than once */
    multiple_payment?: boolean | "true" | "false" | undefined;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Concept, as the payer reads it */
    description?: string | undefined;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    first_total?: number | string | undefined;
    /** A day of the calendar, dd-mm-yyyy */
    first_due_date?: string | undefined;
    /** Name of the payer */
    payer_name?: string | undefined;
    /** Kind of QR */
    qr_type?: string | undefined;
    /** Name that wallets show */
    qr_name?: string | undefined;
    /** Postal code */
    postal_code?: string | undefined;
    /** E-mail address of the payer */
    payer_email?: string | undefined;
    /** A day of the calendar, dd-mm-yyyy */
    second_due_date?: string | undefined;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    second_total?: number | string | undefined;
  })[];
}

export interface DeleteQrBody {
  /** Number of ids in `data` */
  total_count: number;
  /** Ids of QRs */
  data: (string)[];
}

export interface DeleteQrsBody {
  /** Number of ids in `data` */
  total_count: number;
  /** Ids of QRs */
  data: (string)[];
}

export interface QrPayment {
  /** A code of the table in docs/how-to/qr.md */
  code: string;
  /** A sentence for people */
  message: string;
  /** Id of the QR, with or without the prefix of the account */
  qr_id: string;
  /** State of the QR */
  status: "Pending" | "Paid" | "Expired" | "Deleted" | "Refunded";
}

export interface CreateStaticQrBody {
  /** Unique in the account for ever; without the prefix it is put in front */
  id: string;
  /** Kind of QR */
  qr_type: "static_open_amount" | "static_closed_amount";
  /** Name that wallets show */
  qr_name: string;
  /** City that the QR shows */
  city: string;
  /** Postal code */
  postal_code?: string | undefined;
  /** True if it can be paid more than once */
  multiple_payment: boolean | "true" | "false";
  /** Concept, as the payer reads it */
  description: string;
  /** Name of the payer */
  payer_name: string;
}

export interface StaticQr {
  /** Id by which later calls name it */
  id: string;
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** CUIT of the account holder */
  cuit: string;
  /** Concept, as the payer reads it */
  description: string;
  /** Name of the payer */
  payer_name: string;
  /** The text in the image */
  qr_string: string;
  /** PNG */
  image_url: string;
  /** Picture of the QR, as SVG */
  image_svg_url: string;
  /** Kind of QR */
  qr_type: "static_open_amount" | "static_closed_amount";
  /** Name that wallets show */
  qr_name: string;
  /** City that the QR shows */
  city: string;
  /** Postal code */
  postal_code?: string | undefined;
  /** True if it can be paid more than once */
  multiple_payment: boolean;
  /** State of the QR */
  status: "Pending" | "Paid" | "Expired" | "Refunded";
  /** dd-mm-yyyy */
  created_at: string;
  /** ISO 8601 with the Argentine offset */
  created_at_time: string;
  /** dd-mm-yyyy */
  paid_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  paid_at_time?: string | undefined;
  /** dd-mm-yyyy */
  refunded_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  refunded_at_time?: string | undefined;
  /** What a payer pays now (closed amount) */
  transaction?: {
    /** Id of the QR, with or without the prefix of the account */
    qr_id: string;
    /** What reports call it by */
    request_id: number;
    /** Pesos, at most 2 decimals */
    first_total: number;
    /** Your own reference */
    external_reference?: string | undefined;
    /** State of the QR */
    status: "Pending" | "Paid" | "Expired" | "Refunded";
    /** dd-mm-yyyy */
    created_at: string;
    /** ISO 8601 with the Argentine offset */
    created_at_time: string;
    /** ISO 8601 with the Argentine offset */
    expires_at: string;
    /** dd-mm-yyyy */
    paid_at?: string | undefined;
    /** ISO 8601 with the Argentine offset */
    paid_at_time?: string | undefined;
    /** dd-mm-yyyy */
    refunded_at?: string | undefined;
    /** ISO 8601 with the Argentine offset */
    refunded_at_time?: string | undefined;
  } | undefined;
}

export interface CreateStaticQrTransactionBody {
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  first_total: number | string;
  /** Minutes for which it can be paid; 2 if absent */
  active_period?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
}

export interface CreateStaticQrTransactionAnswer {
  /** Always 200 */
  code: 200;
  /** A sentence for people */
  message: "Ok";
  /** Id of the transaction: its status and payments */
  qr_id: string;
}

export type GetStaticQrStatusAnswer = StaticQr | StaticQrTransaction;

export interface PayStaticQrBody {
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  first_total?: number | string | undefined;
}

export interface RefundQrBody {
  /** The refund; an empty object refunds all that is left */
  refund: {
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    amount?: number | string | undefined;
    /** The payment, by its id in `request_result`; needed if there are several */
    result_id?: number | undefined;
    /** Account that takes the refund where the channel cannot give money back */
    cbu?: string | undefined;
  };
}

export interface QrUpload {
  /** A code of the table in docs/how-to/qr.md */
  code: string;
  /** A sentence for people */
  message: string;
  /** Of the batch, for GET /batch-result/{id}/{page} */
  id: string;
  /** Takes one PUT of the JSON document, without an API key */
  url: string;
  /** ISO 8601: until when the upload may begin */
  expires_at: string;
  /** Signs what is sent to the document's webhook_url */
  webhook_secret: string;
}

export interface QrBatchItem {
  /** Place in data, from 0 */
  index: number;
  /** The QR's id; absent if it is not valid */
  id?: string | undefined;
  /** `created`, or `rejected` with its errors */
  status: "created" | "rejected";
  /** The faults, one sentence each */
  errors: ({
    /** The member that is wrong, with dots between levels */
    field?: string | undefined;
    /** A sentence for people */
    message: string;
    /** Of the fault: docs/reference/errors.md */
    error_code?: string | undefined;
  })[];
}

export interface QrBatchResult {
  /** Id by which later calls name it */
  id: string;
  /** How far the import has come */
  state: "waiting_upload" | "processing" | "completed" | "failed";
  /** Why the import failed as a whole */
  error?: string | undefined;
  /** Known once the document was read */
  total_count?: number | undefined;
  /** How many were read */
  processed: number;
  /** How many were created */
  created: number;
  /** How many were rejected */
  rejected: number;
  /** Number of the page, from 1 */
  page: number;
  /** How many pages there are */
  pages: number;
  /** The items */
  data: (QrBatchItem)[];
}

export interface PaymentRequestPaidEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "paid";
  /** Both of them, with a dot between */
  event_type: "payment_request.paid";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
  };
}

export interface PaymentRequestRejectedEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "rejected";
  /** Both of them, with a dot between */
  event_type: "payment_request.rejected";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
  };
}

export interface PaymentRequestExpiredEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "expired";
  /** Both of them, with a dot between */
  event_type: "payment_request.expired";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
  };
}

export interface PaymentRequestRevertedEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "reverted";
  /** Both of them, with a dot between */
  event_type: "payment_request.reverted";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The payment taken back */
    reversed_result_id: number;
  };
}

export interface PaymentRequestRefundedEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "refunded";
  /** Both of them, with a dot between */
  event_type: "payment_request.refunded";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The payment taken back */
    reversed_result_id: number;
    /** The refund, as its GET names it */
    refund_id?: number | undefined;
  };
}

export interface PaymentRequestRefundRequestedEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "refund_requested";
  /** Both of them, with a dot between */
  event_type: "payment_request.refund_requested";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The refund, as its GET names it */
    refund_id: number;
  };
}

export interface PaymentRequestRefundFailedEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "refund_failed";
  /** Both of them, with a dot between */
  event_type: "payment_request.refund_failed";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The refund, as its GET names it */
    refund_id: number;
    /** Why */
    reason: string;
  };
}

export interface PaymentRequestDisputedEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "disputed";
  /** Both of them, with a dot between */
  event_type: "payment_request.disputed";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The dispute */
    dispute_id: number;
    /** How it stands */
    dispute_state: "opened" | "evidence_due" | "won" | "lost" | "partial" | "reversed";
    /** Pesos, at most 2 decimals */
    amount: number;
    /** What the acquirer holds back because of it */
    taken: number;
    /** Why, as the acquirer says */
    reason?: string | undefined;
    /** Until when evidence is taken */
    evidence_due_at?: string | undefined;
  };
}

export interface QrPaidEvent {
  /** Kind of entity */
  entity_name: "qr";
  /** The part of `event_type` after the dot */
  type: "paid";
  /** Both of them, with a dot between */
  event_type: "qr.paid";
  /** Id of the entity, as its GET takes it */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The `request_id` of reports */
    request_id: number;
  };
}

export interface QrRefundedEvent {
  /** Kind of entity */
  entity_name: "qr";
  /** The part of `event_type` after the dot */
  type: "refunded";
  /** Both of them, with a dot between */
  event_type: "qr.refunded";
  /** Id of the entity, as its GET takes it */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The `request_id` of reports */
    request_id: number;
    /** The payment taken back */
    reversed_result_id: number;
    /** The refund, as its GET names it */
    refund_id?: number | undefined;
  };
}

export interface QrDeletedEvent {
  /** Kind of entity */
  entity_name: "qr";
  /** The part of `event_type` after the dot */
  type: "deleted";
  /** Both of them, with a dot between */
  event_type: "qr.deleted";
  /** Id of the entity, as its GET takes it */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** Pesos, at most 2 decimals */
    amount: number;
  };
}

export interface QrExpiredEvent {
  /** Kind of entity */
  entity_name: "qr";
  /** The part of `event_type` after the dot */
  type: "expired";
  /** Both of them, with a dot between */
  event_type: "qr.expired";
  /** Id of the entity, as its GET takes it */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
  };
}

export interface QrRefundRequestedEvent {
  /** Kind of entity */
  entity_name: "qr";
  /** The part of `event_type` after the dot */
  type: "refund_requested";
  /** Both of them, with a dot between */
  event_type: "qr.refund_requested";
  /** Id of the entity, as its GET takes it */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The refund, as its GET names it */
    refund_id: number;
    /** The `request_id` of reports */
    request_id: number;
  };
}

export interface QrRefundFailedEvent {
  /** Kind of entity */
  entity_name: "qr";
  /** The part of `event_type` after the dot */
  type: "refund_failed";
  /** Both of them, with a dot between */
  event_type: "qr.refund_failed";
  /** Id of the entity, as its GET takes it */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The refund, as its GET names it */
    refund_id: number;
    /** Why */
    reason: string;
    /** The `request_id` of reports */
    request_id: number;
  };
}

export interface QrDisputedEvent {
  /** Kind of entity */
  entity_name: "qr";
  /** The part of `event_type` after the dot */
  type: "disputed";
  /** Both of them, with a dot between */
  event_type: "qr.disputed";
  /** Id of the entity, as its GET takes it */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The dispute */
    dispute_id: number;
    /** How it stands */
    dispute_state: "opened" | "evidence_due" | "won" | "lost" | "partial" | "reversed";
    /** Pesos, at most 2 decimals */
    amount: number;
    /** What the acquirer holds back because of it */
    taken: number;
    /** Why, as the acquirer says */
    reason?: string | undefined;
    /** Until when evidence is taken */
    evidence_due_at?: string | undefined;
    /** The `request_id` of reports */
    request_id: number;
  };
}

export interface QrBatchCompletedEvent {
  /** Kind of entity */
  entity_name: "qr_batch";
  /** The part of `event_type` after the dot */
  type: "completed";
  /** Both of them, with a dot between */
  event_type: "qr_batch.completed";
  /** Id of the entity, as its GET takes it */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: string;
    /** How the import ended */
    state: "completed";
    /** Number of items in the file */
    total_count?: number | undefined;
    /** How many were created */
    created?: number | undefined;
    /** How many were rejected */
    rejected?: number | undefined;
  };
}

export interface QrBatchFailedEvent {
  /** Kind of entity */
  entity_name: "qr_batch";
  /** The part of `event_type` after the dot */
  type: "failed";
  /** Both of them, with a dot between */
  event_type: "qr_batch.failed";
  /** Id of the entity, as its GET takes it */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: string;
    /** How the import ended */
    state: "failed";
    /** Number of items in the file */
    total_count?: number | undefined;
    /** How many were created */
    created?: number | undefined;
    /** How many were rejected */
    rejected?: number | undefined;
    /** The fault */
    error?: string | undefined;
  };
}

export interface AdhesionSignedEvent {
  /** Kind of entity */
  entity_name: "adhesion";
  /** The part of `event_type` after the dot */
  type: "signed";
  /** Both of them, with a dot between */
  event_type: "adhesion.signed";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State; docs/reference/states.md draws how they follow each other */
    state: "signed";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
  };
}

export interface AdhesionCanceledEvent {
  /** Kind of entity */
  entity_name: "adhesion";
  /** The part of `event_type` after the dot */
  type: "canceled";
  /** Both of them, with a dot between */
  event_type: "adhesion.canceled";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State; docs/reference/states.md draws how they follow each other */
    state: "canceled";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** Why, as `state_comment` tells it */
    state_comment: string;
  };
}

export interface CardAdhesionSignedEvent {
  /** Kind of entity */
  entity_name: "card_adhesion";
  /** The part of `event_type` after the dot */
  type: "signed";
  /** Both of them, with a dot between */
  event_type: "card_adhesion.signed";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State; docs/reference/states.md draws how they follow each other */
    state: "signed";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
  };
}

export interface CardAdhesionCanceledEvent {
  /** Kind of entity */
  entity_name: "card_adhesion";
  /** The part of `event_type` after the dot */
  type: "canceled";
  /** Both of them, with a dot between */
  event_type: "card_adhesion.canceled";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State; docs/reference/states.md draws how they follow each other */
    state: "canceled";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** Why, as `state_comment` tells it */
    state_comment: string;
  };
}

export interface CardAdhesionCardUpdatedEvent {
  /** Kind of entity */
  entity_name: "card_adhesion";
  /** The part of `event_type` after the dot */
  type: "card_updated";
  /** Both of them, with a dot between */
  event_type: "card_adhesion.card_updated";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State; docs/reference/states.md draws how they follow each other */
    state: "signed";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The brand */
    card?: string | undefined;
    /** Last four digits of the card */
    last_four_digits?: string | undefined;
    /** The last month of it, mm-yyyy */
    card_expires?: string | undefined;
  };
}

export interface CardAdhesionCardClosedEvent {
  /** Kind of entity */
  entity_name: "card_adhesion";
  /** The part of `event_type` after the dot */
  type: "card_closed";
  /** Both of them, with a dot between */
  event_type: "card_adhesion.card_closed";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State; docs/reference/states.md draws how they follow each other */
    state: "signed";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The brand */
    card?: string | undefined;
    /** Last four digits of the card */
    last_four_digits?: string | undefined;
    /** The last month of it, mm-yyyy */
    card_expires?: string | undefined;
    /** Why, as the acquirer says */
    reason: string;
  };
}

export interface CardAdhesionCardExpiringEvent {
  /** Kind of entity */
  entity_name: "card_adhesion";
  /** The part of `event_type` after the dot */
  type: "card_expiring";
  /** Both of them, with a dot between */
  event_type: "card_adhesion.card_expiring";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State; docs/reference/states.md draws how they follow each other */
    state: "signed";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The brand */
    card?: string | undefined;
    /** Last four digits of the card */
    last_four_digits?: string | undefined;
    /** The last month of it, mm-yyyy */
    card_expires?: string | undefined;
  };
}

export interface DebitRequestPaidEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "paid";
  /** Both of them, with a dot between */
  event_type: "debit_request.paid";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
  };
}

export interface DebitRequestRejectedEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "rejected";
  /** Both of them, with a dot between */
  event_type: "debit_request.rejected";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
  };
}

export interface DebitRequestCanceledEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "canceled";
  /** Both of them, with a dot between */
  event_type: "debit_request.canceled";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** Why, as `state_comment` tells it */
    state_comment: string;
  };
}

export interface DebitRequestRevertedEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "reverted";
  /** Both of them, with a dot between */
  event_type: "debit_request.reverted";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The payment taken back */
    reversed_result_id: number;
  };
}

export interface DebitRequestRefundedEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "refunded";
  /** Both of them, with a dot between */
  event_type: "debit_request.refunded";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The payment taken back */
    reversed_result_id: number;
    /** The refund, as its GET names it */
    refund_id?: number | undefined;
  };
}

export interface DebitRequestRefundRequestedEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "refund_requested";
  /** Both of them, with a dot between */
  event_type: "debit_request.refund_requested";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The refund, as its GET names it */
    refund_id: number;
  };
}

export interface DebitRequestRefundFailedEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "refund_failed";
  /** Both of them, with a dot between */
  event_type: "debit_request.refund_failed";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The refund, as its GET names it */
    refund_id: number;
    /** Why */
    reason: string;
  };
}

export interface CardDebitRequestPaidEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "paid";
  /** Both of them, with a dot between */
  event_type: "card_debit_request.paid";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
  };
}

export interface CardDebitRequestRejectedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "rejected";
  /** Both of them, with a dot between */
  event_type: "card_debit_request.rejected";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
  };
}

export interface CardDebitRequestCanceledEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "canceled";
  /** Both of them, with a dot between */
  event_type: "card_debit_request.canceled";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** Why, as `state_comment` tells it */
    state_comment: string;
  };
}

export interface CardDebitRequestRevertedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "reverted";
  /** Both of them, with a dot between */
  event_type: "card_debit_request.reverted";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The payment taken back */
    reversed_result_id: number;
  };
}

export interface CardDebitRequestRefundedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "refunded";
  /** Both of them, with a dot between */
  event_type: "card_debit_request.refunded";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The payment taken back */
    reversed_result_id: number;
    /** The refund, as its GET names it */
    refund_id?: number | undefined;
  };
}

export interface CardDebitRequestRefundRequestedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "refund_requested";
  /** Both of them, with a dot between */
  event_type: "card_debit_request.refund_requested";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The refund, as its GET names it */
    refund_id: number;
  };
}

export interface CardDebitRequestRefundFailedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "refund_failed";
  /** Both of them, with a dot between */
  event_type: "card_debit_request.refund_failed";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The item of `request_result` that it is about */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The refund, as its GET names it */
    refund_id: number;
    /** Why */
    reason: string;
  };
}

export interface CardDebitRequestDisputedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "disputed";
  /** Both of them, with a dot between */
  event_type: "card_debit_request.disputed";
  /** Id of the entity, as its GET takes it */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The entity after the event, and what the event is about */
  payload: {
    /** Id of the entity, as its GET takes it */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The dispute */
    dispute_id: number;
    /** How it stands */
    dispute_state: "opened" | "evidence_due" | "won" | "lost" | "partial" | "reversed";
    /** Pesos, at most 2 decimals */
    amount: number;
    /** What the acquirer holds back because of it */
    taken: number;
    /** Why, as the acquirer says */
    reason?: string | undefined;
    /** Until when evidence is taken */
    evidence_due_at?: string | undefined;
  };
}

/** Query: List payment requests */
export interface ListPaymentRequestsQuery {
  /** Number of the page, from 1 */
  page?: number | undefined;
  /** Most items of the answer; 25 if absent */
  limit?: number | undefined;
  /** The id of the last item read: goes on after it, without total_count */
  after?: number | undefined;
  /** Id by which later calls name it */
  id?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
  /** State; docs/reference/states.md draws how they follow each other */
  state?: "pending" | "paid" | "expired" | "reverted" | "refunded" | undefined;
  /** Name of the payer */
  payer_name?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  first_due_date_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  first_due_date_lte?: string | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  first_total_gte?: number | string | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  first_total_lte?: number | string | undefined;
}

/** Query: Get a payment request with all that happened to its money */
export interface GetPaymentRequestQuery {
  /** Adds `retentions`: each tax withheld from the payments */
  detail_retentions?: boolean | undefined;
}

/** Query: List CBU adhesions */
export interface ListAdhesionsQuery {
  /** Number of the page, from 1 */
  page?: number | undefined;
  /** Most items of the answer; 25 if absent */
  limit?: number | undefined;
  /** The id of the last item read: goes on after it, without total_count */
  after?: number | undefined;
  /** Id by which later calls name it */
  id?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
  /** State; docs/reference/states.md draws how they follow each other */
  state?: "pending_to_sign" | "signed" | "canceled" | undefined;
  /** The person who signs the mandate */
  adhesion_holder_name?: string | undefined;
}

/** Query: List card adhesions */
export interface ListCardAdhesionsQuery {
  /** Number of the page, from 1 */
  page?: number | undefined;
  /** Most items of the answer; 25 if absent */
  limit?: number | undefined;
  /** The id of the last item read: goes on after it, without total_count */
  after?: number | undefined;
  /** Id by which later calls name it */
  id?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
  /** State; docs/reference/states.md draws how they follow each other */
  state?: "pending_to_sign" | "signed" | "canceled" | undefined;
  /** The person who signs the mandate */
  adhesion_holder_name?: string | undefined;
}

/** Query: List CBU debit requests */
export interface ListDebitRequestsQuery {
  /** Number of the page, from 1 */
  page?: number | undefined;
  /** Most items of the answer; 25 if absent */
  limit?: number | undefined;
  /** The id of the last item read: goes on after it, without total_count */
  after?: number | undefined;
  /** Id by which later calls name it */
  id?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
  /** State; docs/reference/states.md draws how they follow each other */
  state?: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded" | undefined;
  /** The person who signs the mandate */
  adhesion_holder_name?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  first_due_date_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  first_due_date_lte?: string | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  first_total_gte?: number | string | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  first_total_lte?: number | string | undefined;
}

/** Query: Get a CBU debit request with all that happened to its money */
export interface GetDebitRequestQuery {
  /** Adds `retentions`: each tax withheld from the payments */
  detail_retentions?: boolean | undefined;
}

/** Query: List card debit requests */
export interface ListCardDebitRequestsQuery {
  /** Number of the page, from 1 */
  page?: number | undefined;
  /** Most items of the answer; 25 if absent */
  limit?: number | undefined;
  /** The id of the last item read: goes on after it, without total_count */
  after?: number | undefined;
  /** Id by which later calls name it */
  id?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
  /** State; docs/reference/states.md draws how they follow each other */
  state?: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded" | undefined;
  /** The person who signs the mandate */
  adhesion_holder_name?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  first_due_date_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  first_due_date_lte?: string | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  first_total_gte?: number | string | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  first_total_lte?: number | string | undefined;
}

/** Query: Get a card debit request with all that happened to its money */
export interface GetCardDebitRequestQuery {
  /** Adds `retentions`: each tax withheld from the payments */
  detail_retentions?: boolean | undefined;
}

/** Query: List what happened, in the order in which webhooks are told */
export interface ListEventsQuery {
  /** The `next` of the answer before; `latest`: no events yet, only where new ones begin */
  after?: number | "latest" | undefined;
  /** Most items of the answer; 25 if absent */
  limit?: number | undefined;
  /** Name or id of an event type */
  type?: "payment_request.paid" | "payment_request.rejected" | "payment_request.expired" | "payment_request.reverted" | "payment_request.refunded" | "payment_request.refund_requested" | "payment_request.refund_failed" | "payment_request.disputed" | "qr.paid" | "qr.refunded" | "qr.deleted" | "qr.expired" | "qr.refund_requested" | "qr.refund_failed" | "qr.disputed" | "qr_batch.completed" | "qr_batch.failed" | "adhesion.signed" | "adhesion.canceled" | "card_adhesion.signed" | "card_adhesion.canceled" | "card_adhesion.card_updated" | "card_adhesion.card_closed" | "card_adhesion.card_expiring" | "debit_request.paid" | "debit_request.rejected" | "debit_request.canceled" | "debit_request.reverted" | "debit_request.refunded" | "debit_request.refund_requested" | "debit_request.refund_failed" | "card_debit_request.paid" | "card_debit_request.rejected" | "card_debit_request.canceled" | "card_debit_request.reverted" | "card_debit_request.refunded" | "card_debit_request.refund_requested" | "card_debit_request.refund_failed" | "card_debit_request.disputed" | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 21 | 22 | 31 | 32 | 33 | 34 | 35 | 36 | 37 | 41 | 42 | 43 | 44 | 45 | 46 | 47 | 51 | 52 | 53 | 54 | 55 | 56 | 57 | 58 | undefined;
  /** Kind of entity */
  entity_name?: "payment_request" | "qr" | "qr_batch" | "adhesion" | "card_adhesion" | "debit_request" | "card_debit_request" | undefined;
  /** Id of the entity, as its GET takes it */
  entity_id?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
}

/** Query: Ask for an amount with a closed-amount static QR */
export interface CreateStaticQrTransactionQuery {
  /** The `qr_string` of the static QR */
  data: string;
}

/** Query: What a scanned code asks for, for the back ends of wallets */
export interface ResolveQrQuery {
  /** The text of the scanned code */
  data: string;
  /** The token of the scheme (RESOLVE_TOKENS) */
  access_token: string;
  /** Milliseconds since the scan; for the record */
  elapsed_time?: number | undefined;
  /** Which attempt this is; for the record */
  attempt?: number | undefined;
}

/** The body of each type of event. */
export interface Events {
  /** A payment request was paid */
  'payment_request.paid': PaymentRequestPaidEvent;
  /** A payment of a payment request was rejected; it can be tried again */
  'payment_request.rejected': PaymentRequestRejectedEvent;
  /** The last due date of a payment request passed without payment */
  'payment_request.expired': PaymentRequestExpiredEvent;
  /** A payment was taken back by its holder (chargeback) */
  'payment_request.reverted': PaymentRequestRevertedEvent;
  /** A payment was refunded, whole or in part */
  'payment_request.refunded': PaymentRequestRefundedEvent;
  /** A refund was asked for: the money is on its way back */
  'payment_request.refund_requested': PaymentRequestRefundRequestedEvent;
  /** A refund failed: the money stays with the account holder */
  'payment_request.refund_failed': PaymentRequestRefundFailedEvent;
  /** A payment is disputed by its payer, or its dispute changed */
  'payment_request.disputed': PaymentRequestDisputedEvent;
  /** A QR was paid */
  'qr.paid': QrPaidEvent;
  /** A payment of a QR went back to its payer */
  'qr.refunded': QrRefundedEvent;
  /** A QR was deleted */
  'qr.deleted': QrDeletedEvent;
  /** The due date of a QR passed without payment */
  'qr.expired': QrExpiredEvent;
  /** A refund was asked for: the money is on its way back */
  'qr.refund_requested': QrRefundRequestedEvent;
  /** A refund failed: the money stays with the account holder */
  'qr.refund_failed': QrRefundFailedEvent;
  /** A payment is disputed by its payer, or its dispute changed */
  'qr.disputed': QrDisputedEvent;
  /** An uploaded file of QR records was processed */
  'qr_batch.completed': QrBatchCompletedEvent;
  /** An uploaded file of QR records could not be processed */
  'qr_batch.failed': QrBatchFailedEvent;
  /** An adhesion was signed by its holder */
  'adhesion.signed': AdhesionSignedEvent;
  /** An adhesion was canceled, declined, or not signed in time */
  'adhesion.canceled': AdhesionCanceledEvent;
  /** A card adhesion was signed by its holder */
  'card_adhesion.signed': CardAdhesionSignedEvent;
  /** A card adhesion was canceled, declined, or not signed in time */
  'card_adhesion.canceled': CardAdhesionCanceledEvent;
  /** The card of a card adhesion has another number or expiry, or is good again */
  'card_adhesion.card_updated': CardAdhesionCardUpdatedEvent;
  /** The issuer closed the card of a card adhesion: debits on it are rejected */
  'card_adhesion.card_closed': CardAdhesionCardClosedEvent;
  /** The card of a card adhesion expires within 30 days */
  'card_adhesion.card_expiring': CardAdhesionCardExpiringEvent;
  /** A debit on a bank account was paid */
  'debit_request.paid': DebitRequestPaidEvent;
  /** A debit on a bank account was rejected */
  'debit_request.rejected': DebitRequestRejectedEvent;
  /** A debit was canceled before it was submitted, or its mandate was */
  'debit_request.canceled': DebitRequestCanceledEvent;
  /** A debit on a bank account was taken back by its holder */
  'debit_request.reverted': DebitRequestRevertedEvent;
  /** A debit on a bank account was refunded, whole or in part */
  'debit_request.refunded': DebitRequestRefundedEvent;
  /** A refund was asked for: the money is on its way back */
  'debit_request.refund_requested': DebitRequestRefundRequestedEvent;
  /** A refund failed: the money stays with the account holder */
  'debit_request.refund_failed': DebitRequestRefundFailedEvent;
  /** A debit on a card was paid */
  'card_debit_request.paid': CardDebitRequestPaidEvent;
  /** A debit on a card was rejected */
  'card_debit_request.rejected': CardDebitRequestRejectedEvent;
  /** A debit was canceled before it was submitted, or its mandate was */
  'card_debit_request.canceled': CardDebitRequestCanceledEvent;
  /** A debit on a card was taken back by its holder */
  'card_debit_request.reverted': CardDebitRequestRevertedEvent;
  /** A debit on a card was refunded, whole or in part */
  'card_debit_request.refunded': CardDebitRequestRefundedEvent;
  /** A refund was asked for: the money is on its way back */
  'card_debit_request.refund_requested': CardDebitRequestRefundRequestedEvent;
  /** A refund failed: the money stays with the account holder */
  'card_debit_request.refund_failed': CardDebitRequestRefundFailedEvent;
  /** A payment is disputed by its payer, or its dispute changed */
  'card_debit_request.disputed': CardDebitRequestDisputedEvent;
}
