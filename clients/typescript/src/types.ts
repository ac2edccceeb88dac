// Written by `npm run docs` from the OpenAPI document. Do not edit.

export interface QrError {
  /** Code to branch on: see the table of codes */
  code: string;
  /** One sentence: what is wrong and what is allowed */
  message: string;
  /** Every fault in the fields of a form or the items of a batch; for any other error, its message */
  errors: ({
    /** Index of the item in data, from 0 */
    index?: number | undefined;
    /** Id of the item, if it could be read */
    id?: string | undefined;
    /** Member with the fault */
    field?: string | undefined;
    /** The fault, and what is allowed */
    message: string;
    /** Code of the fault, if it has one */
    error_code?: string | undefined;
  } | string)[];
  /** More specific than `code`; see docs/reference/errors.md */
  error_code: string;
}

export interface ApiErrorField {
  /** Faults of the field, one sentence each */
  errors?: (string)[] | undefined;
  /** Stable codes for `errors`, such as field.required */
  codes?: (string)[] | undefined;
  /** Members of the field, or list items by index */
  children?: { [name: string]: ApiErrorField } | undefined;
}

export interface ApiError {
  /** The HTTP status */
  code: number;
  /** One sentence: what is wrong and what is allowed */
  message: string;
  /** Its messages; those of fields include their path */
  errors: (string)[];
  /** Stable code with one meaning and one status; `invalid_fields` if fields have their own codes. docs/reference/errors.md lists them; new codes may be added */
  error_code: string;
  /** For invalid fields: every field of the form; a valid one is an empty object */
  children?: { [name: string]: ApiErrorField } | undefined;
}

export interface CreatePaymentRequestBody {
  /** The payment request */
  payment_request: {
    /** Description shown to the payer */
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
    /** Where the payer returns after a successful payment */
    back_url_success?: string | undefined;
    /** Where the payer returns after a pending payment */
    back_url_pending?: string | undefined;
    /** Where the payer returns after a rejected payment */
    back_url_rejected?: string | undefined;
    /** Channels that the payer may not use */
    excluded_channels?: ("credit_card" | "debit_card" | "banelco_pmc" | "link_pagos" | "DEBIN" | "wire_transfer" | "non_banking" | "qr" | "credit_card_agro")[] | undefined;
    /** Codes of card brands that the payer may not use */
    excluded_card_brands?: (string | number)[] | undefined;
    /** Numbers of installments that the payer may not choose */
    excluded_installments?: (number)[] | undefined;
    /** Any JSON object; returned unchanged */
    metadata?: { [name: string]: unknown } | undefined;
    /** Lines of detail */
    items?: ({
      /** How many */
      quantity?: number | undefined;
      /** Description shown to the payer */
      description: string;
      /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
      amount: number | string;
    })[] | undefined;
  };
}

export interface PaymentRequestItem {
  /** How many */
  quantity?: number | undefined;
  /** Description shown to the payer */
  description: string;
  /** Pesos, at most 2 decimals */
  amount: number | string;
}

export interface CreatedPaymentRequest {
  /** Id used in later calls */
  id: number;
  /** Kind */
  type: "payment_request";
  /** State; docs/reference/states.md shows the transitions */
  state: "pending" | "paid" | "expired" | "reverted" | "refunded";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** Name of the payer */
  payer_name: string;
  /** E-mail address of the payer */
  payer_email?: string | undefined;
  /** Description shown to the payer */
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
  /** Where the payer returns after a successful payment */
  back_url_success?: string | undefined;
  /** Where the payer returns after a pending payment */
  back_url_pending?: string | undefined;
  /** Where the payer returns after a rejected payment */
  back_url_rejected?: string | undefined;
  /** Channels that the payer may not use */
  excluded_channels?: (string)[] | undefined;
  /** Numbers of installments that the payer may not choose */
  excluded_installments?: (number)[] | undefined;
  /** Codes of card brands that the payer may not use */
  excluded_card_brands?: (string | number)[] | undefined;
  /** Any JSON object; returned unchanged */
  metadata?: { [name: string]: unknown } | undefined;
  /** Lines of detail */
  items?: (PaymentRequestItem)[] | undefined;
}

export interface RequestResult {
  /** Id used in later calls */
  id: number;
  /** `collected_`, `rejected_`, `chargeback_` or `refund_`, the type of the request, `_result`: `collected_payment_request_result` */
  type: string;
  /** Channel of the payment */
  channel: string;
  /** The payment that a chargeback or refund reverses */
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
  /** True once the money is available for payouts */
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
    /** Name of the person who paid */
    holder_name?: string | undefined;
    /** E-mail address of the person who paid */
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
    /** Ticket number */
    ticket?: string | undefined;
    /** Links sale, settlement and chargeback */
    tid?: string | undefined;
    /** The result of 3-D Secure */
    three_ds?: {
      /** The outcome of 3-D Secure */
      result: "authenticated" | "attempted" | "not_enrolled" | "failed" | "unavailable";
      /** Party liable for fraud */
      liability: "issuer" | "merchant";
      /** Version of 3-D Secure */
      version?: string | undefined;
    } | undefined;
    /** The network's transaction id, sent with later debits of the card */
    network_transaction_id?: string | undefined;
  } | undefined;
  /** Reason for the state */
  state_comment?: string | undefined;
}

export interface Retention {
  /** Tax regime of the retention */
  regime: string;
  /** Withholding jurisdiction: a province or the nation */
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
  /** Id used in later calls */
  id: number;
  /** Kind */
  type: "payment_request";
  /** State; docs/reference/states.md shows the transitions */
  state: "pending" | "paid" | "expired" | "reverted" | "refunded";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** Name of the payer */
  payer_name: string;
  /** E-mail address of the payer */
  payer_email?: string | undefined;
  /** Description shown to the payer */
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
  /** Where the payer returns after a successful payment */
  back_url_success?: string | undefined;
  /** Where the payer returns after a pending payment */
  back_url_pending?: string | undefined;
  /** Where the payer returns after a rejected payment */
  back_url_rejected?: string | undefined;
  /** Channels that the payer may not use */
  excluded_channels?: (string)[] | undefined;
  /** Numbers of installments that the payer may not choose */
  excluded_installments?: (number)[] | undefined;
  /** Codes of card brands that the payer may not use */
  excluded_card_brands?: (string | number)[] | undefined;
  /** Any JSON object; returned unchanged */
  metadata?: { [name: string]: unknown } | undefined;
  /** Lines of detail */
  items?: (PaymentRequestItem)[] | undefined;
  /** Reason why it expired before its last due date */
  state_comment?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  paid_at?: string | undefined;
  /** The last payment that was not fully reversed */
  request_result_id?: number | undefined;
  /** Every payment, rejection, refund and chargeback, oldest first */
  request_result: (RequestResult)[];
  /** Number of older rejections left out: `request_result` has the last 50 */
  rejected_results_left_out?: number | undefined;
  /** The payer; empty texts where the channel does not say */
  holder_data?: {
    /** Name of the person who paid */
    holder_name: string;
    /** E-mail address of the person who paid */
    holder_email: string;
  } | undefined;
  /** Taxes withheld from the payments */
  retentions?: (Retention)[] | undefined;
}

