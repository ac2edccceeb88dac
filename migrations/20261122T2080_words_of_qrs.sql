-- QRs are searched by their words too, written behind the seals as those of other requests; not the
-- payments of QRs on walls, which nobody lists. An account's seals are read once more for them, and
-- whoever still runs the release before leaves them to who knows of QRs.
alter table request_words drop constraint request_words_kind_check;
alter table request_words add constraint request_words_kind_check
    check (kind in ('payment_request', 'debit_request', 'card_debit_request', 'qr')) not valid;

-- The last seal whose QRs have their words.
alter table request_word_marks add column qr_seal_no integer not null default 0;
