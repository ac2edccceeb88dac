-- What requests are searched by: the words of payer, reference, description and e-mail, without
-- case and accents, written behind the seals so that creating knows nothing of it. QRs are not
-- listed and not searched.

-- Each word begins with the account, so that a search reads what is the account's alone.
create table request_words (
  account_id text not null,
  kind text not null check (kind in ('payment_request', 'debit_request', 'card_debit_request')),
  id bigint not null,
  words tsvector not null,
  primary key (account_id, kind, id)
);
-- A search reads what is pending besides, so that is kept short.
create index request_words_found on request_words using gin (words)
  with (gin_pending_list_limit = 1024);

-- The last seal whose requests have their words. None: all are still to come.
create table request_word_marks (
  account_id text primary key,
  seal_no integer not null
);