export interface PaymentRequestList {
  /** The page; absent when `after` was sent */
  current_page?: number | undefined;
  /** Largest number of items on a page */
  items_per_page: number;
  /** Total number; absent if too expensive to count */
  total_count?: number | undefined;
  /** The items */
  data: (PaymentRequest)[];
}

export interface CreateAdhesionBody {
  /** CBU adhesion */
  adhesion: {
    /** The person who signs the mandate */
    adhesion_holder_name: string;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Address that receives the signing link */
    email: string;
    /** Description shown to the payer */
    description: string;
    /** Description on the bank statement */
    short_description: string;
    /** CBU: 22 digits, check digits verified */
    cbu_number: string;
    /** Holder of the bank account */
    cbu_holder_name: string;
    /** DNI, CUIT or CUIL */
    cbu_holder_id_number: number | string;
    /** Any JSON object; returned unchanged */
    metadata?: { [name: string]: unknown } | undefined;
  };
}

export interface Adhesion {
  /** Id used in later calls */
  id: number;
  /** State; docs/reference/states.md shows the transitions */
  state: "pending_to_sign" | "signed" | "canceled";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The person who signs the mandate */
  adhesion_holder_name: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** Address that receives the signing link */
  email: string;
  /** CBU of 22 digits */
  cbu_number: string;
  /** Holder of the bank account */
  cbu_holder_name: string;
  /** DNI, CUIT or CUIL of that holder */
  cbu_holder_id_number: number;
  /** Bank of the CBU; `Entidad 999` if the code is unknown */
  bank: string;
  /** Description on the bank statement */
  short_description: string;
  /** Description shown to the payer */
  description: string;
  /** Any JSON object; returned unchanged */
  metadata?: { [name: string]: unknown } | undefined;
  /** ISO 8601 with the Argentine offset */
  signed_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  canceled_at?: string | undefined;
  /** Reason for the state */
  state_comment?: string | undefined;
}

export interface AdhesionList {
  /** The page; absent when `after` was sent */
  current_page?: number | undefined;
  /** Largest number of items on a page */
  items_per_page: number;
  /** Total number; absent if too expensive to count */
  total_count?: number | undefined;
  /** The items */
  data: (Adhesion)[];
}

export interface PublicKey {
  /** How to encrypt a card number with the key */
  algorithm: "RSA-OAEP-256";
  /** SubjectPublicKeyInfo, PEM */
  public_key: string;
  /** When the next key replaces this one */
  renew_at: string;
  /** When numbers encrypted with this key stop being accepted */
  expires_at: string;
}

export interface CreateCardAdhesionBody {
  /** The card adhesion */
  card_adhesion: {
    /** The person who signs the mandate */
    adhesion_holder_name: string;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Address that receives the signing link */
    email: string;
    /** Name on the card */
    card_holder_name: string;
    /** 12 to 19 digits, ignoring spaces and dashes; or base64 of its RSA-OAEP-256 ciphertext under the key of GET /card-adhesion/public-key. If a connector keeps cards on file, omit it: the holder then enters the card when signing. */
    card_number?: string | undefined;
    /** Description shown to the payer */
    description: string;
    /** Reason for the debit, for the card issuer */
    debit_reason?: "recurring" | "instalments" | "unscheduled" | undefined;
    /** Any JSON object; returned unchanged */
    metadata?: { [name: string]: unknown } | undefined;
  };
}

export interface CardAdhesion {
  /** Id used in later calls */
  id: number;
  /** State; docs/reference/states.md shows the transitions */
  state: "pending_to_sign" | "signed" | "canceled";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** The person who signs the mandate */
  adhesion_holder_name: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** Address that receives the signing link */
  email: string;
  /** Name on the card */
  card_holder_name: string;
  /** Card brand; absent until the holder enters the card */
  card?: string | undefined;
  /** Last four digits of the card */
  last_four_digits?: string | undefined;
  /** For a card on file: its last valid month, mm-yyyy */
  card_expires?: string | undefined;
  /** For a card on file: why its issuer closed it. Debits on it are rejected. */
  card_closed?: string | undefined;
  /** Reason for the debit, for the card issuer */
  debit_reason?: "recurring" | "instalments" | "unscheduled" | undefined;
  /** Description shown to the payer */
  description: string;
  /** Any JSON object; returned unchanged */
  metadata?: { [name: string]: unknown } | undefined;
  /** ISO 8601 with the Argentine offset */
  signed_at?: string | undefined;
  /** ISO 8601 with the Argentine offset */
  canceled_at?: string | undefined;
  /** Reason for the state */
  state_comment?: string | undefined;
}

export interface CardAdhesionList {
  /** The page; absent when `after` was sent */
  current_page?: number | undefined;
  /** Largest number of items on a page */
  items_per_page: number;
  /** Total number; absent if too expensive to count */
  total_count?: number | undefined;
  /** The items */
  data: (CardAdhesion)[];
}

export interface CreateDebitRequestBody {
  /** The debit on a bank account */
  debit_request: {
    /** A signed CBU adhesion */
    adhesion_id: number;
    /** Description shown to the payer */
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
    /** Any JSON object; returned unchanged */
    metadata?: { [name: string]: unknown } | undefined;
  };
}

export interface CreatedDebitRequest {
  /** Id used in later calls */
  id: number;
  /** Kind */
  type: "debit_request";
  /** State; docs/reference/states.md shows the transitions */
  state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A signed CBU adhesion */
  adhesion_id: number;
  /** Description shown to the payer */
  description: string;
  /** ISO 8601 with the Argentine offset */
  first_due_date: string;
  /** Pesos, at most 2 decimals */
  first_total: number;
  /** ISO 8601 with the Argentine offset */
  second_due_date?: string | undefined;
  /** Pesos, at most 2 decimals */
  second_total?: number | undefined;
  /** Any JSON object; returned unchanged */
  metadata?: { [name: string]: unknown } | undefined;
  /** Reason for the state */
  state_comment?: string | undefined;
  /** CBU adhesion */
  adhesion: Adhesion;
}

export interface DebitRequest {
  /** Id used in later calls */
  id: number;
  /** Kind */
  type: "debit_request";
  /** State; docs/reference/states.md shows the transitions */
  state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A signed CBU adhesion */
  adhesion_id: number;
  /** Description shown to the payer */
  description: string;
  /** ISO 8601 with the Argentine offset */
  first_due_date: string;
  /** Pesos, at most 2 decimals */
  first_total: number;
  /** ISO 8601 with the Argentine offset */
  second_due_date?: string | undefined;
  /** Pesos, at most 2 decimals */
  second_total?: number | undefined;
  /** Any JSON object; returned unchanged */
  metadata?: { [name: string]: unknown } | undefined;
  /** Reason for the state */
  state_comment?: string | undefined;
  /** CBU adhesion */
  adhesion: Adhesion;
  /** Every payment, rejection, refund and chargeback, oldest first */
  request_result: (RequestResult)[];
  /** Number of older rejections left out: `request_result` has the last 50 */
  rejected_results_left_out?: number | undefined;
  /** Taxes withheld from the payments */
  retentions?: (Retention)[] | undefined;
}

export interface DebitRequestList {
  /** The page; absent when `after` was sent */
  current_page?: number | undefined;
  /** Largest number of items on a page */
  items_per_page: number;
  /** Total number; absent if too expensive to count */
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
    /** Description shown to the payer */
    description?: string | undefined;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Any JSON object; returned unchanged */
    metadata?: { [name: string]: unknown } | undefined;
  };
}

export interface CreatedCardDebitRequest {
  /** Id used in later calls */
  id: number;
  /** Kind */
  type: "card_debit_request";
  /** State; docs/reference/states.md shows the transitions */
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
  /** Description shown to the payer */
  description: string;
  /** Any JSON object; returned unchanged */
  metadata?: { [name: string]: unknown } | undefined;
  /** Reason for the state */
  state_comment?: string | undefined;
  /** The card adhesion */
  card_adhesion: CardAdhesion;
}

export interface CardDebitRequest {
  /** Id used in later calls */
  id: number;
  /** Kind */
  type: "card_debit_request";
  /** State; docs/reference/states.md shows the transitions */
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
  /** Description shown to the payer */
  description: string;
  /** Any JSON object; returned unchanged */
  metadata?: { [name: string]: unknown } | undefined;
  /** Reason for the state */
  state_comment?: string | undefined;
  /** The card adhesion */
  card_adhesion: CardAdhesion;
  /** Every payment, rejection, refund and chargeback, oldest first */
  request_result: (RequestResult)[];
  /** Number of older rejections left out: `request_result` has the last 50 */
  rejected_results_left_out?: number | undefined;
  /** Taxes withheld from the payments */
  retentions?: (Retention)[] | undefined;
}

export interface CardDebitRequestList {
  /** The page; absent when `after` was sent */
  current_page?: number | undefined;
  /** Largest number of items on a page */
  items_per_page: number;
  /** Total number; absent if too expensive to count */
  total_count?: number | undefined;
  /** The items */
  data: (CardDebitRequest)[];
}

export interface RefundPaymentRequestBody {
  /** The refund; an empty object refunds the remaining amount */
  refund: {
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    amount?: number | string | undefined;
    /** Id of the payment in `request_result`; required if there are several */
    result_id?: number | undefined;
    /** Bank account for the refund if the channel cannot return money */
    cbu?: string | undefined;
  };
}

export interface Refund {
  /** Id used in later calls */
  id: number;
  /** `requested` until the channel or the bank confirms the refund */
  state: "requested" | "done" | "failed";
  /** Pesos, at most 2 decimals */
  amount: number;
  /** Id of the payment in `request_result` */
  result_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** ISO 8601 with the Argentine offset */
  ended_at?: string | undefined;
  /** Bank account to which the operator transfers the refund */
  cbu?: string | undefined;
  /** Reason for the failure, or the reference */
  state_comment?: string | undefined;
}

export interface RefundList {
  /** The items */
  data: (Refund)[];
}

export interface RefundDebitRequestBody {
  /** The refund; an empty object refunds the remaining amount */
  refund: {
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    amount?: number | string | undefined;
    /** Id of the payment in `request_result`; required if there are several */
    result_id?: number | undefined;
    /** Bank account for the refund if the channel cannot return money */
    cbu?: string | undefined;
  };
}

export interface RefundCardDebitRequestBody {
  /** The refund; an empty object refunds the remaining amount */
  refund: {
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    amount?: number | string | undefined;
    /** Id of the payment in `request_result`; required if there are several */
    result_id?: number | undefined;
    /** Bank account for the refund if the channel cannot return money */
    cbu?: string | undefined;
  };
}

export type GetChannelInstallmentsAnswer = ({
  /** Card brand */
  name: string;
  /** Code for excluded_card_brands */
  code: string;
  /** Installment plans of the card brand */
  installments: ({
    /** Installment plans of the card brand */
    installments: number;
    /** Description shown to the payer */
    description: string;
    /** Total of all installments, in pesos */
    total_amount: number;
  })[];
})[];

export interface GetNextBusinessDayBody {
  /** The date and the days to count */
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
  /** Id used in later calls */
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
    /** Description shown to the payer */
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
    /** Description shown to the payer */
    description: string;
    /** Channel of the payment */
    channel: string;
    /** Pesos, at most two decimals */
    reverted_amount: number;
    /** The reversed payment in `request_result` */
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
    /** Description shown to the payer */
    description: string;
    /** Channel of the payment */
    channel: string;
    /** Pesos, at most two decimals */
    refunded_amount: number;
    /** The reversed payment in `request_result` */
    reversed_result_id: number;
  })[];
}

export interface SettlementReport {
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** ISO 8601 with the Argentine offset */
  report_date: string;
  /** Number of credits */
  total_credits: number;
  /** Pesos, at most two decimals */
  credit_amount: number;
  /** Number of debits */
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
    /** Withholding jurisdiction: a province or the nation */
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
  /** Id used in later calls */
  id: number;
  /** Full name, such as payment_request.paid */
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
    event_types: ("*" | "payment_request.paid" | "payment_request.rejected" | "payment_request.expired" | "payment_request.reverted" | "payment_request.refunded" | "payment_request.refund_requested" | "payment_request.refund_failed" | "payment_request.disputed" | "qr.paid" | "qr.refunded" | "qr.deleted" | "qr.expired" | "qr.refund_requested" | "qr.refund_failed" | "qr.disputed" | "qr_batch.completed" | "qr_batch.failed" | "adhesion.signed" | "adhesion.canceled" | "card_adhesion.signed" | "card_adhesion.canceled" | "card_adhesion.card_updated" | "card_adhesion.card_closed" | "card_adhesion.card_expiring" | "debit_request.paid" | "debit_request.rejected" | "debit_request.canceled" | "debit_request.reverted" | "debit_request.refunded" | "debit_request.refund_requested" | "debit_request.refund_failed" | "card_debit_request.paid" | "card_debit_request.rejected" | "card_debit_request.canceled" | "card_debit_request.reverted" | "card_debit_request.refunded" | "card_debit_request.refund_requested" | "card_debit_request.refund_failed" | "card_debit_request.disputed" | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 21 | 22 | 31 | 32 | 33 | 34 | 35 | 36 | 37 | 41 | 42 | 43 | 44 | 45 | 46 | 47 | 51 | 52 | 53 | 54 | 55 | 56 | 57 | 58)[];
  };
}

export interface CreatedWebhook {
  /** Id used in later calls */
  id: number;
  /** Address that receives the events */
  url: string;
  /** Event types sent to it */
  events: (EventType)[];
  /** True if it was registered with `*`: types that are added later are sent too */
  all_events: boolean;
  /** Secret that signs deliveries (Standard Webhooks) */
  secret: string;
}

export interface Webhook {
  /** Id used in later calls */
  id: number;
  /** Address that receives the events */
  url: string;
  /** Event types sent to it */
  events: (EventType)[];
  /** True if it was registered with `*`: types that are added later are sent too */
  all_events: boolean;
}

export interface WebhookList {
  /** The items */
  data: (Webhook)[];
}

export interface UpdateWebhookBody {
  /** The webhook */
  webhook: {
    /** Address that receives the events */
    url?: string | undefined;
    /** Names or ids of event types */
    event_types?: ("*" | "payment_request.paid" | "payment_request.rejected" | "payment_request.expired" | "payment_request.reverted" | "payment_request.refunded" | "payment_request.refund_requested" | "payment_request.refund_failed" | "payment_request.disputed" | "qr.paid" | "qr.refunded" | "qr.deleted" | "qr.expired" | "qr.refund_requested" | "qr.refund_failed" | "qr.disputed" | "qr_batch.completed" | "qr_batch.failed" | "adhesion.signed" | "adhesion.canceled" | "card_adhesion.signed" | "card_adhesion.canceled" | "card_adhesion.card_updated" | "card_adhesion.card_closed" | "card_adhesion.card_expiring" | "debit_request.paid" | "debit_request.rejected" | "debit_request.canceled" | "debit_request.reverted" | "debit_request.refunded" | "debit_request.refund_requested" | "debit_request.refund_failed" | "card_debit_request.paid" | "card_debit_request.rejected" | "card_debit_request.canceled" | "card_debit_request.reverted" | "card_debit_request.refunded" | "card_debit_request.refund_requested" | "card_debit_request.refund_failed" | "card_debit_request.disputed" | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 21 | 22 | 31 | 32 | 33 | 34 | 35 | 36 | 37 | 41 | 42 | 43 | 44 | 45 | 46 | 47 | 51 | 52 | 53 | 54 | 55 | 56 | 57 | 58)[] | undefined;
  };
}

export interface RotateWebhookSecretBody {
  /** True revokes the old secret at once; otherwise both sign for a day */
  revoke_now?: boolean | undefined;
}

export interface RotatedWebhook {
  /** Id used in later calls */
  id: number;
  /** Address that receives the events */
  url: string;
  /** Event types sent to it */
  events: (EventType)[];
  /** True if it was registered with `*`: types that are added later are sent too */
  all_events: boolean;
  /** Secret that signs deliveries (Standard Webhooks) */
  secret: string;
  /** ISO 8601 with the Argentine offset */
  previous_secret_expires_at?: string | undefined;
}

export interface Event {
  /** Id used in later calls */
  id: number;
  /** Position in the feed; always increases */
  position: number;
  /** Kind of entity */
  entity_name: string;
  /** Full name, as in `event_type` */
  type: string;
  /** Full name of the event type */
  event_type: string;
  /** Id of the entity, as in its GET */
  entity_id: number | string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** By event type: the `webhooks` section of the OpenAPI document */
  payload: { [name: string]: unknown };
}

export interface EventList {
  /** The items */
  data: (Event)[];
  /** Value of `after` for the next page */
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
  /** Duration of the attempt in milliseconds */
  ms: number;
}

export interface Delivery {
  /** The webhook that receives it */
  webhook_id: number;
  /** Address that receives the events */
  url: string;
  /** State of the delivery */
  state: "pending" | "delivered" | "failed";
  /** All attempts, first to last */
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
  /** The paying card; its test number decides the outcome */
  card_number?: string | undefined;
  /** CBU of 22 digits */
  cbu_number?: string | undefined;
}

export interface Qr {
  /** Id used in later calls */
  id: string;
  /** Id used in reports; present once paid */
  request_id?: number | undefined;
  /** CUIT of the account holder */
  cuit: string;
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** Description shown to the payer */
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
  /** City shown in the QR */
  city: string;
  /** Kind of QR */
  qr_type?: string | undefined;
  /** Name shown by wallets */
  qr_name?: string | undefined;
  /** Postal code */
  postal_code?: string | undefined;
  /** E-mail address of the payer */
  payer_email?: string | undefined;
  /** True if it can be paid more than once */
  multiple_payment: boolean;
  /** Number of payments so far, with multiple_payment */
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
  /** Contents of the code (EMV QRCPS, merchant-presented) */
  qr_string?: string | undefined;
  /** PNG */
  image_url?: string | undefined;
  /** Picture of the QR, as SVG */
  image_svg_url?: string | undefined;
}

export interface StaticQrTransaction {
  /** Id used in later calls */
  id: string;
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** CUIT of the account holder */
  cuit: string;
  /** Description shown to the payer */
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
  /** Id used in reports */
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

/** The request, as in its GET; only {id, state} for a key without `read` */
export type SandboxRequest = PaymentRequest | DebitRequest | CardDebitRequest | Qr | StaticQrTransaction | {
  /** Id used in later calls */
  id: number;
  /** State; docs/reference/states.md shows the transitions */
  state: string;
};

export interface ChargeBackInSandboxBody {
  /** Id of the payment in `request_result`; required if there are several */
  result_id?: number | undefined;
}

export interface RefundInSandboxBody {
  /** Id of the payment in `request_result`; required if there are several */
  result_id?: number | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  amount?: number | string | undefined;
}

export interface MoveSandboxClockBody {
  /** Time to move to; must be later than the current one */
  advance_to?: string | undefined;
  /** Days to move the clock forward */
  days?: number | undefined;
  /** Hours to move the clock forward */
  hours?: number | undefined;
  /** Minutes to move the clock forward */
  minutes?: number | undefined;
}

export interface SandboxClock {
  /** ISO 8601 with the Argentine offset */
  now: string;
  /** Everything that fell due in between */
  happened?: ({
    /** Kind of task that fell due */
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
    /** Unique in the account forever; a missing account prefix is added */
    id: string;
    /** City shown in the QR */
    city: string;
    /** True if it can be paid more than once */
    multiple_payment: boolean | "true" | "false";
    /** Your own reference */
    external_reference?: string | undefined;
    /** Description shown to the payer */
    description: string;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    first_total: number | string;
    /** A day of the calendar, dd-mm-yyyy */
    first_due_date: string;
    /** Name of the payer */
    payer_name: string;
    /** Kind of QR */
    qr_type?: string | undefined;
    /** Name shown by wallets */
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
  /** Human-readable message */
  message: string;
  /** Number of items in `data` */
  total_count: number;
  /** The items */
  data: ({
    /** Id used in later calls */
    id: string;
  })[];
}

export type EditQrBody = {
  /** Number of items in `data` */
  total_count: number;
  /** The items */
  data: ({
    /** Unique in the account forever; a missing account prefix is added */
    id: string;
    /** City shown in the QR */
    city?: string | undefined;
    /** True if it can be paid more than once */
    multiple_payment?: boolean | "true" | "false" | undefined;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Description shown to the payer */
    description?: string | undefined;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    first_total?: number | string | undefined;
    /** A day of the calendar, dd-mm-yyyy */
    first_due_date?: string | undefined;
    /** Name of the payer */
    payer_name?: string | undefined;
    /** Kind of QR */
    qr_type?: string | undefined;
    /** Name shown by wallets */
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
  /** Unique in the account forever; a missing account prefix is added */
  id?: string | undefined;
  /** City shown in the QR */
  city?: string | undefined;
  /** True if it can be paid more than once */
  multiple_payment?: boolean | "true" | "false" | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** Description shown to the payer */
  description?: string | undefined;
  /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
  first_total?: number | string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  first_due_date?: string | undefined;
  /** Name of the payer */
  payer_name?: string | undefined;
  /** Kind of QR */
  qr_type?: string | undefined;
  /** Name shown by wallets */
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
    /** Unique in the account forever; a missing account prefix is added */
    id: string;
    /** City shown in the QR */
    city?: string | undefined;
    /** True if it can be paid more than once */
    multiple_payment?: boolean | "true" | "false" | undefined;
    /** Your own reference */
    external_reference?: string | undefined;
    /** Description shown to the payer */
    description?: string | undefined;
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    first_total?: number | string | undefined;
    /** A day of the calendar, dd-mm-yyyy */
    first_due_date?: string | undefined;
    /** Name of the payer */
    payer_name?: string | undefined;
    /** Kind of QR */
    qr_type?: string | undefined;
    /** Name shown by wallets */
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
  /** Human-readable message */
  message: string;
  /** Id of the QR, with or without the prefix of the account */
  qr_id: string;
  /** State of the QR */
  status: "Pending" | "Paid" | "Expired" | "Deleted" | "Refunded";
}

export interface CreateStaticQrBody {
  /** Unique in the account forever; a missing account prefix is added */
  id: string;
  /** Kind of QR */
  qr_type: "static_open_amount" | "static_closed_amount";
  /** Name shown by wallets */
  qr_name: string;
  /** City shown in the QR */
  city: string;
  /** Postal code */
  postal_code?: string | undefined;
  /** True if it can be paid more than once */
  multiple_payment: boolean | "true" | "false";
  /** Description shown to the payer */
  description: string;
  /** Name of the payer */
  payer_name: string;
}

export interface StaticQr {
  /** Id used in later calls */
  id: string;
  /** The account: 8 upper-case hexadecimal characters */
  account_id: string;
  /** CUIT of the account holder */
  cuit: string;
  /** Description shown to the payer */
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
  /** Name shown by wallets */
  qr_name: string;
  /** City shown in the QR */
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
  /** Amount due now (closed amount) */
  transaction?: {
    /** Id of the QR, with or without the prefix of the account */
    qr_id: string;
    /** Id used in reports */
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
  /** Lifetime in minutes; 2 if absent */
  active_period?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
}

export interface CreateStaticQrTransactionAnswer {
  /** Always 200 */
  code: 200;
  /** Human-readable message */
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
  /** The refund; an empty object refunds the remaining amount */
  refund: {
    /** Pesos: up to 8 integer digits and 2 decimals, point as separator */
    amount?: number | string | undefined;
    /** Id of the payment in `request_result`; required if there are several */
    result_id?: number | undefined;
    /** Bank account for the refund if the channel cannot return money */
    cbu?: string | undefined;
  };
}

export interface QrUpload {
  /** A code of the table in docs/how-to/qr.md */
  code: string;
  /** Human-readable message */
  message: string;
  /** Id of the batch, for GET /batch-result/{id}/{page} */
  id: string;
  /** Takes one PUT of the JSON document, without an API key */
  url: string;
  /** ISO 8601: the latest time to start the upload */
  expires_at: string;
  /** Secret that signs events sent to the document's webhook_url */
  webhook_secret: string;
}

export interface QrBatchItem {
  /** Index in data, from 0 */
  index: number;
  /** Id of the QR; absent if invalid */
  id?: string | undefined;
  /** `created`, or `rejected` with its errors */
  status: "created" | "rejected";
  /** Faults, one sentence each */
  errors: ({
    /** Path of the member with the fault, levels separated by dots */
    field?: string | undefined;
    /** Human-readable message */
    message: string;
    /** Code of the fault; see docs/reference/errors.md */
    error_code?: string | undefined;
  })[];
}

export interface QrBatchResult {
  /** Id used in later calls */
  id: string;
  /** State of the import */
  state: "waiting_upload" | "processing" | "completed" | "failed";
  /** Why the import failed as a whole */
  error?: string | undefined;
  /** Present once the document has been read */
  total_count?: number | undefined;
  /** Number processed */
  processed: number;
  /** Number created */
  created: number;
  /** Number rejected */
  rejected: number;
  /** Number of the page, from 1 */
  page: number;
  /** Number of pages */
  pages: number;
  /** The items */
  data: (QrBatchItem)[];
}

export interface PaymentRequestPaidEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "paid";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "payment_request.paid";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "payment_request.rejected";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "payment_request.expired";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "payment_request.reverted";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The reversed payment */
    reversed_result_id: number;
  };
}

export interface PaymentRequestRefundedEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "refunded";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "payment_request.refunded";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The reversed payment */
    reversed_result_id: number;
    /** Id of the refund, as in its GET */
    refund_id?: number | undefined;
  };
}

export interface PaymentRequestRefundRequestedEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "refund_requested";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "payment_request.refund_requested";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Id of the refund, as in its GET */
    refund_id: number;
  };
}

export interface PaymentRequestRefundFailedEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "refund_failed";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "payment_request.refund_failed";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Id of the refund, as in its GET */
    refund_id: number;
    /** Reason */
    reason: string;
  };
}

export interface PaymentRequestDisputedEvent {
  /** Kind of entity */
  entity_name: "payment_request";
  /** The part of `event_type` after the dot */
  type: "disputed";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "payment_request.disputed";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The dispute */
    dispute_id: number;
    /** State of the dispute */
    dispute_state: "opened" | "evidence_due" | "won" | "lost" | "partial" | "reversed";
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Amount withheld by the acquirer because of the dispute */
    taken: number;
    /** Reason given by the acquirer */
    reason?: string | undefined;
    /** Deadline for evidence */
    evidence_due_at?: string | undefined;
  };
}

export interface QrPaidEvent {
  /** Kind of entity */
  entity_name: "qr";
  /** The part of `event_type` after the dot */
  type: "paid";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "qr.paid";
  /** Id of the entity, as in its GET */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "qr.refunded";
  /** Id of the entity, as in its GET */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The `request_id` of reports */
    request_id: number;
    /** The reversed payment */
    reversed_result_id: number;
    /** Id of the refund, as in its GET */
    refund_id?: number | undefined;
  };
}

export interface QrDeletedEvent {
  /** Kind of entity */
  entity_name: "qr";
  /** The part of `event_type` after the dot */
  type: "deleted";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "qr.deleted";
  /** Id of the entity, as in its GET */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "qr.expired";
  /** Id of the entity, as in its GET */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "qr.refund_requested";
  /** Id of the entity, as in its GET */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Id of the refund, as in its GET */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "qr.refund_failed";
  /** Id of the entity, as in its GET */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Id of the refund, as in its GET */
    refund_id: number;
    /** Reason */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "qr.disputed";
  /** Id of the entity, as in its GET */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: string;
    /** State of the request after the event */
    state: "pending" | "paid" | "expired" | "deleted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The dispute */
    dispute_id: number;
    /** State of the dispute */
    dispute_state: "opened" | "evidence_due" | "won" | "lost" | "partial" | "reversed";
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Amount withheld by the acquirer because of the dispute */
    taken: number;
    /** Reason given by the acquirer */
    reason?: string | undefined;
    /** Deadline for evidence */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "qr_batch.completed";
  /** Id of the entity, as in its GET */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: string;
    /** Outcome of the import */
    state: "completed";
    /** Number of items in the file */
    total_count?: number | undefined;
    /** Number created */
    created?: number | undefined;
    /** Number rejected */
    rejected?: number | undefined;
  };
}

export interface QrBatchFailedEvent {
  /** Kind of entity */
  entity_name: "qr_batch";
  /** The part of `event_type` after the dot */
  type: "failed";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "qr_batch.failed";
  /** Id of the entity, as in its GET */
  entity_id: string;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: string;
    /** Outcome of the import */
    state: "failed";
    /** Number of items in the file */
    total_count?: number | undefined;
    /** Number created */
    created?: number | undefined;
    /** Number rejected */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "adhesion.signed";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State; docs/reference/states.md shows the transitions */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "adhesion.canceled";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State; docs/reference/states.md shows the transitions */
    state: "canceled";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** Reason, as in `state_comment` */
    state_comment: string;
  };
}

export interface CardAdhesionSignedEvent {
  /** Kind of entity */
  entity_name: "card_adhesion";
  /** The part of `event_type` after the dot */
  type: "signed";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_adhesion.signed";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State; docs/reference/states.md shows the transitions */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_adhesion.canceled";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State; docs/reference/states.md shows the transitions */
    state: "canceled";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** Reason, as in `state_comment` */
    state_comment: string;
  };
}

export interface CardAdhesionCardUpdatedEvent {
  /** Kind of entity */
  entity_name: "card_adhesion";
  /** The part of `event_type` after the dot */
  type: "card_updated";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_adhesion.card_updated";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State; docs/reference/states.md shows the transitions */
    state: "signed";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The brand */
    card?: string | undefined;
    /** Last four digits of the card */
    last_four_digits?: string | undefined;
    /** Last valid month, mm-yyyy */
    card_expires?: string | undefined;
  };
}

export interface CardAdhesionCardClosedEvent {
  /** Kind of entity */
  entity_name: "card_adhesion";
  /** The part of `event_type` after the dot */
  type: "card_closed";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_adhesion.card_closed";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State; docs/reference/states.md shows the transitions */
    state: "signed";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The brand */
    card?: string | undefined;
    /** Last four digits of the card */
    last_four_digits?: string | undefined;
    /** Last valid month, mm-yyyy */
    card_expires?: string | undefined;
    /** Reason given by the acquirer */
    reason: string;
  };
}

export interface CardAdhesionCardExpiringEvent {
  /** Kind of entity */
  entity_name: "card_adhesion";
  /** The part of `event_type` after the dot */
  type: "card_expiring";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_adhesion.card_expiring";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State; docs/reference/states.md shows the transitions */
    state: "signed";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The brand */
    card?: string | undefined;
    /** Last four digits of the card */
    last_four_digits?: string | undefined;
    /** Last valid month, mm-yyyy */
    card_expires?: string | undefined;
  };
}

export interface DebitRequestPaidEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "paid";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "debit_request.paid";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "debit_request.rejected";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "debit_request.canceled";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** Reason, as in `state_comment` */
    state_comment: string;
  };
}

export interface DebitRequestRevertedEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "reverted";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "debit_request.reverted";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The reversed payment */
    reversed_result_id: number;
  };
}

export interface DebitRequestRefundedEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "refunded";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "debit_request.refunded";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The reversed payment */
    reversed_result_id: number;
    /** Id of the refund, as in its GET */
    refund_id?: number | undefined;
  };
}

export interface DebitRequestRefundRequestedEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "refund_requested";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "debit_request.refund_requested";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Id of the refund, as in its GET */
    refund_id: number;
  };
}

export interface DebitRequestRefundFailedEvent {
  /** Kind of entity */
  entity_name: "debit_request";
  /** The part of `event_type` after the dot */
  type: "refund_failed";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "debit_request.refund_failed";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Id of the refund, as in its GET */
    refund_id: number;
    /** Reason */
    reason: string;
  };
}

export interface CardDebitRequestPaidEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "paid";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_debit_request.paid";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_debit_request.rejected";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
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
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_debit_request.canceled";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** Reason, as in `state_comment` */
    state_comment: string;
  };
}

export interface CardDebitRequestRevertedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "reverted";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_debit_request.reverted";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The reversed payment */
    reversed_result_id: number;
  };
}

export interface CardDebitRequestRefundedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "refunded";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_debit_request.refunded";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** The reversed payment */
    reversed_result_id: number;
    /** Id of the refund, as in its GET */
    refund_id?: number | undefined;
  };
}

export interface CardDebitRequestRefundRequestedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "refund_requested";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_debit_request.refund_requested";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Id of the refund, as in its GET */
    refund_id: number;
  };
}

export interface CardDebitRequestRefundFailedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "refund_failed";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_debit_request.refund_failed";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The related item of `request_result` */
    request_result_id: number;
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Id of the refund, as in its GET */
    refund_id: number;
    /** Reason */
    reason: string;
  };
}

export interface CardDebitRequestDisputedEvent {
  /** Kind of entity */
  entity_name: "card_debit_request";
  /** The part of `event_type` after the dot */
  type: "disputed";
  /** `entity_name` and `type`, joined by a dot */
  event_type: "card_debit_request.disputed";
  /** Id of the entity, as in its GET */
  entity_id: number;
  /** ISO 8601 with the Argentine offset */
  created_at: string;
  /** State of the entity after the event, with event-specific fields */
  payload: {
    /** Id of the entity, as in its GET */
    id: number;
    /** State of the request after the event */
    state: "pending" | "in_process" | "paid" | "rejected" | "canceled" | "reverted" | "refunded";
    /** The `external_reference` of the request, if it has one */
    external_reference?: string | undefined;
    /** The dispute */
    dispute_id: number;
    /** State of the dispute */
    dispute_state: "opened" | "evidence_due" | "won" | "lost" | "partial" | "reversed";
    /** Pesos, at most 2 decimals */
    amount: number;
    /** Amount withheld by the acquirer because of the dispute */
    taken: number;
    /** Reason given by the acquirer */
    reason?: string | undefined;
    /** Deadline for evidence */
    evidence_due_at?: string | undefined;
  };
}

/** Query: List payment requests */
export interface ListPaymentRequestsQuery {
  /** Number of the page, from 1 */
  page?: number | undefined;
  /** Largest number of items to return; 25 if absent */
  limit?: number | undefined;
  /** Id of the last item of the previous page; the answer then has no total_count */
  after?: number | undefined;
  /** Id used in later calls */
  id?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
  /** State; docs/reference/states.md shows the transitions */
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

/** Query: Get a payment request with its payments, refunds and chargebacks */
export interface GetPaymentRequestQuery {
  /** Adds `retentions`: each tax withheld from the payments */
  detail_retentions?: boolean | undefined;
}

/** Query: List CBU adhesions */
export interface ListAdhesionsQuery {
  /** Number of the page, from 1 */
  page?: number | undefined;
  /** Largest number of items to return; 25 if absent */
  limit?: number | undefined;
  /** Id of the last item of the previous page; the answer then has no total_count */
  after?: number | undefined;
  /** Id used in later calls */
  id?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
  /** State; docs/reference/states.md shows the transitions */
  state?: "pending_to_sign" | "signed" | "canceled" | undefined;
  /** The person who signs the mandate */
  adhesion_holder_name?: string | undefined;
}

/** Query: List card adhesions */
export interface ListCardAdhesionsQuery {
  /** Number of the page, from 1 */
  page?: number | undefined;
  /** Largest number of items to return; 25 if absent */
  limit?: number | undefined;
  /** Id of the last item of the previous page; the answer then has no total_count */
  after?: number | undefined;
  /** Id used in later calls */
  id?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
  /** State; docs/reference/states.md shows the transitions */
  state?: "pending_to_sign" | "signed" | "canceled" | undefined;
  /** The person who signs the mandate */
  adhesion_holder_name?: string | undefined;
}

/** Query: List CBU debit requests */
export interface ListDebitRequestsQuery {
  /** Number of the page, from 1 */
  page?: number | undefined;
  /** Largest number of items to return; 25 if absent */
  limit?: number | undefined;
  /** Id of the last item of the previous page; the answer then has no total_count */
  after?: number | undefined;
  /** Id used in later calls */
  id?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
  /** State; docs/reference/states.md shows the transitions */
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

/** Query: Get a CBU debit request with its payments, refunds and chargebacks */
export interface GetDebitRequestQuery {
  /** Adds `retentions`: each tax withheld from the payments */
  detail_retentions?: boolean | undefined;
}

/** Query: List card debit requests */
export interface ListCardDebitRequestsQuery {
  /** Number of the page, from 1 */
  page?: number | undefined;
  /** Largest number of items to return; 25 if absent */
  limit?: number | undefined;
  /** Id of the last item of the previous page; the answer then has no total_count */
  after?: number | undefined;
  /** Id used in later calls */
  id?: number | undefined;
  /** Your own reference */
  external_reference?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
  /** State; docs/reference/states.md shows the transitions */
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

/** Query: Get a card debit request with its payments, refunds and chargebacks */
export interface GetCardDebitRequestQuery {
  /** Adds `retentions`: each tax withheld from the payments */
  detail_retentions?: boolean | undefined;
}

/** Query: List events in webhook order */
export interface ListEventsQuery {
  /** `next` of the previous answer; `latest` returns no events, only the current end of the feed */
  after?: number | "latest" | undefined;
  /** Largest number of items to return; 25 if absent */
  limit?: number | undefined;
  /** Name or id of an event type */
  type?: "payment_request.paid" | "payment_request.rejected" | "payment_request.expired" | "payment_request.reverted" | "payment_request.refunded" | "payment_request.refund_requested" | "payment_request.refund_failed" | "payment_request.disputed" | "qr.paid" | "qr.refunded" | "qr.deleted" | "qr.expired" | "qr.refund_requested" | "qr.refund_failed" | "qr.disputed" | "qr_batch.completed" | "qr_batch.failed" | "adhesion.signed" | "adhesion.canceled" | "card_adhesion.signed" | "card_adhesion.canceled" | "card_adhesion.card_updated" | "card_adhesion.card_closed" | "card_adhesion.card_expiring" | "debit_request.paid" | "debit_request.rejected" | "debit_request.canceled" | "debit_request.reverted" | "debit_request.refunded" | "debit_request.refund_requested" | "debit_request.refund_failed" | "card_debit_request.paid" | "card_debit_request.rejected" | "card_debit_request.canceled" | "card_debit_request.reverted" | "card_debit_request.refunded" | "card_debit_request.refund_requested" | "card_debit_request.refund_failed" | "card_debit_request.disputed" | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 21 | 22 | 31 | 32 | 33 | 34 | 35 | 36 | 37 | 41 | 42 | 43 | 44 | 45 | 46 | 47 | 51 | 52 | 53 | 54 | 55 | 56 | 57 | 58 | undefined;
  /** Kind of entity */
  entity_name?: "payment_request" | "qr" | "qr_batch" | "adhesion" | "card_adhesion" | "debit_request" | "card_debit_request" | undefined;
  /** Id of the entity, as in its GET */
  entity_id?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_gte?: string | undefined;
  /** A day of the calendar, dd-mm-yyyy */
  created_at_lte?: string | undefined;
}

/** Query: Charge an amount with a closed-amount static QR */
export interface CreateStaticQrTransactionQuery {
  /** The `qr_string` of the static QR */
  data: string;
}

/** Query: Resolve a scanned code, for wallet back ends */
export interface ResolveQrQuery {
  /** The text of the scanned code */
  data: string;
  /** The token of the scheme (RESOLVE_TOKENS) */
  access_token: string;
  /** Milliseconds since the scan; recorded only */
  elapsed_time?: number | undefined;
  /** Number of the attempt; recorded only */
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
  /** A payment was charged back by its holder */
  'payment_request.reverted': PaymentRequestRevertedEvent;
  /** A payment was refunded, in full or in part */
  'payment_request.refunded': PaymentRequestRefundedEvent;
  /** A refund was requested: the money is on its way back */
  'payment_request.refund_requested': PaymentRequestRefundRequestedEvent;
  /** A refund failed: the money stays with the account holder */
  'payment_request.refund_failed': PaymentRequestRefundFailedEvent;
  /** A payer disputed a payment, or the dispute changed */
  'payment_request.disputed': PaymentRequestDisputedEvent;
  /** A QR was paid */
  'qr.paid': QrPaidEvent;
  /** A QR payment was refunded to its payer */
  'qr.refunded': QrRefundedEvent;
  /** A QR was deleted */
  'qr.deleted': QrDeletedEvent;
  /** The due date of a QR passed without payment */
  'qr.expired': QrExpiredEvent;
  /** A refund was requested: the money is on its way back */
  'qr.refund_requested': QrRefundRequestedEvent;
  /** A refund failed: the money stays with the account holder */
  'qr.refund_failed': QrRefundFailedEvent;
  /** A payer disputed a payment, or the dispute changed */
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
  /** The card of a card adhesion got a new number or expiry, or is valid again */
  'card_adhesion.card_updated': CardAdhesionCardUpdatedEvent;
  /** The issuer closed the card of a card adhesion: debits on it are rejected */
  'card_adhesion.card_closed': CardAdhesionCardClosedEvent;
  /** The card of a card adhesion expires within 30 days */
  'card_adhesion.card_expiring': CardAdhesionCardExpiringEvent;
  /** A debit on a bank account was paid */
  'debit_request.paid': DebitRequestPaidEvent;
  /** A debit on a bank account was rejected */
  'debit_request.rejected': DebitRequestRejectedEvent;
  /** A debit was canceled before submission, or its mandate was canceled */
  'debit_request.canceled': DebitRequestCanceledEvent;
  /** A debit on a bank account was reversed by its holder */
  'debit_request.reverted': DebitRequestRevertedEvent;
  /** A debit on a bank account was refunded, in full or in part */
  'debit_request.refunded': DebitRequestRefundedEvent;
  /** A refund was requested: the money is on its way back */
  'debit_request.refund_requested': DebitRequestRefundRequestedEvent;
  /** A refund failed: the money stays with the account holder */
  'debit_request.refund_failed': DebitRequestRefundFailedEvent;
  /** A debit on a card was paid */
  'card_debit_request.paid': CardDebitRequestPaidEvent;
  /** A debit on a card was rejected */
  'card_debit_request.rejected': CardDebitRequestRejectedEvent;
  /** A debit was canceled before submission, or its mandate was canceled */
  'card_debit_request.canceled': CardDebitRequestCanceledEvent;
  /** A debit on a card was charged back by its holder */
  'card_debit_request.reverted': CardDebitRequestRevertedEvent;
  /** A debit on a card was refunded, in full or in part */
  'card_debit_request.refunded': CardDebitRequestRefundedEvent;
  /** A refund was requested: the money is on its way back */
  'card_debit_request.refund_requested': CardDebitRequestRefundRequestedEvent;
  /** A refund failed: the money stays with the account holder */
  'card_debit_request.refund_failed': CardDebitRequestRefundFailedEvent;
  /** A payer disputed a payment, or the dispute changed */
  'card_debit_request.disputed': CardDebitRequestDisputedEvent;
}
